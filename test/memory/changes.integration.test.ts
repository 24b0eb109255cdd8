// The changes of a namespace: a copy that follows them is what a list shows, whatever was stored,
// changed, superseded and forgotten between two requests, and whenever the process dies.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { dyingIn, MOMENTS } from './dying-backend.ts';
import { type MemoryService, openMemory } from './service.ts';

let service: MemoryService;

beforeAll(async () => {
  service = await openMemory();
});
afterAll(async () => {
  await service.close();
});

/** A client that keeps the live memories of a namespace by its changes alone. */
class Copy {
  readonly texts = new Map<string, string>();
  readonly kinds: string[] = [];
  resets = 0;
  #next: string | null = null;

  async follow(memory: Memory, ns: string, size: number): Promise<void> {
    for (;;) {
      const since: JsonObject = this.#next === null ? {} : { since: this.#next };
      const { reset, changes, next, more } = await memory.changes(ns, { ...since, size });
      if (reset) {
        this.texts.clear();
        this.resets++;
      }
      for (const one of changes) {
        this.kinds.push(`${one.kind} ${one.id}`);
        if (one.kind === 'forget') {
          expect(Object.keys(one)).toEqual(['kind', 'id']);
          this.texts.delete(one.id);
        } else if (one.kind === 'supersede') this.texts.delete(one.id);
        else this.texts.set(one.id, one.text);
      }
      this.#next = next;
      if (!more) return;
    }
  }
}

async function listed(memory: Memory, ns: string): Promise<Map<string, string>> {
  const { entries } = await memory.list(ns, { size: 1000 });
  return new Map(entries.map(({ id, text }) => [id, text]));
}

test('changes come in order, each memory at its last one, the forgotten by id alone', async () => {
  const { memory } = service;
  const copy = new Copy();
  for (const id of ['a', 'b', 'c']) await memory.store('order', { id, text: `text of ${id}` });
  await copy.follow(memory, 'order', 2);
  expect(copy.kinds.splice(0)).toEqual(['store a', 'store b', 'store c']);
  await memory.edit('order', 'b', { text: 'other text' });
  await memory.forget('order', 'a');
  await memory.store('order', { id: 'd', text: 'text of d', supersedes: ['c'] });
  await copy.follow(memory, 'order', 2);
  expect(copy.kinds.splice(0)).toEqual(['edit b', 'forget a', 'store d', 'supersede c']);
  await memory.store('order', { id: 'a', text: 'again' });
  await memory.forgetMatching('order', { filter: { ids: { values: ['b', 'd'] } } });
  await copy.follow(memory, 'order', 2);
  expect(copy.kinds.splice(0)).toEqual(['store a', 'forget b', 'forget d']);
  await copy.follow(memory, 'order', 2);
  expect(copy.kinds).toEqual([]);
  const all = JSON.stringify(await memory.changes('order', {}));
  expect(all).not.toContain('text of a');
  expect(all).not.toContain('other text');
});

test('a memory that has expired is forgotten, before and after it leaves the disk', async () => {
  const { memory, clock } = service;
  await memory.store('brief', { id: 'a', text: 'brief', expires_at: clock.now + 100 });
  clock.now += 200;
  const before = await memory.changes('brief', {});
  expect(before.changes).toEqual([{ kind: 'forget', id: 'a' }]);
  expect(await memory.sweep()).toBe(1);
  const after = await memory.changes('brief', { since: before.next ?? '' });
  expect(after.changes).toEqual([{ kind: 'forget', id: 'a' }]);
});

test('a namespace that was dropped and made again resets its followers', async () => {
  const { memory } = service;
  const copy = new Copy();
  await memory.store('again', { id: 'a', text: 'first' });
  await copy.follow(memory, 'again', 10);
  await memory.drop('again');
  expect(await memory.changes('again', {})).toMatchObject({ exists: false, next: null });
  await memory.store('again', { id: 'b', text: 'second' });
  await copy.follow(memory, 'again', 10);
  expect([copy.resets, [...copy.texts]]).toEqual([1, [['b', 'second']]]);
});

test('one namespace has nothing of another', async () => {
  const { memory } = service;
  for (const ns of ['mine', 'yours']) await memory.store(ns, { id: ns, text: ns });
  await memory.forget('yours', 'yours');
  const { changes } = await memory.changes('mine', {});
  expect(changes).toMatchObject([{ kind: 'store', id: 'mine' }]);
});

type Step = {
  readonly kind: 'store' | 'edit' | 'forget' | 'supersede' | 'follow';
  readonly id: string;
};
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('store', 'store', 'edit', 'forget', 'supersede', 'follow'),
  id: fc.constantFrom('a', 'b', 'c'),
});

test('a copy that follows is the namespace, after any steps', async () => {
  const { memory, clock } = service;
  let runs = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 15 }),
    fc.integer({ min: 1, max: 3 }),
    async (steps, size) => {
      const ns = `follow-${runs++}`;
      const copy = new Copy();
      for (const [i, { kind, id }] of steps.entries()) {
        clock.now += 1;
        if (kind === 'store') await memory.store(ns, { id, text: `text ${i}` });
        else if (kind === 'edit') await memory.edit(ns, id, { text: `edited ${i}` });
        else if (kind === 'forget') await memory.forget(ns, id);
        else if (kind === 'follow') await copy.follow(memory, ns, size);
        else {
          const there = await memory.get(ns, id);
          if (there.found) await memory.store(ns, { id: `n${i}`, text: 'new', supersedes: [id] });
        }
      }
      await copy.follow(memory, ns, size);
      expect([...copy.texts].sort()).toEqual([...(await listed(memory, ns))].sort());
      await memory.drop(ns);
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test('a copy is right after a process that died while it forgot', async () => {
  const { real, over } = service;
  for (const [i, how] of MOMENTS.entries()) {
    for (let last = 1; ; last++) {
      const ns = `dead-${i}-${last}`;
      const healthy = over(real.backend);
      for (const id of ['a', 'b', 'c']) await healthy.store(ns, { id, text: `text of ${id}` });
      const copy = new Copy();
      await copy.follow(healthy, ns, 10);
      const filter = { ids: { values: ['a', 'b'] } };
      const done = await over(dyingIn(real.backend, last, how))
        .forgetMatching(ns, { filter })
        .then(() => true)
        .catch(() => false);
      const restarted = over(real.backend);
      await restarted.start();
      await restarted.store(ns, { id: 'd', text: 'later' });
      await copy.follow(restarted, ns, 10);
      expect([...copy.texts].sort()).toEqual([...(await listed(restarted, ns))].sort());
      if (done) break;
    }
  }
});

test('the log of the forgotten is bounded, and who is too far behind begins at the start', async () => {
  const { real } = service;
  const memory = service.over(real.backend, { maxForgotten: 4 });
  const [behind, close] = [new Copy(), new Copy()];
  await memory.store('bounded', { id: 'kept', text: 'kept' });
  await memory.store('bounded', { id: 'gone', text: 'gone' });
  await behind.follow(memory, 'bounded', 3);
  await close.follow(memory, 'bounded', 3);
  await memory.forget('bounded', 'gone');
  for (let i = 0; i < 30; i++) {
    await memory.store('bounded', { id: `m${i}`, text: `memory ${i}` });
    await memory.forget('bounded', `m${i}`);
    await close.follow(memory, 'bounded', 3);
  }
  await real.backend.publish('.svc-forgotten');
  const mine = { query: { term: { namespace: 'bounded' } } };
  const { count } = await real.backend.count({ index: '.svc-forgotten', body: mine });
  expect(count).toBeLessThanOrEqual(4 + 4 + 1 + 1);
  await behind.follow(memory, 'bounded', 1);
  const there = await listed(memory, 'bounded');
  expect([behind.texts, behind.resets]).toEqual([there, 1]);
  expect([close.texts, close.resets]).toEqual([there, 0]);
  // From the start there is no way back to it, however small the pages.
  await memory.forget('bounded', 'kept');
  await behind.follow(memory, 'bounded', 1);
  expect([[...behind.texts], behind.resets]).toEqual([[], 1]);
});
