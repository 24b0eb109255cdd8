// Visibility of memories: the query and the check of a single memory apply the same rule.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import type { MemoryEntry } from '../../src/memory/memory-entry.ts';
import {
  type RecallMoment,
  UNSEEN,
  unseenQueries,
  unseenQuery,
  whyUnseen,
} from '../../src/memory/visible.ts';

type Times = Pick<
  MemoryEntry,
  'stored_at' | 'own_time' | 'expires_at' | 'invalid_at' | 'superseded_at'
>;

const entry = (times: Partial<Times>): MemoryEntry => ({
  text: 'a',
  metadata: null,
  vector: null,
  stored_at: 10,
  own_time: 10,
  expires_at: null,
  invalid_at: null,
  superseded_at: null,
  ...times,
});

const at = (rest: Partial<RecallMoment>): RecallMoment => ({
  now: 100,
  present: 100,
  asOf: undefined,
  knownAt: undefined,
  ...rest,
});

test.each([
  ['just stored', {}, {}, undefined],
  ['true only later, asked about now', { own_time: 200 }, {}, undefined],
  ['expires later', { expires_at: 101 }, {}, undefined],
  ['expires now', { expires_at: 100 }, {}, 'expired'],
  ['expired, asked about the time before', { expires_at: 100 }, { asOf: 50 }, 'expired'],
  ['superseded', { invalid_at: 50, superseded_at: 60 }, {}, 'superseded'],
  ['superseded from tomorrow on', { invalid_at: 150, superseded_at: 60 }, {}, undefined],
  ['before its end', { invalid_at: 50, superseded_at: 60 }, { asOf: 49 }, undefined],
  ['at its end', { invalid_at: 50, superseded_at: 60 }, { asOf: 50 }, 'superseded'],
  ['before its end was known', { invalid_at: 50, superseded_at: 60 }, { knownAt: 59 }, undefined],
  ['once its end was known', { invalid_at: 50, superseded_at: 60 }, { knownAt: 60 }, 'superseded'],
  ['before it was true', { own_time: 20 }, { asOf: 19 }, 'not_yet'],
  ['once it was true', { own_time: 20 }, { asOf: 20 }, undefined],
  ['before it was stored', { own_time: 5, stored_at: 20 }, { knownAt: 19 }, 'not_yet'],
  ['true before it was stored', { own_time: 5, stored_at: 20 }, { asOf: 6 }, undefined],
] as const)('%s', (_name, times, moment, why) => {
  expect(whyUnseen(entry(times), at(moment))).toBe(why);
});

/** Evaluates the few clauses that the query consists of. */
function matches(times: Times, query: JsonObject): boolean {
  const [[kind, body] = ['', {}]] = Object.entries(query) as [string, JsonObject][];
  if (kind === 'match_none') return false;
  if (kind === 'range') {
    const [[field, { gt, lte }] = ['', {}]] = Object.entries(body) as [string, JsonObject][];
    const value = times[field as keyof Times];
    if (value === null) return false;
    return (gt === undefined || value > Number(gt)) && (lte === undefined || value <= Number(lte));
  }
  const { filter = [], should } = body as { filter?: JsonObject[]; should?: JsonObject[] };
  const some = should === undefined || should.some((one) => matches(times, one));
  return filter.every((one) => matches(times, one)) && some;
}

test('queries and judgement agree', () => {
  const instant = fc.integer({ min: 0, max: 4 });
  const maybe = fc.option(instant, { nil: null });
  const arbitrary = fc.record({
    stored_at: instant,
    own_time: instant,
    expires_at: maybe,
    invalid_at: maybe,
    superseded_at: maybe,
  });
  const moments = fc.record({
    now: fc.constant(2),
    present: fc.constantFrom(2, 3),
    asOf: fc.option(instant, { nil: undefined }),
    knownAt: fc.option(instant, { nil: undefined }),
  });
  fc.assert(
    fc.property(arbitrary, moments, (drawn, moment) => {
      // An end is recorded together with its time.
      const known = drawn.invalid_at === null ? null : (drawn.superseded_at ?? 0);
      const times = { ...drawn, superseded_at: known };
      const first = UNSEEN.find((reason) => matches(times, unseenQuery(reason, moment)));
      expect(whyUnseen(entry(times), moment)).toBe(first);
      const hidden = unseenQueries(moment).some((query) => matches(times, query));
      expect(hidden).toBe(first !== undefined);
    }),
    { numRuns: 2000 },
  );
});
