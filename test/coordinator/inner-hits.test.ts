// Groups of a collapsed search within the time limit of the request.
import { expect, test } from 'vitest';
import type { JsonObject, SearchHit, SearchResult } from '../../src/backend/index.ts';
import { withInnerHits } from '../../src/coordinator/page/inner-hits.ts';
import type { Collapse } from '../../src/query/collapse.ts';

const HITS = ['1', '2', '3'].map((id): SearchHit => ({ index: 'a', id, score: 1 }));
const GROUPS = ['"x"', '"y"', 'null'];
const COLLAPSE = {
  field: 'code',
  innerHits: [{ name: 'i', shows: { size: 2 } }],
  concurrency: 1,
} as unknown as Collapse;
const answer = (timedOut: boolean): SearchResult => ({
  tookMs: 1,
  timedOut,
  shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  total: { value: 2, relation: 'eq' },
  maxScore: 1,
  hits: [],
});

test('groups share the time that is left, and those behind it are not searched', async () => {
  const left = [250.2, 40, 0];
  const requested: JsonObject[] = [];
  const { hits, timedOut } = await withInnerHits(
    HITS,
    GROUPS,
    COLLAPSE,
    { query: { match_all: {} } },
    () => left.shift(),
    async (body) => {
      requested.push(body);
      return answer(false);
    },
  );
  expect(requested.map(({ timeout }) => timeout)).toEqual(['251ms', '40ms']);
  expect(hits.map(({ innerHits }) => innerHits?.['i']?.total)).toEqual([
    { value: 2, relation: 'eq' },
    { value: 2, relation: 'eq' },
    { value: 0, relation: 'gte' },
  ]);
  expect(timedOut).toBe(true);
});

test('without a limit every group is searched to its end', async () => {
  const bodies: JsonObject[] = [];
  const { hits, timedOut } = await withInnerHits(
    HITS,
    GROUPS,
    COLLAPSE,
    {},
    () => undefined,
    async (body) => {
      bodies.push(body);
      return answer(false);
    },
  );
  expect(bodies.map(({ timeout }) => timeout)).toEqual([undefined, undefined, undefined]);
  expect(hits).toHaveLength(3);
  expect(timedOut).toBe(false);
});

test('a group that ran out of time is told', async () => {
  const { timedOut } = await withInnerHits(
    HITS,
    GROUPS,
    COLLAPSE,
    {},
    () => 10,
    async () => answer(true),
  );
  expect(timedOut).toBe(true);
});
