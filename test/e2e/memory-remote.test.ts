// A namespace with a remote embedder of the caller: every mode, duplicates, and requests while the
// service is down.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type EmbeddingsService,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let service: EmbeddingsService;
let server: TestServer;

beforeAll(async () => {
  service = await startEmbeddingsService();
  server = await startServer({
    args: ['--inference.max_retries', '0', '--inference.cache_bytes', '0'],
  });
  const inference_endpoint = { url: service.url, model: 'm' };
  const put = await server.call('PUT', '/_memory/far', { inference_endpoint });
  expect(put.status, put.text).toBe(200);
  expect(put.json.settings).toEqual({
    analyzer: 'memory',
    link_sessions: true,
    detect: false,
    inference_endpoint,
  });
  for (const [id, text] of Object.entries(TEXTS)) {
    const reply = await tell({ id, text, metadata: { session: 's' } });
    expect(reply.status, reply.text).toBe(201);
  }
});
afterAll(async () => {
  await server?.stop();
  await service?.stop();
});
beforeEach(() => {
  service.behave(undefined);
});

const TEXTS = { boat: 'a red boat', tea: 'green tea at noon', sea: 'boats at sea' };

const tell = (body: object): Promise<Reply> => server.call('POST', '/_memory/far', body);

async function ids(body: object): Promise<string[]> {
  const reply = await server.call('POST', '/_memory/far/_recall', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.map(({ id }: { id: string }) => id);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

test('meaning is what the service says', async () => {
  const query = 'tea in a boat';
  const reply = await server.call('POST', '/_memory/far/_recall', { query, semantic: true });
  expect(reply.status, reply.text).toBe(200);
  for (const { text, score } of reply.json.hits) {
    expect(score).toBeCloseTo((1 + cosine(vectorOf(query), vectorOf(text))) / 2, 5);
  }
  expect(reply.json.hits).toHaveLength(3);
});

test('hybrid, recency and graph go together', async () => {
  const body = { query: 'red boat', hybrid: true, recency_weight: 0.1, graph: { mode: 'blend' } };
  expect((await ids(body)).sort()).toEqual(['boat', 'sea', 'tea']);
});

test('duplicates are judged by its vectors and by the words', async () => {
  expect((await tell({ text: 'A red boat!', dedup: true })).json).toMatchObject({
    id: 'boat',
    deduplicated: true,
    score: 1,
  });
  const other = await tell({ text: 'not a red boat', dedup: true, dedup_threshold: 0.8 });
  expect(other.json).toMatchObject({ created: false, id: 'boat' });
  expect(other.json.score).toBeLessThanOrEqual(0.9);
});

test('while it is down nothing is stored and nothing is replaced', async () => {
  service.behave(() => ({ status: 503, body: 'down' }));
  const refused = await tell({ text: 'something new' });
  expect(refused).toMatchObject({ status: 502, json: { error: { type: 'inference_exception' } } });
  const replacing = await tell({ id: 'later', vector: [1, 2], supersedes: ['boat', 'sea'] });
  expect(replacing.status, replacing.text).toBe(502);
  expect(await ids({})).toEqual(['sea', 'tea', 'boat']);
  expect(await ids({ query: 'boat' })).toEqual(['boat', 'sea']);
  expect((await server.call('GET', '/_graph/far/ego?node=later')).json.links).toEqual([]);
  const requested = await server.call('POST', '/_memory/far/_recall', {
    query: 'x',
    semantic: true,
  });
  expect(requested.status).toBe(502);
});

test('the model cannot change under memories', async () => {
  const put = await server.call('PUT', '/_memory/far', { dims: 16 });
  expect(put).toMatchObject({
    status: 400,
    json: { error: { type: 'illegal_argument_exception' } },
  });
  expect((await server.call('PUT', '/_memory/far', { link_sessions: false })).status).toBe(200);
});
