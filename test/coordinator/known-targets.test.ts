import { expect, test } from 'vitest';
import type { SearchRequest } from '../../src/backend/index.ts';
import { KnownTargets } from '../../src/coordinator/search/known-targets.ts';
import type { TargetGroup } from '../../src/coordinator/shards/search-targets.ts';

const catalog = { version: 0 };
let found = 0;

function find(): readonly TargetGroup[] {
  found += 1;
  return [];
}

function lookups(...requests: readonly Partial<SearchRequest>[]): number {
  found = 0;
  const known = new KnownTargets(catalog);
  for (const request of requests) known.of({ index: 'a', body: {}, ...request }, find);
  return found;
}

test('a name is looked up once while the catalog is what it is', () => {
  expect(lookups({}, {}, { body: { size: 1 } }, { index: 'b' }, {})).toBe(2);
  const known = new KnownTargets(catalog);
  const first = known.of({ index: 'a', body: {} }, find);
  expect(known.of({ index: 'a', body: {} }, find)).toBe(first);
  catalog.version += 1;
  expect(known.of({ index: 'a', body: {} }, find)).not.toBe(first);
});

test.each<Partial<SearchRequest>>([
  { routing: 'r' },
  { shards: [0] },
  { ignoreUnavailable: true },
  { allowNoIndices: false },
  { expandWildcards: ['open'] },
  { access: { allows: () => true } as unknown as NonNullable<SearchRequest['access']> },
  { index: '<a-{now/d}>' },
])('with %o each time', (request) => {
  expect(lookups(request, request)).toBe(2);
});

test('as many names as there are', () => {
  const known = new KnownTargets(catalog);
  found = 0;
  for (let n = 0; n < 1000; n++) known.of({ index: `i${n}`, body: {} }, find);
  known.of({ index: 'i999', body: {} }, find);
  expect(found).toBe(1000);
});
