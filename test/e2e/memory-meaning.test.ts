// Semantic functions of memory, with the vectors of the built-in embedder.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  for (const [i, text] of TEXTS.entries()) {
    const metadata = { session: 's', said_at: i };
    const reply = await server.call('POST', '/_memory/talk', { id: `m${i}`, text, metadata });
    expect(reply.status, reply.text).toBe(201);
  }
});
afterAll(async () => {
  await server?.stop();
});

const TEXTS = [
  'the red boat',
  'a boat and a boat again',
  'nothing of that',
  'red wine with the fish',
  'they painted their boats',
];

async function hitsOf(body: object): Promise<Reply['json']> {
  const reply = await server.call('POST', '/_memory/talk/_recall', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits;
}

test('semantic: the stored texts’ vectors against the query’s', async () => {
  const body = { query: 'bats painted red', semantic: true, k: 3 };
  const reply = await server.call('POST', '/_memory/talk/_recall', body);
  expect(reply.json.hits).toHaveLength(3);
  expect(reply.json.not_shown.k).toBe(2);
  const search = await server.call('POST', '/.svc-memory-talk/_search', {
    query: { semantic: { field: 'text', query: 'bats painted red', k: 3 } },
  });
  const pairs = (hits: readonly { id?: string; _id?: string; score?: number; _score?: number }[]) =>
    hits.map(({ id, _id, score, _score }) => [id ?? _id, score ?? _score]);
  expect(pairs(reply.json.hits)).toEqual(pairs(search.json.hits.hits));
});

test('hybrid without context: half words, half meaning, each divided by its best', async () => {
  const query = 'red boats again';
  const scaled = async (
    body: object,
    scoreOf: (score: number) => number,
  ): Promise<Map<string, number>> => {
    const hits: { id: string; score: number }[] = await hitsOf({ query, k: 50, ...body });
    const scores = hits.map(({ score }) => Math.max(0, scoreOf(score)));
    const best = Math.max(...scores);
    return new Map(hits.map(({ id }, i) => [id, (scores[i] ?? 0) / best]));
  };
  const words = await scaled({}, (score) => score);
  const meaning = await scaled({ semantic: true }, (score) => 2 * score - 1);
  const hits = await hitsOf({ query, hybrid: true, context: false });
  expect(hits).toHaveLength(5);
  for (const { id, score } of hits) {
    expect(score).toBeCloseTo(((words.get(id) ?? 0) + (meaning.get(id) ?? 0)) / 2, 5);
  }
});

test.each(['semantic', 'hybrid'])('%s goes with recency and graph', async (mode) => {
  const graph = { mode: 'blend', hops: 2 };
  const body = { query: 'boat', [mode]: true, recency_weight: 0.2, graph, explain: true };
  const hits = await hitsOf(body);
  expect(hits).toHaveLength(5);
  for (const { score, explanation } of hits) {
    expect(explanation.parts.relevance + explanation.parts.recency).toBe(score);
  }
});

test('a namespace may name the second recipe of the built-in embedder', async () => {
  const settings = await server.call('PUT', '/_memory/tea', { inference_id: 'svc-lex-2' });
  expect(settings.json.settings).toMatchObject({ inference_id: 'svc-lex-2', dims: 1024 });
  const memories = ['王芳总是点绿茶', '李娜周末去游泳', '张伟的手机掉进了湖里'];
  for (const [i, text] of memories.entries()) {
    const reply = await server.call('POST', '/_memory/tea', { id: `t${i}`, text });
    expect(reply.status, reply.text).toBe(201);
  }
  const recall = { query: '谁在游', semantic: true, k: 1 };
  const { json } = await server.call('POST', '/_memory/tea/_recall', recall);
  expect(json.hits[0].id).toBe('t1');
  const mapping = (await server.call('GET', '/.svc-memory-tea/_mapping')).json;
  const { text } = mapping['.svc-memory-tea'].mappings.properties;
  expect(text).toMatchObject({ embedder: 'svc-lex-2', dims: 1024 });
  // Duplicates are found by vectors of the same recipe, not by a search.
  const again = { text: '王芳总是点绿茶了', dedup: true, dedup_threshold: 0.8 };
  expect((await server.call('POST', '/_memory/tea', again)).json).toMatchObject({
    id: 't0',
    deduplicated: true,
  });
  const audit = await server.call('POST', '/_memory/tea/_audit', {});
  expect(audit.json.near_duplicates.skipped).toBeUndefined();
  const late = await server.call('PUT', '/_memory/tea', { inference_id: 'svc-lex-1' });
  expect(late.status).toBe(400);
});
