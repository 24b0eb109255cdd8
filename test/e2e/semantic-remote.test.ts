// Semantic clauses on a field with a remote embedder: the text of a search is sent to shards with
// its vector.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddingsService, startEmbeddingsService } from '../tools/embeddings-service.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const TEXTS = [
  'a hungry dog chased the ball across the green park',
  'the dog sleeps in the park',
  'investors sold technology shares amid rising interest rates',
  'central banks raised interest rates again',
];

let server: TestServer;
let service: EmbeddingsService;

interface Hit {
  readonly _id: string;
}

beforeAll(async () => {
  service = await startEmbeddingsService();
  server = await startServer();
  const remote = { inference_endpoint: { url: service.url, model: 'mini' } };
  const properties = {
    far: { type: 'semantic_text', ...remote },
    body: { type: 'semantic_text' },
    title: { type: 'text' },
  };
  const lines = TEXTS.flatMap((text, i) => [
    JSON.stringify({ index: { _id: String(i) } }),
    JSON.stringify({ body: text, far: text, title: text }),
  ]);
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const settings = { number_of_shards: shards };
    const made = await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
    expect(made.status, made.text).toBe(200);
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  }
});
afterAll(async () => {
  await server?.stop();
  await service?.stop();
});

const like = { field: 'body', query: 'a hungry dog chases a green ball' };

async function hitsOf(index: string, body: object): Promise<readonly Hit[]> {
  const reply = await server.call('POST', `/${index}/_search`, { _source: false, ...body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits;
}
const ids = (hits: readonly Hit[]) => hits.map(({ _id }) => _id);

describe('a field that a service embeds', () => {
  const semantic = { ...like, field: 'far' };

  test.each(['one', 'three'])('is searched with its vectors in %s', async (index) => {
    service.forget();
    const hits = await hitsOf(index, { query: { semantic } });
    expect(hits).toHaveLength(TEXTS.length);
    // No other text contains as many of the words.
    expect(ids(hits)[0]).toBe('0');
    const requested = service.requests.flatMap(({ input }) => input);
    expect(requested.length).toBeLessThanOrEqual(1);
  });

  test('is a list beside one of the built-in embedder', async () => {
    const queries = [{ semantic }, { semantic: like }, { match: { title: 'ball' } }];
    const hits = await hitsOf('one,three', { query: { hybrid: { queries, fusion: 'rrf' } } });
    expect(hits[0]?._id).toBe('0');
  });

  test('fails with the service, and searches of other fields go on', async () => {
    service.behave(() => ({ status: 400, body: { error: { message: 'no' } } }));
    try {
      const query = { semantic: { ...semantic, query: 'never asked before' } };
      const reply = await server.call('POST', '/one/_search', { query });
      expect(reply.status).toBe(502);
      expect(reply.json.error.type).toBe('inference_exception');
      expect(await hitsOf('one', { query: { semantic: like } })).toHaveLength(TEXTS.length);
    } finally {
      service.behave(undefined);
    }
  });
});
