// Limits of searches over HTTP: a changed setting applies from the next request on, also for
// repeated bodies, cached results and points in time; and the core supports the largest values that
// can be set.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

/** Greater than any year. */
const FAR = 10_000_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const mappings = {
    properties: { k: { type: 'keyword' }, n: { type: 'integer' }, at: { type: 'date' } },
  };
  for (const index of ['a', 'b']) await server.call('PUT', `/${index}`, { mappings });
  for (const n of [1, 2, 3])
    await server.call('PUT', `/a/_doc/${n}?refresh=true`, { k: 'a'.repeat(n), n, at: FAR + n });
});
afterAll(() => server.stop());

const search = (body: object, index = 'a'): Promise<Reply> =>
  server.call('POST', `/${index}/_search`, body);
const put = async (settings: object): Promise<void> => {
  expect((await server.call('PUT', '/a/_settings', settings)).status).toBe(200);
};

const three = { terms: { n: [1, 2, 3] } };

describe('a limit that is lowered', () => {
  test.each<[string, number, object]>([
    ['index.max_terms_count', 2, { query: three }],
    ['index.max_terms_count', 2, { size: 0, aggs: { f: { filter: three } } }],
    ['index.max_terms_count', 2, { size: 0, query: three }],
    ['index.max_regex_length', 2, { query: { regexp: { k: 'a.*' } } }],
    ['index.max_inner_result_window', 2, { aggs: { x: { top_hits: {} } } }],
    [
      'index.max_inner_result_window',
      2,
      { collapse: { field: 'k', inner_hits: { name: 'i', size: 3 } } },
    ],
    ['index.max_script_fields', 0, { query: three, script_fields: { a: { script: '1' } } }],
    [
      'index.top_metrics_max_size',
      1,
      { aggs: { x: { top_metrics: { metrics: { field: 'n' }, sort: 'n', size: 2 } } } },
    ],
    [
      'index.max_rescore_window',
      9,
      { rescore: { query: { rescore_query: { match_all: {} } } }, query: three },
    ],
  ])('[%s] of %i refuses the next search, in both of two indexes: %o', async (key, limit, body) => {
    for (let n = 0; n < 3; n++) expect((await search(body)).status).toBe(200);
    await put({ [key]: limit });
    for (const index of ['a', 'a,b']) {
      const { status, json } = await search(body, index);
      expect(status).toBe(400);
      expect(json.error.root_cause[0].type).toBe('illegal_argument_exception');
      expect(json.error.root_cause[0].reason).toContain(`[${key}]`);
    }
    expect((await search(body, 'b')).status).toBe(200);
    await put({ [key]: null });
    expect((await search(body)).status).toBe(200);
  });

  test('counts for counts, and for points in time', async () => {
    const { id } = (await server.call('POST', '/a/_pit?keep_alive=1m')).json;
    const pinned = { pit: { id }, query: three };
    const count = { query: three };
    expect((await server.call('POST', '/_search', pinned)).json.hits.total.value).toBe(3);
    expect((await server.call('POST', '/a/_count', count)).json.count).toBe(3);
    await put({ 'index.max_terms_count': 2 });
    expect((await server.call('POST', '/_search', pinned)).status).toBe(400);
    expect((await server.call('POST', '/a/_count', count)).status).toBe(400);
    await put({ 'index.max_terms_count': null });
    expect((await server.call('POST', '/_search', pinned)).status).toBe(200);
  });
});

describe('the largest limit', () => {
  test('[index.max_regex_length] is one that the core bears', async () => {
    await put({ 'index.max_regex_length': 10_000 });
    const patterns = [
      'a?'.repeat(5000),
      '(a|b)*'.repeat(1666),
      `${'a|'.repeat(4999)}aa`,
      `(a|b)*a${'(a|b)'.repeat(1998)}`,
      `${'a{0,1000}'.repeat(1111)}`,
      '~a'.repeat(5000),
      'a&'.repeat(4999),
    ];
    for (const pattern of patterns) {
      const query = { regexp: { k: { value: pattern } } };
      const { status } = await search({ query, timeout: '10s' });
      expect([pattern.slice(0, 10), [200, 400].includes(status)]).toEqual([
        pattern.slice(0, 10),
        true,
      ]);
    }
    const whole = { query: { regexp: { k: `a{2}|${'b'.repeat(9995)}` } } };
    expect((await search(whole)).json.hits.total.value).toBe(1);
  });

  test('[index.max_terms_count] is one that the core bears', async () => {
    await put({ 'index.max_terms_count': 1_048_576 });
    const most = Array.from({ length: 1_048_576 }, (_, n) => FAR + n + 2);
    // Dates are the most expensive: each is a range of its own.
    const found = await search({ query: { terms: { at: most } } });
    expect([found.status, found.json.hits?.total.value]).toEqual([200, 2]);
    const { status, json } = await search({ query: { terms: { at: [...most, 1] } } });
    expect([status, json.error.root_cause[0].type]).toEqual([400, 'illegal_argument_exception']);
  });
});
