// Chains of components that multiply text: every operation that analyzes a text with one fails with
// the name of the component, and writes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

const times = (count: number, name: string): readonly string[] => new Array(count).fill(name);
const ANALYSIS = {
  char_filter: { big: { type: 'mapping', mappings: [`a => ${'a'.repeat(36)}`] } },
  filter: { runs: { type: 'shingle', min_shingle_size: 2, max_shingle_size: 4 } },
  analyzer: {
    chars: { type: 'custom', tokenizer: 'keyword', char_filter: times(8, 'big') },
    tokens: { type: 'custom', tokenizer: 'ngram', filter: times(6, 'runs') },
  },
  normalizer: { chars: { type: 'custom', char_filter: times(8, 'big') } },
};
const BIG = 'char_filter [big] of type [mapping] makes more than';
const RUNS = 'filter [runs] of type [shingle] makes more than';
/** Each component makes more of it than a text of its length is allowed to become. */
const TEXT = 'a'.repeat(50);

beforeAll(async () => {
  server = await startServer();
  const properties = {
    chars: { type: 'text', analyzer: 'chars' },
    tokens: { type: 'text', analyzer: 'tokens' },
    multi: { type: 'text', fields: { chars: { type: 'text', analyzer: 'chars' } } },
    normal: { type: 'keyword', normalizer: 'chars' },
    typed: { type: 'completion', analyzer: 'chars' },
    plain: { type: 'text', search_analyzer: 'chars', analyzer: 'standard' },
    plain_typed: { type: 'completion', analyzer: 'simple', search_analyzer: 'chars' },
    ends: { type: 'search_as_you_type', analyzer: 'chars' },
  };
  const body = { settings: { analysis: ANALYSIS }, mappings: { dynamic: false, properties } };
  const made = await server.call('PUT', '/chains', body);
  expect(made.status, made.text).toBe(200);
  const there = { plain: `${TEXT} b`, plain_typed: 'b' };
  expect((await server.call('PUT', '/chains/_doc/there?refresh=true', there)).status).toBe(201);
});
afterAll(() => server?.stop());

const count = async (): Promise<number> =>
  (await server.call('GET', '/chains/_count')).json.count as number;

describe('a document over the budget is refused, and is not there', () => {
  test.each([
    ['chars', BIG],
    ['tokens', RUNS],
    ['multi', BIG],
    ['normal', BIG],
    ['typed', BIG],
    ['ends', BIG],
  ])('by the field %s', async (field, reason) => {
    const document = { [field]: TEXT };
    const reply = await server.call('PUT', '/chains/_doc/new?refresh=true', document);
    expect([reply.status, reply.json.error.type], reply.text).toEqual([
      400,
      'document_parsing_exception',
    ]);
    expect(reply.text).toContain(reason);
    const update = { doc: document, doc_as_upsert: true };
    expect((await server.call('POST', '/chains/_update/new', update)).status).toBe(400);
    const change = await server.call('POST', '/chains/_update/there', { doc: document });
    expect(change.status).toBe(400);
    const lines = [{ index: { _id: 'one' } }, { plain: 'x' }, { index: { _id: 'new' } }, document];
    const items = await server.call(
      'POST',
      '/chains/_bulk?refresh=true',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      { 'content-type': 'application/x-ndjson' },
    );
    const statuses = items.json.items.map(
      (item: { index: { status: number } }) => item.index.status,
    );
    expect(statuses).toEqual([expect.any(Number), 400]);
    expect(statuses[0]).toBeLessThan(300);
    expect((await server.call('GET', '/chains/_doc/new')).status).toBe(404);
    const there = await server.call('GET', '/chains/_doc/there');
    expect(there.json).toMatchObject({ _version: 1, _source: { plain_typed: 'b' } });
    await server.call('DELETE', '/chains/_doc/one?refresh=true');
    expect(await count()).toBe(1);
  });
});

describe('a search over the budget is refused', () => {
  const QUERIES: readonly [string, object][] = [
    ['match', { match: { plain: TEXT } }],
    ['match_phrase', { match_phrase: { plain: TEXT } }],
    ['match_phrase_prefix', { match_phrase_prefix: { plain: TEXT } }],
    ['match_bool_prefix', { match_bool_prefix: { plain: TEXT } }],
    ['multi_match', { multi_match: { query: TEXT, fields: ['plain', 'chars'] } }],
    ['cross_fields', { multi_match: { query: TEXT, fields: ['plain'], type: 'cross_fields' } }],
    ['query_string', { query_string: { query: TEXT, default_field: 'plain' } }],
    ['simple_query_string', { simple_query_string: { query: TEXT, fields: ['plain'] } }],
    ['term of a normalizer', { term: { normal: TEXT } }],
    ['terms of a normalizer', { terms: { normal: [TEXT] } }],
    ['prefix of a normalizer', { prefix: { normal: TEXT } }],
    ['range of a normalizer', { range: { normal: { gte: TEXT } } }],
    ['an analyzer of the query', { match: { plain: { query: TEXT, analyzer: 'chars' } } }],
  ];
  test.each(QUERIES)('%s', async (_name, query) => {
    const reply = await server.call('POST', '/chains/_search', { query });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(BIG);
  });

  test('completion', async () => {
    const suggest = { s: { prefix: TEXT, completion: { field: 'plain_typed' } } };
    const reply = await server.call('POST', '/chains/_search', { suggest });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(BIG);
  });

  test.each(['term', 'phrase'])('a %s suggester', async (kind) => {
    const suggest = { s: { text: TEXT, [kind]: { field: 'plain', analyzer: 'chars' } } };
    const reply = await server.call('POST', '/chains/_search', { suggest });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(BIG);
  });

  test('a highlighter that analyses with another chain', async () => {
    const body = {
      query: { match: { plain: { query: 'b', analyzer: 'standard' } } },
      highlight: {
        fields: { plain: { highlight_query: { match: { plain: TEXT } } } },
      },
    };
    const reply = await server.call('POST', '/chains/_search', body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.text).toContain(BIG);
  });
});

describe('_analyze over the budget is refused', () => {
  test.each<[string, string, object, string]>([
    ['an analyzer of the index', '/chains/_analyze', { analyzer: 'chars', text: TEXT }, BIG],
    ['tokens of the index', '/chains/_analyze', { analyzer: 'tokens', text: TEXT }, RUNS],
    ['a field', '/chains/_analyze', { field: 'multi.chars', text: TEXT }, BIG],
    ['a normalizer', '/chains/_analyze', { normalizer: 'chars', text: TEXT }, BIG],
    ['one of several texts', '/chains/_analyze', { analyzer: 'chars', text: ['b', TEXT] }, BIG],
    [
      'parts, explained',
      '/chains/_analyze',
      { tokenizer: 'keyword', char_filter: times(8, 'big'), text: TEXT, explain: true },
      BIG,
    ],
    [
      'parts without an index',
      '/_analyze',
      {
        tokenizer: 'keyword',
        char_filter: times(8, '').map(() => ANALYSIS.char_filter.big),
        text: TEXT,
      },
      'char_filter',
    ],
  ])('by %s', async (_name, path, body, reason) => {
    const reply = await server.call('POST', path, body);
    expect([reply.status, reply.json.error.type], reply.text).toEqual([
      400,
      'illegal_argument_exception',
    ]);
    expect(reply.json.error.reason).toContain(reason);
  });
});

test('texts of ordinary chains pass whatever their length', async () => {
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(20_000);
  const properties = { t: { type: 'text', analyzer: 'english' } };
  await server.call('PUT', '/long', { mappings: { properties } });
  await bulk(server, '/long/_bulk?refresh=true', [
    JSON.stringify({ index: { _id: '1' } }),
    JSON.stringify({ t: text }),
  ]);
  expect((await server.call('GET', '/long/_count')).json.count).toBe(1);
});
