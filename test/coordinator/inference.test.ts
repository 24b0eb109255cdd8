// Inference endpoints of a node and the embedders of mappings, over a service with manual
// responses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { completeField } from '../../src/coordinator/inference/field-embedder.ts';
import { Inference } from '../../src/coordinator/inference/inference.ts';
import {
  completeMappings,
  mappedEmbedders,
} from '../../src/coordinator/inference/mapped-embedders.ts';
import { AllowedHosts } from '../../src/embed/allowed-hosts.ts';
import { AllowedKeys } from '../../src/embed/allowed-keys.ts';
import { identityOf, type TextEndpoint } from '../../src/embed/endpoint.ts';
import { EndpointRegistry } from '../../src/embed/registry.ts';
import { QuarryError } from '../../src/errors.ts';
import { description } from './fake-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-inference-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const URL = 'http://localhost:8080/v1/embeddings';
const IDENTITY = `m@${URL}`;
const SHORT = { url: URL, model: 'm', dims: 3 };

function world() {
  const requested: { readonly endpoint: TextEndpoint; readonly texts: readonly string[] }[] = [];
  const rooms: string[] = [];
  const catalog = new Catalog();
  files += 1;
  const inference = new Inference({
    catalog,
    registry: new EndpointRegistry(join(folder, `${files}.json`)),
    hosts: new AllowedHosts(''),
    keys: new AllowedKeys('MY_*,K'),
    reranker: { rerank: async () => [] },
    models: { names: () => [], find: () => undefined },
    remote: {
      reserve: (_endpoint, texts) => {
        if (texts.includes('too much')) throw new QuarryError('content_too_large_exception', 'no');
        rooms.push(...texts);
        return () => rooms.splice(0, texts.length);
      },
      embed: async (endpoint, texts) => {
        requested.push({ endpoint, texts });
        return texts.map((text) =>
          text === 'bad' ? 'why not' : new Float32Array([text.length, 0.1]),
        );
      },
    },
    addon: {
      embed: (texts, dims) => new Float32Array(texts.length * dims).fill(0.5),
      embedTerms: () => [],
    },
    alone: (change) => change(),
  });
  const complete = (mappings: JsonObject): JsonObject =>
    completeMappings(mappings, (field, path) => completeField(field, path, inference));
  const index = (name: string, mappings: JsonObject, number = 1): void =>
    catalog.change([readIndex(description(name, number, { mappings: complete(mappings) }))], []);
  return { inference, requested, rooms, catalog, complete, index };
}

const semantic = (more: JsonObject): JsonObject => ({ type: 'semantic_text', ...more });

describe('a mapping', () => {
  test('is completed wherever a semantic_text field can be', async () => {
    const { inference, complete } = world();
    await inference.put('mine', SHORT);
    const field = semantic({ inference_id: 'mine' });
    const done = { ...field, dims: 3, embedder: IDENTITY };
    const at = (one: JsonObject): JsonObject => ({
      properties: {
        body: one,
        plain: { type: 'text', fields: { meaning: one } },
        place: { properties: { deep: { properties: { down: one } } } },
        type: { type: 'keyword' },
      },
      dynamic_templates: [
        { any: { match: '*', mapping: one } },
        { other: { mapping: { type: 'text' } } },
      ],
      _meta: { type: 'semantic_text', inference_id: 'nobody' },
    });
    expect(complete(at(field))).toEqual(at(done));
    expect(complete(at(done))).toEqual(at(done));
  });

  test('without such fields comes back as it is', () => {
    const { complete } = world();
    const mappings = {
      properties: { a: semantic({}), b: { type: 'text' } },
      dynamic_templates: [{ t: { mapping: { type: 'keyword' } } }, 'odd'],
    };
    expect(complete(mappings)).toBe(mappings);
  });

  test.each<[JsonObject, JsonObject]>([
    [{ inference_endpoint: SHORT }, { inference_endpoint: SHORT, dims: 3, embedder: IDENTITY }],
    [
      { inference_endpoint: { url: 'http://localhost:8080/v1' } },
      { inference_endpoint: { url: 'http://localhost:8080/v1' }, embedder: URL },
    ],
    [
      { inference_endpoint: URL, inference_id: 'm' },
      { inference_endpoint: URL, inference_id: 'm', embedder: IDENTITY },
    ],
    [{ inference_endpoint: URL }, { inference_endpoint: URL, embedder: URL }],
    [{ inference_id: 'svc-lex-1' }, { dims: 512, embedder: 'svc-lex-1' }],
    [
      { inference_id: 'svc-lex-1', dims: 64 },
      { dims: 64, embedder: 'svc-lex-1' },
    ],
    [{ inference_id: 'here' }, { dims: 99, embedder: 'svc-lex-1' }],
    [{ inference_id: 'svc-lex-2' }, { dims: 512, embedder: 'svc-lex-2' }],
    [{ inference_id: 'second' }, { dims: 512, embedder: 'svc-lex-2' }],
    [{ embedder: 'svc-lex-2' }, { embedder: 'svc-lex-2' }],
    [{}, {}],
  ])('with %j is completed to %j', async (given, expected) => {
    const { inference, complete } = world();
    await inference.put('here', { service: 'quarry', service_settings: { dimensions: 99 } });
    await inference.put('second', {
      service: 'quarry',
      service_settings: { model_id: 'svc-lex-2' },
    });
    expect(complete({ properties: { f: semantic(given) } })).toEqual({
      properties: { f: semantic(expected) },
    });
  });

  test.each<[JsonObject, string]>([
    [
      { inference_id: 'nobody' },
      '[a.f.inference_id] names [nobody], which is not registered, known are [svc-lex-1, svc-lex-2, mine]',
    ],
    [{ inference_id: 3 }, '[a.f.inference_id] must be a string'],
    [{ inference_id: null }, '[a.f.inference_id] must be a string'],
    [{ inference_id: 'mine', inference_endpoint: SHORT }, 'both name the model: give one of them'],
    [{ inference_id: '', inference_endpoint: 'http://localhost' }, 'must be the name of a model'],
    [{ inference_id: 'mine', dims: 4 }, '[a.f.dims] is [4], but the endpoint makes vectors of [3]'],
    [
      { inference_id: 'mine', embedder: 'x' },
      `[a.f.embedder] is [x], but the endpoint makes vectors of [${IDENTITY}]`,
    ],
    [{ inference_endpoint: 5 }, '[a.f.inference_endpoint] must be an object'],
    [{ inference_endpoint: {} }, '[a.f.inference_endpoint.url] is missing'],
    [
      { inference_endpoint: { url: 'http://example.com' } },
      '[a.f.inference_endpoint.url] leads to host [example.com]',
    ],
    [
      { inference_endpoint: { ...SHORT, api_key_env: 'AWS_SECRET' } },
      '[a.f.inference_endpoint.api_key_env] names the environment variable [AWS_SECRET], which the configuration does not ' +
        'allow: add it to [inference.api_key_envs], [MY_*,K]',
    ],
    [
      { inference_endpoint: { ...SHORT, api_key: 'sk' } },
      '[a.f.inference_endpoint.api_key] is refused',
    ],
  ])('with %j is refused', async (given, words) => {
    const { inference, complete } = world();
    await inference.put('mine', SHORT);
    const mappings = { properties: { a: { properties: { f: semantic(given) } } } };
    expect(() => complete(mappings)).toThrowError(words);
    expect(() => complete(mappings)).toThrowError(
      expect.objectContaining({ type: 'mapper_parsing_exception', status: 400 }),
    );
  });

  test('tells which embedders beyond this process it needs', () => {
    const mappings = {
      properties: {
        a: semantic({ embedder: IDENTITY, inference_endpoint: SHORT }),
        b: semantic({ embedder: IDENTITY, inference_id: 'mine' }),
        c: semantic({ embedder: 'svc-lex-1' }),
      },
      dynamic_templates: [{ t: { mapping: semantic({ embedder: 'n@u', inference_id: 'other' }) } }],
    };
    expect([...mappedEmbedders(mappings)]).toEqual([
      [IDENTITY, { ids: new Set(['mine']), endpoint: { url: URL, model: 'm', dims: 3 } }],
      ['n@u', { ids: new Set(['other']) }],
    ]);
    expect(mappedEmbedders({ properties: { c: semantic({ embedder: 'svc-lex-1' }) } }).size).toBe(
      0,
    );
  });
});

describe('an endpoint', () => {
  test('is registered, read, changed and dropped', async () => {
    const { inference } = world();
    const printed = {
      inference_id: 'mine',
      task_type: 'text_embedding',
      service: 'openai',
      service_settings: { url: URL, model_id: 'm', dims: 3, similarity: 'cosine' },
    };
    expect(await inference.put('mine', SHORT)).toEqual(printed);
    expect(inference.get('mine')).toEqual([printed]);
    expect(inference.get(undefined).map((one) => one['inference_id'])).toEqual([
      'svc-lex-1',
      'svc-lex-2',
      'mine',
    ]);
    await expect(inference.put('mine', SHORT)).rejects.toMatchObject({
      type: 'resource_already_exists_exception',
      message: 'Inference endpoint [mine] already exists',
    });
    const settings = { ...printed.service_settings, api_key_env: 'K' };
    expect(await inference.update('mine', { service_settings: { api_key_env: 'K' } })).toEqual({
      ...printed,
      service_settings: settings,
    });
    const { dims: _dims, ...without } = settings;
    expect(await inference.update('mine', { service_settings: { dims: null } })).toEqual({
      ...printed,
      service_settings: without,
    });
    expect(await inference.remove('mine', { force: false, dryRun: false })).toEqual({
      acknowledged: true,
      indexes: [],
    });
    expect(() => inference.get('mine')).toThrowError('Inference endpoint not found [mine]');
  });

  test('in use stays, unless it is dropped by force, and keeps its identity', async () => {
    const { inference, index, catalog } = world();
    await inference.put('mine', SHORT);
    index('books', { properties: { t: semantic({ inference_id: 'mine' }) } }, 1);
    index(
      'acts',
      { dynamic_templates: [{ t: { mapping: semantic({ inference_id: 'mine' }) } }] },
      2,
    );
    index('other', { properties: { t: semantic({ inference_endpoint: SHORT }) } }, 3);
    await expect(inference.remove('mine', { force: false, dryRun: false })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('for indexes: [acts, books]'),
    });
    await expect(
      inference.update('mine', { service_settings: { model_id: 'n' } }),
    ).rejects.toThrowError(`used by the indexes [acts, books], whose vectors are of [${IDENTITY}]`);
    await inference.update('mine', { service_settings: { api_key_env: 'K' } });
    expect(await inference.remove('mine', { force: false, dryRun: true })).toEqual({
      acknowledged: false,
      indexes: ['acts', 'books'],
    });
    expect(inference.find('mine')).toBeDefined();
    await inference.remove('mine', { force: true, dryRun: false });
    expect(inference.find('mine')).toBeUndefined();
    catalog.change([], ['other']);
    expect(await inference.embed(IDENTITY, ['a'], {})).toEqual([
      `no inference endpoint leads to the embedder [${IDENTITY}] any more: register it again with PUT /_inference/{id}`,
    ]);
  });

  test.each<[string, string]>([
    ['', 'Invalid inference_id; []'],
    ['Mine', 'Invalid inference_id; [Mine]'],
    ['-a', 'Invalid inference_id'],
    ['a_', 'Invalid inference_id'],
    ['_all', 'Invalid inference_id'],
    ['a b', 'Invalid inference_id'],
    ['a'.repeat(65), 'Invalid inference_id'],
    ['svc-lex-1', 'already exists'],
    ['svc-lex-2', 'already exists'],
  ])('cannot be called [%s]', async (id, words) => {
    await expect(world().inference.put(id, SHORT)).rejects.toThrowError(words);
  });

  test.each(['svc-lex-1', 'svc-lex-2'])('[%s], built in, neither changes nor goes', async (id) => {
    const { inference } = world();
    await expect(inference.update(id, {})).rejects.toThrowError('cannot change');
    await expect(inference.remove(id, { force: true, dryRun: false })).rejects.toThrowError(
      'cannot be deleted',
    );
  });

  test.each<[JsonObject, string]>([
    [{ service: 'quarry' }, '[service] is [openai] and cannot change'],
    [{ url: URL }, 'unknown setting [url], expected one of [service_settings, task_settings]'],
    [{ service_settings: 3 }, '[service_settings] must be an object'],
    [{ service_settings: { url: 'http://example.com' } }, 'leads to host [example.com]'],
    [{ service_settings: { api_key: 'sk' } }, '[service_settings.api_key] is refused'],
    [{ service_settings: { api_key_env: 'OTHER' } }, 'environment variable [OTHER]'],
  ])('does not change to %j', async (body, words) => {
    const { inference } = world();
    await inference.put('mine', SHORT);
    await expect(inference.update('mine', body)).rejects.toThrowError(words);
  });

  test('makes vectors, printed with no more digits than they have', async () => {
    const { inference, requested } = world();
    await inference.put('mine', SHORT);
    expect(await inference.infer('mine', { input: ['ab', 'c'] })).toEqual({
      text_embedding: [{ embedding: [2, 0.1] }, { embedding: [1, 0.1] }],
    });
    expect(requested[0]?.texts).toEqual(['ab', 'c']);
    await expect(inference.infer('mine', { input: 'bad' })).rejects.toMatchObject({
      type: 'inference_exception',
      status: 502,
      message: 'why not',
    });
    const { text_embedding: built } = await inference.infer('svc-lex-1', { input: 'a' });
    expect(built).toEqual([{ embedding: new Array(512).fill(0.5) }]);
  });

  test.each<[JsonObject, string]>([
    [{}, 'Field [input] cannot be null'],
    [{ input: [] }, 'Field [input] cannot be an empty array'],
    [{ input: ' ' }, 'Field [input] cannot be an empty string'],
    [{ input: ['a', 3] }, '[input] must be a string or a list of strings'],
    [{ input: new Array(2049).fill('a') }, 'at most 2048 are allowed'],
    [{ input: 'a', query: 'b' }, 'unknown setting [query]'],
  ])('makes none for %j', async (body, words) => {
    await expect(world().inference.infer('svc-lex-1', body)).rejects.toThrowError(words);
  });
});

describe('queries', () => {
  test('are embedded once each, by the embedder of their field, whoever tells where it is', async () => {
    const { inference, index, requested } = world();
    await inference.put('mine', { ...SHORT, model: 'n' });
    index('books', { properties: { t: semantic({ inference_endpoint: SHORT }) } });
    const registered = identityOf({ url: URL, model: 'n' });
    const vectors = await inference.vectorsOf([
      { embedder: IDENTITY, text: 'abc' },
      { embedder: registered, text: 'abc' },
      { embedder: IDENTITY, text: 'abc' },
      { embedder: IDENTITY, text: 'd' },
    ]);
    expect(vectors.map(([first]) => first)).toEqual([3, 3, 3, 1]);
    expect(
      requested.map(({ endpoint, texts }) => [
        'model' in endpoint ? endpoint.model : undefined,
        texts,
      ]),
    ).toEqual([
      ['m', ['abc', 'd']],
      ['n', ['abc']],
    ]);
  });

  test('without vectors are refused', async () => {
    const { inference } = world();
    await inference.put('mine', SHORT);
    for (const embedder of [IDENTITY, 'nobody@nowhere']) {
      const requested = inference.vectorsOf([{ embedder, text: 'bad' }]);
      await expect(requested).rejects.toMatchObject({ type: 'inference_exception', status: 502 });
    }
    expect(await inference.vectorsOf([])).toEqual([]);
  });
});

describe('texts of a write', () => {
  const wanted = (...texts: readonly string[]) => [
    { embedder: IDENTITY, texts },
    { embedder: 'nobody@nowhere', texts: ['x'] },
  ];

  test('are embedded, and have room until the write is done', async () => {
    const { inference, rooms } = world();
    await inference.put('mine', SHORT);
    const answer = await inference.whileEmbedded(wanted('abc', 'bad'), async (results) => {
      expect(rooms).toEqual(['abc', 'bad']);
      expect(results).toEqual([
        [new Float32Array([3, 0.1]), 'why not'],
        [expect.stringContaining('no inference endpoint leads to the embedder [nobody@nowhere]')],
      ]);
      return 'written';
    });
    expect(answer).toBe('written');
    expect(rooms).toEqual([]);
  });

  test('for which there is no room are not written', async () => {
    const { inference, rooms } = world();
    await inference.put('mine', SHORT);
    const both = [...wanted('abc'), ...wanted('too much')];
    const write = inference.whileEmbedded(both, async () => expect.unreachable());
    await expect(write).rejects.toMatchObject({ status: 413 });
    expect(rooms).toEqual([]);
  });
});
