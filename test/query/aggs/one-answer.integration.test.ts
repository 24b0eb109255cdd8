// The directly printed response of a single shard is byte for byte equal to the reduced one.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchReply } from '../../../src/api/search/reply.ts';
import type { JsonObject, SearchRequest } from '../../../src/backend/index.ts';
import {
  json,
  openBackend,
  type RealBackend,
  removeFolder,
} from '../../coordinator/real-backend.ts';

const DOCS = 300;
const TAGS = ['a', 'b"c', 'back\\slash', 'tab\there', 'ünï', '日本', '𝒳', '\u2028', ''];
const FORMAT = { totalAsInt: false, nodeId: 'n' };

let real: RealBackend;

beforeAll(async () => {
  real = await openBackend();
  await real.backend.createIndex('one', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: {
        tag: { type: 'keyword' },
        n: { type: 'long' },
        u: { type: 'unsigned_long' },
        d: { type: 'double' },
        at: { type: 'date' },
        flag: { type: 'boolean' },
        ip: { type: 'ip' },
      },
    },
  });
  for (let i = 0; i < DOCS; i++) {
    const few = (i * i) % 17;
    const document = {
      ...(i % 7 === 0 ? {} : { tag: [TAGS[few % TAGS.length], TAGS[i % TAGS.length]] }),
      n: i % 5 === 0 ? [few, -i] : few,
      u: `${2n ** 63n + BigInt(few)}`,
      d: few / 3,
      at: `2026-01-${10 + few}`,
      flag: few % 2 === 0,
      ip: few % 2 === 0 ? `10.0.0.${few}` : `2001:db8::${few}`,
      many: `k${i % 90}`,
    };
    const write = { op: 'index', index: 'one', id: `d${i % 250}`, source: json(document) } as const;
    await real.backend.write(write, { refresh: 'false' });
    if (i % 100 === 99) await real.backend.refresh('one', {});
  }
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const anyField = {
  size: fc.constantFrom(1, 3, 10, 64, 65, 1000),
  min_doc_count: fc.integer({ min: 0, max: 20 }),
  shard_min_doc_count: fc.integer({ min: 0, max: 20 }),
  order: fc.constantFrom<JsonObject[string]>(
    { _count: 'desc' },
    { _count: 'asc' },
    { _key: 'asc' },
    { _key: 'desc' },
    [{ _count: 'desc' }, { _key: 'desc' }],
  ),
  show_term_doc_count_error: fc.boolean(),
};
const ofTexts = fc.record(
  {
    ...anyField,
    field: fc.constantFrom('tag', 'many.keyword'),
    include: fc.constantFrom<JsonObject[string]>([], ['a', 'ünï', 'k7'], 'k1.*'),
    exclude: fc.constantFrom<JsonObject[string]>('a', '.*\\\\.*'),
  },
  { requiredKeys: ['field'] },
);
const ofOthers = fc.record(
  { ...anyField, field: fc.constantFrom('n', 'u', 'd', 'at', 'flag', 'ip', 'unknown') },
  { requiredKeys: ['field'] },
);
const ofNumbers = fc.record(
  { ...anyField, field: fc.constantFrom('n', 'd'), format: fc.constant('0.0') },
  { requiredKeys: ['field'] },
);
/** Lists and patterns cannot be combined. */
const fits = (body: object): boolean =>
  !('include' in body && 'exclude' in body && Array.isArray(body.include));
const terms = fc.record(
  {
    terms: fc.oneof(ofTexts.filter(fits), ofOthers, ofNumbers),
    meta: fc.constant<JsonObject>({ a: [1, 'ü'] }),
  },
  { requiredKeys: ['terms'] },
);
const requested = fc.record({
  aggs: fc.dictionary(fc.constantFrom('x', 'a"b', 'ü'), terms, { minKeys: 1 }),
  query: fc.constantFrom<JsonObject>(
    { match_all: {} },
    { term: { flag: true } },
    { term: { tag: 'nowhere' } },
    { range: { n: { lt: 5 } } },
  ),
  typedKeys: fc.boolean(),
});

async function answer(request: Pick<SearchRequest, 'body' | 'typedKeys'>): Promise<string> {
  const result = await real.backend.search({ ...request, index: 'one', requestCache: false });
  return (await searchReply({ ...result, tookMs: 0 }, FORMAT)).toString('utf8');
}

test('terms', async () => {
  await fc.assert(
    fc.asyncProperty(requested, async ({ aggs, query, typedKeys }) => {
      const body = { size: 0, query, aggs } as unknown as JsonObject;
      const one = await answer({ body, typedKeys });
      // With one aggregation of another kind, all of them are reduced.
      const extended = { ...aggs, last: { value_count: { field: 'n' } } } as unknown as JsonObject;
      const both = await answer({ body: { ...body, aggs: extended }, typedKeys });
      expect(one).toBe(both.replace(/,"(?:value_count#)?last":\{"value":\d+\}\}\}$/, '}}'));
    }),
    { numRuns: 500 },
  );
});
