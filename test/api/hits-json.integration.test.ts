// Hits printed by the core are byte for byte equal to those that the coordinator prints from
// documents.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchReply } from '../../src/api/search/reply.ts';
import type { JsonObject, SearchResult } from '../../src/backend/index.ts';
import { json, openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

const FORMAT = { totalAsInt: false, nodeId: 'n' };
/** Ids that need escapes, are long, or use other scripts. */
const IDS = [
  '1',
  'a"b',
  'back\\slash',
  'tab\there',
  'ünï',
  '日本',
  '𝒳',
  'a/b?c',
  '\u2028',
  'x'.repeat(512),
];

let real: RealBackend;

beforeAll(async () => {
  real = await openBackend();
  await real.backend.createIndex('books', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: {
        title: { type: 'text' },
        tag: { type: 'keyword', ignore_above: 5 },
        n: { type: 'long', ignore_malformed: true },
        at: { type: 'date' },
        v: { type: 'dense_vector', dims: 2 },
        f: { type: 'float' },
        d: { type: 'double' },
        u: { type: 'unsigned_long' },
        flag: { type: 'boolean' },
        id_no: { type: 'keyword' },
      },
    },
  });
  const words = ['red', 'green', 'blue', 'deep "sea"', 'sky\n'];
  for (const [i, id] of IDS.entries()) {
    const document = {
      title: Array.from(
        { length: 1 + (i % 4) },
        (_, at) => words[(i * 3 + at) % words.length],
      ).join(' '),
      tag: ['abc', 'too long for it'][i % 2],
      n: i % 3 === 0 ? 'none' : i,
      at: `2026-01-${10 + i}`,
      v: [1, i],
      ...(i % 4 === 0
        ? {}
        : { f: i / 3, d: [1e21, -1e-9, 1 / 3, 5e300][i % 4], u: `${2n ** 63n + BigInt(i)}` }),
      ...(i % 5 === 0 ? {} : { flag: i % 2 === 0 }),
      id_no: id,
    };
    const routing = i % 4 === 1 ? { routing: `r"${i}` } : {};
    await real.backend.write(
      { op: 'index', index: 'books', id, source: json(document), ...routing },
      { refresh: 'false' },
    );
  }
  await real.backend.refresh('books', {});
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

async function answer(body: JsonObject, hitsJson: boolean): Promise<[SearchResult, string]> {
  const result = await real.backend.search({ index: 'books', body, hitsJson });
  const reply = await searchReply({ ...result, tookMs: 0 }, FORMAT);
  return [result, reply.toString('utf8')];
}

const query = fc.oneof(
  fc.constant({ match_all: {} }),
  fc
    .record({
      word: fc.constantFrom('red', 'green', 'sky', 'none'),
      boost: fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }),
    })
    .map(({ word, boost }) => ({
      match: { title: { query: word, boost, _name: `of "${word}"` } },
    })),
  fc
    .float({ min: 0, noNaN: true, noDefaultInfinity: true })
    .map((boost) => ({ constant_score: { filter: { exists: { field: 'title' } }, boost } })),
);
const body = fc.record(
  {
    query,
    from: fc.integer({ min: 0, max: 4 }),
    size: fc.integer({ min: 1, max: 12 }),
    version: fc.boolean(),
    seq_no_primary_term: fc.boolean(),
    track_total_hits: fc.constantFrom(true, false, 3),
    _source: fc.constantFrom<JsonObject[string]>(true, false, ['title'], {
      excludes: ['v', 'title'],
    }),
    fields: fc.constantFrom<JsonObject[string]>(['tag', 'n'], ['at'], ['_routing']),
    docvalue_fields: fc.constantFrom<JsonObject[string]>(['at', 'n']),
    highlight: fc.constant({ fields: { title: {} } }),
    include_named_queries_score: fc.boolean(),
    profile: fc.constant(false),
    sort: fc.constantFrom<JsonObject[string]>(
      ['_score'],
      ['n'],
      [{ tag: { order: 'desc', missing: '_first' } }, { _doc: 'asc' }],
      [{ at: { format: 'yyyy/MM/dd' } }, '_score'],
      [{ _score: 'asc' }, { at: 'desc' }],
      [{ f: { missing: 0.1 } }, { n: { numeric_type: 'double' } }],
      [{ u: 'desc' }, { flag: { missing: '_last' } }, { d: 'asc' }],
      [{ unknown: { unmapped_type: 'long' } }, 'id_no'],
      [{ _script: { type: 'number', script: "doc['n'].size() + _score" } }, 'id_no'],
    ),
    track_scores: fc.boolean(),
    min_score: fc.constantFrom(0, 0.5),
  },
  { requiredKeys: ['query', 'size'] },
);

test('texts are what is made of documents', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (requested) => {
      const [texts, shown] = await answer(requested as JsonObject, true);
      const [documents, expected] = await answer(requested as JsonObject, false);
      expect(texts.hitsJson).toBeDefined();
      expect(documents.hitsJson).toBeUndefined();
      expect(shown).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

const knn = { field: 'v', query_vector: [1, 2], k: 3, num_candidates: 5 };

test.each<[string, JsonObject]>([
  ['neighbours', { knn }],
  ['more than there are neighbours', { knn, size: 5, from: 1 }],
  ['none of the neighbours', { knn, from: 3 }],
  ['words and neighbours', { knn, query: { match: { title: 'red' } } }],
  ['sorted neighbours', { knn, sort: ['n'] }],
  ['what comes after', { sort: ['n', 'id_no'], search_after: [3, '1'] }],
])('%s come as texts', async (_name, requested) => {
  const [result, shown] = await answer(requested, true);
  expect(result.hitsJson).toBeDefined();
  const [, expected] = await answer(requested, false);
  expect(shown).toBe(expected);
});

test.each<[string, JsonObject]>([
  ['explanations', { explain: true }],
  ['groups', { collapse: { field: 'tag' } }],
  ['rescored hits', { rescore: { query: { rescore_query: { match: { title: 'red' } } } } }],
  ['no hits', { size: 0 }],
  ['hits without ids', { stored_fields: '_none_' }],
  ['formatted numbers', { docvalue_fields: [{ field: 'n', format: '0.0' }] }],
  [
    'fused lists',
    {
      retriever: {
        rrf: {
          retrievers: [
            { standard: { query: { match: { title: 'red' } } } },
            { knn: { field: 'v', query_vector: [1, 2], k: 2, num_candidates: 5 } },
          ],
        },
      },
    },
  ],
])('%s come as documents', async (_name, requested) => {
  const [result, shown] = await answer(requested, true);
  expect(result.hitsJson).toBeUndefined();
  const [, expected] = await answer(requested, false);
  expect(shown).toBe(expected);
});
