// Rerankers over real HTTP: registered and asked, in recalls and in searches; one that fails leaves
// the order and is reported.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RerankService, startRerankService } from '../tools/rerank-service.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let service: RerankService;
let server: TestServer;

const TEXTS = ['boat', 'boat in the harbor', 'a boat', 'the red boat of my aunt', 'no such thing'];

beforeAll(async () => {
  service = await startRerankService();
  server = await startServer({ args: ['--inference.timeout_ms', '2000'] });
  const put = await server.call('PUT', '/_inference/rerank/long', {
    service: 'jinaai',
    service_settings: { url: service.url, model_id: 'm' },
  });
  expect(put.status, put.text).toBe(200);
  for (const [i, text] of TEXTS.entries()) {
    await server.call('POST', '/_memory/talk', { id: `m${i}`, text });
    await server.call('PUT', `/docs/_doc/d${i}?refresh=true`, { body: text, n: i });
  }
});
afterAll(async () => {
  await server?.stop();
  await service?.stop();
});
beforeEach(() => {
  service.answer = undefined;
  service.requests.length = 0;
});

describe('an endpoint', () => {
  test('is registered by its task, listed and removed', async () => {
    const listed = await server.call('GET', '/_inference/rerank');
    expect(listed.json.endpoints).toEqual([
      {
        inference_id: 'long',
        task_type: 'rerank',
        service: 'jinaai',
        service_settings: { url: `${service.url}/rerank`, model_id: 'm' },
      },
    ]);
    const short = { url: service.url };
    const put = await server.call('PUT', '/_inference/rerank/short', short);
    expect(put.json).toMatchObject({ task_type: 'rerank', service: 'jinaai' });
    const embedders = await server.call('GET', '/_inference/text_embedding');
    expect(embedders.text).not.toContain('"long"');
    expect((await server.call('GET', '/_inference/text_embedding/short')).status).toBe(404);
    expect((await server.call('DELETE', '/_inference/rerank/short')).status).toBe(200);
  });

  test('ranks texts', async () => {
    const body = { query: 'boat', input: ['a', 'aaaa', 'aa'], top_n: 2, return_documents: true };
    const reply = await server.call('POST', '/_inference/rerank/long', body);
    expect(reply.json).toEqual({
      rerank: [
        { index: 1, relevance_score: 0.04, text: 'aaaa' },
        { index: 2, relevance_score: 0.02, text: 'aa' },
      ],
    });
    expect(service.requests).toMatchObject([
      { path: '/v1/rerank', model: 'm', query: 'boat', documents: ['a', 'aaaa', 'aa'], top_n: 2 },
    ]);
  });

  test.each([
    ['rerank/x', { service: 'openai', service_settings: { model_id: 'm' } }, 'task type'],
    ['text_embedding/x', { service: 'cohere', service_settings: {} }, 'task type [rerank]'],
    ['rerank/x', { service: 'cohere', service_settings: { api_key: 'k' } }, 'api_key_env'],
    ['rerank/x', { service: 'jinaai', service_settings: { dimensions: 3 } }, 'dimensions'],
    ['rerank/x', { url: 'ftp://a' }, 'http or https'],
    ['rerank/x', { url: 'http://a', dims: 3 }, '[dims]'],
    ['completion/x', { service: 'cohere' }, '[completion] is not supported'],
  ])('refuses %s %j', async (path, body, reason) => {
    const reply = await server.call('PUT', `/_inference/${path}`, body);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
  });

  test.each([
    [{ input: ['a'] }, '[query]'],
    [{ query: ' ', input: ['a'] }, '[query]'],
    [{ query: 'a' }, '[input]'],
    [{ query: 'a', input: [] }, '[input]'],
    [{ query: 'a', input: ['a'], top_n: 0 }, '[top_n]'],
    [{ query: 'a', input: ['a'], return_documents: 1 }, '[return_documents]'],
    [{ query: 'a', input: ['a'], model: 'x' }, '[model]'],
  ])('refuses to rank %j', async (body, reason) => {
    const reply = await server.call('POST', '/_inference/rerank/long', body);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
  });

  test('embeds no field', async () => {
    const mappings = { properties: { t: { type: 'semantic_text', inference_id: 'long' } } };
    const reply = await server.call('PUT', '/fields', { mappings });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('makes no vectors');
  });
});

async function recall(body: object): Promise<Reply['json']> {
  const reply = await server.call('POST', '/_memory/talk/_recall', { query: 'boat', ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}
const idsOf = ({ hits }: Reply['json']): string[] =>
  hits.map(({ id, _id }: { id?: string; _id?: string }) => id ?? _id);

const FAILURES: readonly (readonly [string, { status?: number; body: unknown }])[] = [
  ['a status', { status: 500, body: { message: 'down' } }],
  ['no JSON', { body: 'hello' }],
  ['no results', { body: {} }],
  ['a place that no document has', { body: { results: [{ index: 9, relevance_score: 1 }] } }],
  ['a place twice', { body: { results: [0, 0].map((index) => ({ index, relevance_score: 1 })) } }],
  ['no score', { body: { results: [{ index: 0 }] } }],
];

describe('a recall', () => {
  test.each([
    {},
    { semantic: true },
    { hybrid: true },
  ])('%j: the first are in the new order', async (mode) => {
    const answer = await recall({ ...mode, rerank: { inference_id: 'long', top: 4 } });
    expect(idsOf(answer).slice(0, 4)).toEqual(['m3', 'm1', 'm2', 'm0']);
    expect(answer.rerank).toEqual({ inference_id: 'long', top: 4, applied: true });
    expect(answer.hits[0].rerank_score).toBeCloseTo(0.23, 6);
    expect(service.requests[0]).toMatchObject({ query: 'boat', top_n: 4 });
  });

  test('those behind the first keep their order, and a page is cut afterwards', async () => {
    const plain = idsOf(await recall({}));
    const two = await recall({ rerank: { inference_id: 'long', top: 2 } });
    expect(idsOf(two).slice(2)).toEqual(plain.slice(2));
    expect(idsOf(two).slice(0, 2).sort()).toEqual(plain.slice(0, 2).sort());
    const page = await recall({ k: 1, rerank: { inference_id: 'long' } });
    expect(idsOf(page)).toEqual(['m3']);
  });

  test('documents that the reranker leaves out come after the ranked ones', async () => {
    service.answer = { body: { results: [{ index: 2, relevance_score: -3 }] } };
    const plain = idsOf(await recall({}));
    const answer = idsOf(await recall({ rerank: { inference_id: 'long' } }));
    expect(answer).toEqual([plain[2], plain[0], plain[1], plain[3]]);
  });

  test.each(FAILURES)('%s leaves the order and is reported', async (_what, answer) => {
    const plain = await recall({});
    service.answer = answer;
    const failed = await recall({ rerank: { inference_id: 'long' } });
    expect(failed.hits).toEqual(plain.hits);
    expect(failed.rerank).toMatchObject({ applied: false, error: { type: 'inference_exception' } });
  });

  test.each([
    [{ rerank: { inference_id: 'nobody' } }, 404, 'not found [nobody]'],
    [{ rerank: { inference_id: 'svc-lex-1' } }, 400, 'expected one of [rerank]'],
    [{ rerank: {} }, 400, '[rerank.inference_id] is missing'],
    [{ rerank: { inference_id: 'long', top: 0 } }, 400, '[rerank.top]'],
    [{ rerank: { inference_id: 'long', top: 201 } }, 400, '200'],
    [{ rerank: { inference_id: 'long', n: 1 } }, 400, '[n]'],
    [{ query: ' ', rerank: { inference_id: 'long' } }, 400, '[query]'],
  ])('refuses %j', async (body, status, reason) => {
    const reply = await server.call('POST', '/_memory/talk/_recall', { query: 'boat', ...body });
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(reason)]);
  });
});

describe('text_similarity_reranker', () => {
  const inner = { standard: { query: { match: { body: 'boat' } } } };
  const reranker = {
    retriever: inner,
    field: 'body',
    inference_id: 'long',
    inference_text: 'boat',
  };
  const search = (options: object, more: object = {}): Promise<Reply> =>
    server.call('POST', '/docs/_search', {
      retriever: { text_similarity_reranker: { ...reranker, ...options } },
      ...more,
    });

  test('puts the hits in order and scores them', async () => {
    const { json } = await search({});
    expect(idsOf(json.hits)).toEqual(['d3', 'd1', 'd2', 'd0']);
    expect(json.hits.max_score).toBeCloseTo(0.23, 6);
    expect(json.hits.hits[0]).toEqual({
      _index: 'docs',
      _id: 'd3',
      _score: expect.closeTo(0.23, 6),
      _source: { body: TEXTS[3], n: 3 },
    });
    expect(json.rerank).toBeUndefined();
  });

  test('a window, a minimum, a filter, a page, and fields that are asked for', async () => {
    expect(idsOf((await search({ min_score: 0.05 })).json.hits)).toEqual(['d3', 'd1', 'd2']);
    const filtered = await search({ filter: { range: { n: { lt: 3 } } } });
    expect(idsOf(filtered.json.hits)).toEqual(['d1', 'd2', 'd0']);
    const page = await search({}, { from: 1, size: 2, fields: ['body'] });
    expect(idsOf(page.json.hits)).toEqual(['d1', 'd2']);
    expect(page.json.hits.hits[0].fields).toEqual({ body: [TEXTS[1]] });
    await search({ rank_window_size: 2 }, { size: 2 });
    expect(service.requests.at(-1)?.documents).toHaveLength(2);
  });

  test('ranks fused lists', async () => {
    const rrf = { rrf: { retrievers: [inner, inner] } };
    expect(idsOf((await search({ retriever: rrf })).json.hits)[0]).toBe('d3');
  });

  test.each(FAILURES)('%s leaves the order and is reported', async (_what, answer) => {
    const plain = await server.call('POST', '/docs/_search', { retriever: inner });
    service.answer = answer;
    const failed = await search({});
    expect(failed.status).toBe(200);
    expect(idsOf(failed.json.hits)).toEqual(idsOf(plain.json.hits));
    expect(failed.json.rerank).toMatchObject({ inference_id: 'long', applied: false });
  });

  test.each([
    [{ inference_id: 'nobody' }, 404, 'nobody'],
    [{ inference_id: undefined }, 400, '[inference_id]'],
    [{ field: undefined }, 400, '[field]'],
    [{ inference_text: ' ' }, 400, '[inference_text]'],
    [{ retriever: undefined }, 400, '[retriever]'],
    [{ rank_window_size: 3 }, 400, 'rank_window_size: 3'],
    [{ nope: 1 }, 400, 'nope'],
    [
      { retriever: { rrf: { retrievers: [{ text_similarity_reranker: reranker }] } } },
      400,
      'put it outermost',
    ],
  ])('refuses %j', async (options, status, reason) => {
    const reply = await search(options);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(reason)]);
  });
});
