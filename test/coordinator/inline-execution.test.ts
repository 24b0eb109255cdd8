// Inline execution: what is tried on the thread of a request, and what is left to the pool.
import { beforeEach, describe, expect, test } from 'vitest';
import { EngineUse } from '../../src/coordinator/shards/engine-use.ts';
import { fanOut } from '../../src/coordinator/shards/fan-out.ts';
import { InlineExecution } from '../../src/coordinator/shards/inline-execution.ts';
import type { ShardRef } from '../../src/worker/tasks.ts';
import { FakePool } from './fake-pool.ts';
import { searchReply } from './replies.ts';

const PLAN = new Uint8Array(64);
const REPLY = new ArrayBuffer(8);
const DOCS = Uint32Array.of(1, 2);

let nowMs: number;
let engineUse: EngineUse;
let calls: string[];
let reply: () => ArrayBuffer | undefined;
let inline: InlineExecution;

beforeEach(() => {
  nowMs = 1_000_000;
  engineUse = new EngineUse(() => nowMs);
  calls = [];
  reply = () => REPLY;
  const call = (name: string): ArrayBuffer | undefined => {
    calls.push(name);
    return reply();
  };
  inline = new InlineExecution({
    core: {
      search: () => call('search') as ArrayBuffer,
      fetch: () => call('fetch') as ArrayBuffer,
      get: () => call('get') as ArrayBuffer,
    },
    engineUse,
  });
});

const shards = (count: number, index = 1): ShardRef[] =>
  Array.from({ length: count }, (_, shard) => ({ index, shard }));
const search = (of = shards(1)): ArrayBuffer | undefined => inline.search(of, PLAN);
const fetch = (): ArrayBuffer | undefined =>
  inline.fetch({ index: 1, shard: 0, generation: 1n, docs: DOCS }, PLAN);
const get = (count = 1, index = 1): readonly ArrayBuffer[] | undefined =>
  inline.get(
    Array.from({ length: count }, (_, i) => ({
      index,
      id: String(i),
      routing: '',
      realtime: true,
      plan: PLAN,
    })),
  );

describe('a task', () => {
  test('of a cold index is for the pool until some task of it has ended', () => {
    expect([search(), fetch(), get()]).toEqual([undefined, undefined, undefined]);
    expect(calls).toEqual([]);
    inline.used(shards(1));
    expect([search(), fetch(), get()]).toEqual([REPLY, REPLY, [REPLY]]);
    nowMs += 4000;
    expect(search()).toBe(REPLY);
    nowMs += 4000;
    expect(search()).toBe(REPLY);
    nowMs += 5001;
    expect(search()).toBeUndefined();
  });

  test('of a long plan is for the pool', () => {
    inline.used(shards(1));
    expect(inline.search(shards(1), new Uint8Array(20_480))).toBe(REPLY);
    expect(inline.search(shards(1), new Uint8Array(20_481))).toBeUndefined();
  });

  test('of several indexes is tried where all are warm', () => {
    const both = [...shards(2), ...shards(1, 2)];
    inline.used(shards(1));
    expect(search(both)).toBeUndefined();
    inline.used(both);
    expect(search(both)).toBe(REPLY);
    expect(search(shards(8))).toBe(REPLY);
    expect(search(shards(9))).toBeUndefined();
  });

  test('that fails is for the pool, which reports it', () => {
    inline.used(shards(1));
    reply = () => {
      throw new Error('no');
    };
    expect([search(), fetch(), get()]).toEqual([undefined, undefined, undefined]);
    reply = () => REPLY;
    expect(search()).toBe(REPLY);
  });

  test('that reads documents by id is tried for a few, and while nothing is written', () => {
    inline.used(shards(1));
    expect(get(10)).toHaveLength(10);
    expect(get(11)).toBeUndefined();
    engineUse.writes = 1;
    expect(get()).toBeUndefined();
  });
});

describe('tasks whose budget is not enough', () => {
  test('are not tried again but for a sample, until they end in time', () => {
    inline.used(shards(1));
    reply = () => undefined;
    for (let i = 0; i < 1000; i++) search();
    const tried = calls.length;
    expect(tried).toBeGreaterThan(10);
    expect(tried).toBeLessThan(50);
    expect(inline.isLikely(shards(1), PLAN)).toBe(false);
    reply = () => REPLY;
    for (let i = 0; i < 1000; i++) search();
    expect(calls.length - tried).toBeGreaterThan(900);
    expect(inline.isLikely(shards(1), PLAN)).toBe(true);
  });

  test('say nothing of those of another index or of another shape', () => {
    inline.used([...shards(1), ...shards(1, 2)]);
    reply = () => undefined;
    for (let i = 0; i < 20; i++) search();
    reply = () => REPLY;
    expect(search(shards(1, 2))).toBe(REPLY);
    expect(inline.search(shards(1), new Uint8Array(200).fill(3))).toBe(REPLY);
    expect(fetch()).toBe(REPLY);
  });

  test('go to the pool, with the same plan', async () => {
    const pool = new FakePool({ search: () => searchReply([]) });
    inline.used(shards(1));
    reply = () => undefined;
    await fanOut({ pool, inline }, shards(1), PLAN);
    expect(calls).toEqual(['search']);
    expect(pool.named('search').map(({ plan }) => plan)).toEqual([PLAN]);
  });
});

test('a table of warm indexes is shared by threads', () => {
  const other = new EngineUse(() => nowMs, engineUse.buffer);
  other.used(7);
  expect([engineUse.isWarm(7), engineUse.isWarm(8), engineUse.isWarm(7 + 4096)]).toEqual([
    true,
    false,
    false,
  ]);
  engineUse.used(7 + 4096);
  expect([other.isWarm(7), other.isWarm(7 + 4096)]).toEqual([false, true]);
});

test('what one thread has tried in vain is not tried by the others', () => {
  const options = { core: {} as never, engineUse: new EngineUse(() => nowMs, engineUse.buffer) };
  const other = new InlineExecution(options);
  inline.used(shards(1));
  reply = () => undefined;
  for (let i = 0; i < 3; i++) search(shards(1));
  expect(other.isLikely(shards(1), PLAN)).toBe(false);
});
