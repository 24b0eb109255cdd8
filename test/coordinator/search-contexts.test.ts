// Open search contexts and their expiry, with a clock that the test advances.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { contextId, isContextId, SECRET_BYTES } from '../../src/coordinator/search/context-ids.ts';
import { ContextRoom } from '../../src/coordinator/search/context-room.ts';
import {
  checkContextId,
  contextMissing,
  SearchContexts,
} from '../../src/coordinator/search/search-contexts.ts';
import type { TargetGroup } from '../../src/coordinator/shards/search-targets.ts';
import { QuarryError } from '../../src/errors.ts';

let now = 1000;
let wall = 1_700_000_000_000;
let most = 3;
let calls: string[] = [];
let full = 0;
let broken = '';
let secrets = 0;

function contexts(): SearchContexts {
  return new SearchContexts({
    pin: async ({ index, shard }) => {
      const name = `${index}/${shard}`;
      if (name === broken) throw new QuarryError('corrupt_index_exception', 'damaged');
      if (full > 0) {
        full -= 1;
        throw new QuarryError('circuit_breaking_exception', 'too much memory');
      }
      calls.push(`pin ${name}`);
      return BigInt(100 + index * 10 + shard);
    },
    unpin: ({ index, shard, generation }) => calls.push(`unpin ${index}/${shard}@${generation}`),
    flush: async ({ index, shard }) => {
      calls.push(`flush ${index}/${shard}`);
    },
    nowMs: () => wall,
    now: () => now,
    room: new ContextRoom({ maxOpen: () => most, maxBytes: () => 100 }),
    maxKeepAliveMs: () => 3_600_000,
    randomBytes: (count) => new Uint8Array(count).fill(secrets++),
  });
}

function groups(...indexes: readonly [string, number, number][]): readonly TargetGroup[] {
  const entries = indexes.map(([name, number, shards]) => ({ name, number, shards }));
  return [{ filters: [], entries: entries as unknown as TargetGroup['entries'] }];
}

beforeEach(() => {
  now = 1000;
  most = 3;
  calls = [];
  full = 0;
  broken = '';
});

describe('contexts', () => {
  test('pin every shard, indexes by name, and let go of all of them', async () => {
    const all = contexts();
    const context = await all.open('pit', groups(['b', 1, 2], ['a', 2, 1]), 5000);
    expect(calls).toEqual(['pin 2/0', 'pin 1/0', 'pin 1/1']);
    expect(context.targets.snapshots.map(({ generation }) => generation)).toEqual([
      120n,
      110n,
      111n,
    ]);
    expect(all.release('scroll', context.id)).toBe(0);
    expect(all.release('pit', context.id)).toBe(3);
    expect(all.release('pit', context.id)).toBe(0);
    expect(calls.slice(3)).toEqual(['unpin 2/0@120', 'unpin 1/0@110', 'unpin 1/1@111']);
    all.close();
  });

  test('neither end nor stay when the wall clock jumps', async () => {
    const all = contexts();
    const { id } = await all.open('scroll', groups(['a', 1, 1]), 5000);
    for (const jump of [86_400_000, -40 * 86_400_000, 365 * 86_400_000]) {
      wall += jump;
      now += 4999;
      expect(all.use('scroll', id)).toBeDefined();
    }
    wall -= 365 * 86_400_000;
    now += 5000;
    expect(all.use('scroll', id)).toBeUndefined();
    expect(all.size).toBe(0);
  });

  test('end when their time is over, which every use starts anew', async () => {
    const all = contexts();
    const { id } = await all.open('pit', groups(['a', 1, 1]), 5000);
    now += 4999;
    expect(all.use('pit', id)).toBeDefined();
    now += 4999;
    expect(all.use('pit', id, 10_000)).toBeDefined();
    now += 9999;
    expect(all.list('pit')).toHaveLength(1);
    expect(all.use('scroll', id)).toBeUndefined();
    now += 1;
    expect(all.use('pit', id)).toBeUndefined();
    expect(calls.at(-1)).toBe('unpin 1/0@110');
    expect(all.size).toBe(0);
  });

  test('do not end under a search, which starts their time anew', async () => {
    const all = contexts();
    const context = await all.open('scroll', groups(['a', 1, 1]), 5000);
    const found = await all.during(context, async () => {
      now += 60_000;
      all.expire();
      return all.size;
    });
    expect(found).toBe(1);
    now += 4999;
    expect(all.use('scroll', context.id)).toBeDefined();
    now += 5000;
    all.expire();
    expect(all.size).toBe(0);
    const failing = all.during(context, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(context.busy).toBe(0);
    all.close();
  });

  test('are as many as the setting allows', async () => {
    const all = contexts();
    most = 1;
    const { id } = await all.open('scroll', groups(['a', 1, 1]), 5000);
    await expect(all.open('scroll', groups(['a', 1, 1]), 5000)).rejects.toMatchObject({
      type: 'too_many_scroll_contexts_exception',
      status: 429,
    });
    await expect(all.open('pit', groups(['a', 1, 1]), 5000)).rejects.toMatchObject({
      type: 'es_rejected_execution_exception',
    });
    expect(all.release('scroll', id)).toBe(1);
    await all.open('pit', groups(['a', 1, 1]), 5000);
    all.close();
    expect(all.size).toBe(0);
  });

  test('keep requests of so many bytes at most', async () => {
    const all = contexts();
    const { id } = await all.open('scroll', groups(['a', 1, 1]), 5000, { bytes: 60 });
    await expect(
      all.open('scroll', groups(['a', 1, 1]), 5000, { bytes: 50 }),
    ).rejects.toMatchObject({
      type: 'circuit_breaking_exception',
      status: 429,
    });
    await all.open('pit', groups(['a', 1, 1]), 5000);
    all.release('scroll', id);
    await all.open('scroll', groups(['a', 1, 1]), 5000, { bytes: 100 });
    all.close();
  });

  test('that cannot be opened whole hold on to nothing', async () => {
    const all = contexts();
    broken = '1/1';
    await expect(all.open('pit', groups(['a', 1, 3]), 5000)).rejects.toThrow('damaged');
    expect(calls).toEqual(['pin 1/0', 'unpin 1/0@110']);
    expect(all.size).toBe(0);
  });

  test('have memory made free by a flush, and give up when that does not help', async () => {
    const all = contexts();
    full = 1;
    await all.open('pit', groups(['a', 1, 1]), 5000);
    expect(calls).toEqual(['flush 1/0', 'pin 1/0']);
    full = 100;
    await expect(all.open('pit', groups(['a', 1, 1]), 5000)).rejects.toMatchObject({ status: 429 });
    all.close();
  });

  test.each([
    ['1m', 60_000],
    ['90s', 90_000],
    ['1h', 3_600_000],
  ])('are kept %s', (text, ms) => {
    expect(contexts().keepAliveMs(text, 'keep_alive')).toBe(ms);
  });

  test.each([
    ['2h', 'Keep alive for request (2h) is too large. It must be less than (3600000ms).'],
    ['0', '[keep_alive] must be longer than 0, got [0]'],
    ['-1', '[keep_alive] must be longer than 0, got [-1]'],
    ['soon', 'failed to parse setting [keep_alive] with value [soon] as a time value'],
    ['', 'failed to parse setting [keep_alive] with value [] as a time value'],
  ])('are not kept [%s]', (text, words) => {
    expect(() => contexts().keepAliveMs(text, 'keep_alive')).toThrow(words);
  });
});

describe('ids', () => {
  const secret = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES });
  const kind = fc.constantFrom('scroll' as const, 'pit' as const);

  test('are known again, as what they are', () => {
    fc.assert(
      fc.property(secret, kind, (bytes, of) => {
        const id = contextId(of, bytes);
        expect(isContextId(of, id)).toBe(true);
        expect(isContextId(of === 'pit' ? 'scroll' : 'pit', id)).toBe(false);
      }),
    );
  });

  test('are not known when a letter is cut, added or changed', () => {
    fc.assert(
      fc.property(secret, kind, fc.nat(29), fc.string(), (bytes, of, at, other) => {
        const id = contextId(of, bytes);
        expect(isContextId(of, id.slice(0, at))).toBe(false);
        expect(isContextId(of, `${id}A`)).toBe(false);
        const changed = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
        expect(isContextId(of, changed)).toBe(false);
        if (other !== id) expect(isContextId(of, other)).toBe(false);
      }),
    );
  });

  test('that never were any are an error of their own', () => {
    expect(() => checkContextId('scroll', 'nonsense')).toThrow('Cannot parse scroll id');
    expect(() => checkContextId('pit', 'nonsense')).toThrow('invalid id: [nonsense]');
    expect(contextMissing('x')).toMatchObject({
      status: 404,
      type: 'search_phase_execution_exception',
      rootCauses: [{ type: 'search_context_missing_exception' }],
    });
  });
});
