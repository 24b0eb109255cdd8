// semantic_text fields with a remote embedder, over real HTTP with a real service: stored values,
// errors, and the state after a restart without the service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type EmbeddingsService,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Enough that no two texts of this file have equal vectors. */
const DIMS = 64;
const FLAGS = ['--inference.max_retries', '0', '--inference.batch_size', '8'];
const NDJSON = { 'content-type': 'application/x-ndjson' };
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-remote-'));
let service: EmbeddingsService;
let server: TestServer;

beforeAll(async () => {
  service = await startEmbeddingsService({ dims: DIMS });
  server = await startServer({ dataDir, args: FLAGS });
  await made('PUT', '/_inference/mine', { url: service.url, model: 'm' });
});
afterAll(async () => {
  await server?.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  service.behave(undefined);
  service.forget();
});

async function made(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text.slice(0, 500)).toBeLessThan(300);
  return reply.json;
}

const field = (more: object = {}) => ({ type: 'semantic_text', ...more });

async function index(name: string, more: object = { inference_id: 'mine' }): Promise<void> {
  const properties = { text: field(more), tag: { type: 'keyword' } };
  await made('PUT', `/${name}`, { mappings: { properties } });
}

async function bulk(name: string, ...lines: readonly object[]) {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const reply = await server.call('POST', `/${name}/_bulk?refresh=true`, body, NDJSON);
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  return reply.json;
}

/** Ids and scores of the nearest vectors in the companion field, best first. */
async function nearest(name: string, text: string, k = 3) {
  const { hits } = await made('POST', `/${name}/_search`, {
    knn: { field: 'text_vector', query_vector: vectorOf(text, DIMS), k },
    _source: false,
  });
  return hits.hits as readonly { readonly _id: string; readonly _score: number }[];
}

/** Texts sent to the service since the start of the test. */
const sent = (): readonly string[] => service.requests.flatMap(({ input }) => input);

const FRUIT = ['apple pie', 'plum tart', 'green pear', 'dried fig', 'sour cherry', 'ripe quince'];

describe('documents', () => {
  test('get the vectors of the service, in bulk and one by one', async () => {
    await index('fruit');
    const lines = FRUIT.flatMap((text, i) => [{ index: { _id: `${i}` } }, { text, tag: 'a' }]);
    expect(await bulk('fruit', ...lines)).toMatchObject({ errors: false });
    expect(sent()).toEqual(FRUIT);
    await made('PUT', '/fruit/_doc/6?refresh=true', { text: 'raw medlar' });
    for (const [i, text] of [...FRUIT, 'raw medlar'].entries()) {
      const [best] = await nearest('fruit', text);
      expect(best).toMatchObject({ _id: `${i}`, _score: expect.closeTo(1, 5) });
    }
    const { _source } = await made('GET', '/fruit/_doc/0?_source_includes=text_vector');
    expect(_source.text_vector.length).toBe(DIMS);
  });

  test('that did not change their text ask nobody', async () => {
    await made('POST', '/fruit/_update/0?refresh=true', { doc: { tag: 'b' } });
    expect(sent()).toEqual([]);
    expect((await nearest('fruit', FRUIT[0] ?? ''))[0]).toMatchObject({ _id: '0' });
    await made('POST', '/fruit/_update/0?refresh=true', { doc: { text: 'red apple' } });
    expect(sent()).toEqual(['red apple']);
    expect((await nearest('fruit', 'red apple'))[0]).toMatchObject({ _id: '0' });
  });

  test('without the text, and deletes, ask nobody', async () => {
    const done = await bulk(
      'fruit',
      { index: { _id: 'n' } },
      { tag: 'c' },
      { delete: { _id: 'n' } },
    );
    expect(done.errors).toBe(false);
    await made('PUT', '/fruit/_doc/n', { tag: 'c' });
    await made('DELETE', '/fruit/_doc/n');
    expect(service.requests).toEqual([]);
  });

  test('with long texts are embedded by passage as well', async () => {
    await index('long');
    const text = Array.from({ length: 600 }, (_, i) => `word${i}`).join(' ');
    await made('PUT', '/long/_doc/1', { text });
    expect(sent()[0]).toBe(text);
    expect(sent().length).toBeGreaterThan(4);
    expect(sent().every((passage) => text.includes(passage))).toBe(true);
  });

  test('of any text are found again by it', async () => {
    await index('odd');
    const texts = ['\ufeffmark', 'ä𝄞 ó', 'a\u0000b', 'line\nbreak', ' padded ', '"quoted"\\'];
    const lines = texts.flatMap((text, i) => [{ index: { _id: `${i}` } }, { text }]);
    expect(await bulk('odd', ...lines)).toMatchObject({ errors: false });
    expect(sent()).toEqual(texts);
  });

  test('that make their index by a dynamic template are embedded', async () => {
    const mapping = field({ inference_endpoint: { url: service.url, model: 'm', dims: DIMS } });
    const dynamic_templates = [{ all: { match_mapping_type: 'string', mapping } }];
    await made('PUT', '/dynamic', { mappings: { dynamic_templates } });
    await bulk('dynamic', { index: { _id: '1' } }, { text: 'new words here' });
    expect(sent()).toEqual(['new words here']);
    expect((await nearest('dynamic', 'new words here'))[0]).toMatchObject({ _id: '1' });
  });
});

describe('writers at once', () => {
  test('to one document leave the vector of the text that is there', async () => {
    await index('busy');
    await made('PUT', '/busy/_doc/1', { text: 'start', tag: 'x' });
    const writers = Array.from({ length: 12 }, (_, i) =>
      server.call('POST', '/busy/_update/1?retry_on_conflict=50', {
        doc: { text: `version ${i}` },
      }),
    );
    const replies = await Promise.all(writers);
    expect(replies.map(({ status }) => status)).toEqual(new Array(12).fill(200));
    await made('POST', '/busy/_refresh');
    const { _source, _version } = await made('GET', '/busy/_doc/1');
    expect(_version).toBe(13);
    expect((await nearest('busy', _source.text))[0]?._score).toBeCloseTo(1, 5);
  });
});

describe('a search', () => {
  const meaning = (query: string) =>
    server.call('POST', '/fruit/_search', {
      query: { semantic: { field: 'text', query, k: 2 } },
    });

  test('by meaning has its text embedded by the same service, once', async () => {
    for (const _time of [1, 2]) {
      const { hits } = (await meaning('tart of plum')).json;
      expect(hits.hits[0]).toMatchObject({ _id: '1', _source: { text: 'plum tart' } });
    }
    expect(sent()).toEqual(['tart of plum']);
  });

  test('that has no vector is answered 502', async () => {
    service.behave(() => ({ status: 500, body: { error: 'broken' } }));
    const reply = await meaning('something new');
    expect(reply.status).toBe(502);
    expect(reply.json.error.type).toBe('inference_exception');
    expect(reply.json.error.reason).toContain('answered 500 (broken)');
  });
});

describe('a service that fails', () => {
  const refuseFig = () =>
    service.behave(({ input }, honest) =>
      input.some((text) => text.includes('poison'))
        ? { status: 400, body: { error: { message: 'not this one' } } }
        : { body: honest() },
    );

  test('for one text fails one document, in its place', async () => {
    await index('mixed');
    refuseFig();
    const texts = ['one', 'two', 'poison', 'three', 'four', 'poison ivy', 'five'];
    const done = await bulk(
      'mixed',
      ...texts.flatMap((text, i) => [{ create: { _id: `${i}` } }, { text }]),
    );
    const statuses = done.items.map((item: { create: { status: number } }) => item.create.status);
    expect(statuses).toEqual([201, 201, 502, 201, 201, 502, 201]);
    expect(done.items[2].create.error).toMatchObject({
      type: 'inference_exception',
      reason: expect.stringContaining('answered 400 (not this one)'),
    });
    expect((await server.call('GET', '/mixed/_doc/2')).status).toBe(404);
    expect((await made('GET', '/mixed/_count')).count).toBe(5);
  });

  test('fails a single write with 502, and leaves what was there', async () => {
    await made('PUT', '/mixed/_doc/0', { text: 'one again' });
    refuseFig();
    const reply = await server.call('PUT', '/mixed/_doc/0', { text: 'poison' });
    expect(reply.status).toBe(502);
    expect(reply.json.error.type).toBe('inference_exception');
    expect((await made('GET', '/mixed/_doc/0'))._source).toEqual({ text: 'one again' });
    const update = await server.call('POST', '/mixed/_update/0', { doc: { text: 'poison' } });
    expect(update.status).toBe(502);
    expect((await made('GET', '/mixed/_doc/0'))._version).toBe(2);
  });

  test.each<[string, Parameters<EmbeddingsService['behave']>[0]]>([
    ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<html></html>' })],
    ['nothing', () => ({ body: '' })],
    ['too few', () => ({ body: { data: [] } })],
    ['nulls', () => ({ body: { data: [{ index: 0, embedding: new Array(DIMS).fill(null) }] } })],
    ['zeros', () => ({ body: { data: [{ index: 0, embedding: new Array(DIMS).fill(0) }] } })],
    ['an error', () => ({ status: 500 })],
    ['a redirect', () => ({ status: 302, headers: { location: '/' } })],
    ['no answer', () => ({ hangUp: true })],
  ])('by answering %s fails the document', async (name, behaviour) => {
    service.behave(behaviour);
    const id = encodeURIComponent(name);
    const reply = await server.call('PUT', `/mixed/_doc/${id}`, { text: `text for ${name}` });
    expect(reply.status, reply.text).toBe(502);
    expect((await server.call('GET', `/mixed/_doc/${id}`)).status).toBe(404);
  });

  test('by another length than the field has fails the document', async () => {
    service.behave(() => ({ body: { data: [{ index: 0, embedding: [1, 2, 3] }] } }));
    const reply = await server.call('PUT', '/mixed/_doc/short', { text: 'a short vector' });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).not.toBe(500);
    expect(reply.json.error.reason).toContain('3');
    expect((await server.call('GET', '/mixed/_doc/short')).status).toBe(404);
  });

  test('in bulk does not keep documents of other indexes', async () => {
    await made('PUT', '/plain');
    service.behave(() => ({ status: 503 }));
    const body = [
      { index: { _index: 'plain', _id: '1' } },
      { text: 'kept' },
      { index: { _index: 'mixed', _id: 'down' } },
      { text: 'nobody embeds this' },
      { index: { _index: 'mixed', _id: 'other' } },
      { tag: 'no text' },
    ];
    const lines = body.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { items } = (await server.call('POST', '/_bulk', lines, NDJSON)).json;
    expect(items.map((item: { index: { status: number } }) => item.index.status)).toEqual([
      201, 502, 201,
    ]);
  });
});

describe('an endpoint in use', () => {
  test('stays, and keeps its identity', async () => {
    const refused = await server.call('DELETE', '/_inference/mine');
    expect(refused.status).toBe(409);
    expect(refused.json.error.reason).toContain('[busy, fruit, long, mixed, odd]');
    const moved = await server.call('PUT', '/_inference/mine/_update', {
      service_settings: { model_id: 'other' },
    });
    expect(moved.status).toBe(400);
    expect(moved.json.error.reason).toContain('register it under another name and reindex');
  });

  test('is told by the mapping, from which an equal index can be made', async () => {
    const { mappings } = (await made('GET', '/fruit')).fruit;
    expect(mappings.properties.text).toMatchObject({
      type: 'semantic_text',
      inference_id: 'mine',
      embedder: `m@${service.url}/embeddings`,
      dims: DIMS,
    });
    await made('PUT', '/fruit2', { mappings });
    expect((await made('GET', '/fruit2')).fruit2.mappings).toEqual(mappings);
    await made('DELETE', '/fruit2');
  });

  test('named svc-lex-1 is the built-in embedder', async () => {
    await index('built', { inference_id: 'svc-lex-1' });
    await made('PUT', '/built/_doc/1', { text: 'rivers' });
    const { mappings } = (await made('GET', '/built')).built;
    expect(mappings.properties.text).toMatchObject({ embedder: 'svc-lex-1', dims: 512 });
    expect(service.requests).toEqual([]);
  });
});

describe('after a crash, with the service gone', () => {
  test('everything acknowledged is found, and writes say what is missing', async () => {
    await made('PUT', '/fruit/_doc/last', { text: 'late grape' });
    const before = await nearest('fruit', 'sour cherry', 8);
    await service.stop();
    await server.kill('SIGKILL');
    server = await startServer({ dataDir, args: FLAGS });
    await made('POST', '/fruit/_refresh');
    expect((await nearest('fruit', 'late grape'))[0]).toMatchObject({ _id: 'last' });
    const after = await nearest('fruit', 'sour cherry', 9);
    expect(after.filter(({ _id }) => _id !== 'last')).toEqual(before);
    const reply = await server.call('PUT', '/fruit/_doc/x', { text: 'never seen' });
    expect(reply.status).toBe(502);
    expect(reply.json.error.reason).toContain('cannot be reached');
  });
});
