// Which searches a store with dedup makes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend, SearchRequest } from '../../src/backend/index.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;
let memory: Memory;
let searched: SearchRequest[] = [];

beforeAll(async () => {
  service = await openMemory();
  const { backend } = service.real;
  const counting = new Proxy(backend as Backend, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'search') return member.bind(target);
      return (request: SearchRequest) => {
        searched.push(request);
        return target.search(request);
      };
    },
  });
  memory = service.over(counting);
  await memory.store('ns', { id: 'old', text: 'the lighthouse was painted white in spring' });
  const text = 'the lighthouse was painted red in autumn';
  await memory.store('ns', { id: 'new', text, supersedes: ['old'] });
});

afterAll(() => service.close());

const stored = async (
  body: object,
): Promise<{ readonly answer: object; readonly searches: number }> => {
  searched = [];
  const answer = await memory.store('ns', { ...body, dedup: true });
  return { answer, searches: searched.length };
};

test('what is as near as nothing is stored after one look, whatever is superseded', async () => {
  const { answer, searches } = await stored({ id: 'a', text: 'a puppy slept under the piano' });
  expect(answer).toEqual({ id: 'a', namespace: 'ns', created: true });
  expect(searches).toBe(2);
});

test('what is near a superseded memory is compared with those that are visible', async () => {
  const text = 'the lighthouse was painted white in spring';
  const again = await stored({ id: 'b', text });
  expect(again.answer).toMatchObject({ id: 'b', created: true });
  expect(again.searches).toBe(4);
  const twice = await stored({ id: 'c', text });
  expect(twice.answer).toMatchObject({ id: 'b', created: false, deduplicated: true, score: 1 });
});

test('a low threshold compares what is less near', async () => {
  const text = 'the lighthouse was painted white in winter';
  const { answer } = await stored({ id: 'd', text, dedup_threshold: 0.5 });
  expect(answer).toMatchObject({ id: 'b', created: false, deduplicated: true });
});
