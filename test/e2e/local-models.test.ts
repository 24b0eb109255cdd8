// Local models over HTTP and by the command line, with a runtime for tests: fields, memories, folders
// of files, and models that are missing, changed or broken.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, run } from '../cli/run.ts';
import { fakeVector, installFakeRuntime, writeFakeModel } from '../tools/fake-runtime.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const DIMS = 6;
const folder = mkdtempSync(join(tmpdir(), 'quarry-local-models-'));
const [dataDir, runtime] = [join(folder, 'data'), join(folder, 'runtime')];
let server: TestServer;

const models = (...args: readonly string[]): Promise<Ran> =>
  run(['models', ...args, '--data-dir', dataDir, '--inference.runtime_dir', runtime], folder, {});

beforeAll(async () => {
  mkdirSync(dataDir);
  installFakeRuntime(runtime);
  writeFakeModel(join(folder, 'Fake.Model v2'), { dims: DIMS });
  writeFakeModel(join(folder, 'other'), { dims: DIMS, atTokens: 1000, fails: 'run' });
  writeFakeModel(join(folder, 'fragile'), { dims: DIMS, atTokens: 5, fails: 'crash' });
  server = await startServer({ dataDir, args: ['--inference.runtime_dir', runtime] });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const field = (id: string) => ({
  mappings: { properties: { text: { type: 'semantic_text', inference_id: id } } },
});
const nearest = (index: string, query: string) =>
  server.call('POST', `/${index}/_search`, { query: { semantic: { field: 'text', query } } });

describe('the command', () => {
  test('adds, lists and removes models while the folder is served', async () => {
    expect(await models('list')).toMatchObject({
      code: 0,
      out: 'MODEL  DIMS  TOKENS  SIZE  FINGERPRINT\n',
    });
    const added = await models('add', join(folder, 'Fake.Model v2'));
    expect(added.out).toBe(
      'added fake-model-v2: 6 dimensions, 256 tokens of a text\n' +
        'Name it in mappings and namespaces by "inference_id": "local:fake-model-v2".\n',
    );
    const json = await models(
      'add',
      join(folder, 'other'),
      '--name',
      'm',
      '--max-tokens',
      '32',
      '--json',
    );
    expect(JSON.parse(json.out)).toMatchObject({
      inference_id: 'local:m',
      dims: DIMS,
      max_tokens: 32,
    });
    expect(JSON.parse((await models('list', '--json')).out)).toMatchObject([
      { name: 'fake-model-v2', max_tokens: 256 },
      { name: 'm', max_tokens: 32 },
    ]);
    expect((await models('remove', 'fake-model-v2')).out).toContain('removed fake-model-v2');
    const { json: listed } = await server.call('GET', '/_inference');
    expect(listed.endpoints[2]).toEqual({
      inference_id: 'local:m',
      task_type: 'text_embedding',
      service: 'local',
      service_settings: {
        model_id: 'm',
        dimensions: DIMS,
        similarity: 'cosine',
        max_input_tokens: 32,
      },
    });
  });

  test.each([
    [['replace'], 'unknown action [replace]'],
    [[], 'unknown action []'],
    [['add'], '[DIR] is missing'],
    [['add', 'nowhere'], 'is no folder'],
    [['add', '.', '--name', 'A b'], '[A b] is no name of a model'],
    [['add', 'other', '--max-tokens', '9999'], 'must be from 8 to 512'],
    [['remove', 'x'], 'there is no model [x]'],
    [['remove', '../data'], 'there is no model [../data]'],
    [['list', '--name', 'x'], '--name does not belong to this action'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await models(...args);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });

  test('says how to install the runtime where it is missing', async () => {
    const args = [
      'models',
      'add',
      'other',
      '--data-dir',
      dataDir,
      '--inference.runtime_dir',
      tmpdir(),
    ];
    const { code, err } = await run([...args, '--name', 'y'], folder, {});
    expect(code).toBe(2);
    expect(err).toContain('run "npm install onnxruntime-node" there');
  });
});

describe('a field', () => {
  test('is embedded by the model, and so are its queries', async () => {
    const reply = await server.call('POST', '/_inference/local:m', { input: 'cat' });
    const [{ embedding }] = reply.json.text_embedding;
    for (const [i, value] of fakeVector(['cat'], DIMS).entries()) {
      expect(embedding[i]).toBeCloseTo(value, 6);
    }
    await server.call('PUT', '/pets', field('local:m'));
    const { json } = await server.call('GET', '/pets/_mapping');
    expect(json.pets.mappings.properties.text).toMatchObject({
      inference_id: 'local:m',
      dims: DIMS,
      embedder: expect.stringMatching(/^local:m@[0-9a-f]{16}$/),
    });
    for (const text of ['cat', 'dog', 'boat']) {
      await server.call('PUT', `/pets/_doc/${text}?refresh=true`, { text });
    }
    const found = await nearest('pets', 'cat');
    expect(found.json.hits.hits[0]).toMatchObject({ _id: 'cat', _score: 1 });
    expect(found.json.hits.total.value).toBe(3);
  });

  test.each([
    [{ inference_id: 'local:none' }, 'add the model with [quarry models add DIR]'],
    [
      { inference_id: 'local:m', dims: 7 },
      '[text.dims] is [7], but the endpoint makes vectors of [6]',
    ],
    [{ inference_id: 'local:m', embedder: 'local:m@00' }, 'leave [embedder] out'],
  ])('is refused: %j', async (more, why) => {
    const properties = { text: { type: 'semantic_text', ...more } };
    const reply = await server.call('PUT', '/refused', { mappings: { properties } });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(why);
  });

  test('keeps its model: a change is refused by name', async () => {
    const properties = { text: { type: 'semantic_text', inference_id: 'svc-lex-1' } };
    const reply = await server.call('PUT', '/pets/_mapping', { properties });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('local:m@');
  });
});

test.each([
  ['PUT', '/_inference/local:x', { url: 'http://127.0.0.1:1' }, 'Invalid inference_id'],
  ['PUT', '/_inference/text_embedding/x', { service: 'local' }, 'quarry models add'],
  ['PUT', '/_inference/text_embedding/local:m/_update', { service_settings: {} }, 'cannot change'],
  ['DELETE', '/_inference/local:m', undefined, 'quarry models remove m'],
])('%s %s is refused', async (method, path, body, why) => {
  const reply = await server.call(method, path, body);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain(why);
});

test('memories are embedded by the model of their namespace', async () => {
  await server.call('PUT', '/_memory/ann', { inference_id: 'local:m' });
  const bulk = ['cat', 'dog', 'boat'].map((text) => JSON.stringify({ id: text, text })).join('\n');
  const stored = await fetch(`${server.base}/_memory/ann/_bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${bulk}\n`,
  });
  expect(stored.status).toBe(200);
  await server.call('POST', '/_memory/ann', { text: 'a cat', id: 'near' });
  const { json } = await server.call('POST', '/_memory/ann/_recall', {
    query: 'dog',
    semantic: true,
  });
  expect(json.hits[0].id).toBe('dog');
  const hybrid = await server.call('POST', '/_memory/ann/_recall', { query: 'boat', hybrid: true });
  expect(hybrid.json.hits[0].id).toBe('boat');
});

test('a folder of files is embedded by the endpoint that is named, and keeps it', async () => {
  const files = join(folder, 'notes');
  mkdirSync(files);
  const words = 'the cat and the dog are on a boat with a cat and a dog, and that is all there is';
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(files, `${name}.md`), `# About ${name}\n\n${words} ${name}\n`);
  }
  const autoindex = (id: string): Promise<Ran> =>
    run(
      [
        'autoindex',
        files,
        '--yes',
        '--url',
        server.base,
        '--state',
        join(folder, 'state'),
        '--inference-id',
        id,
      ],
      folder,
      {},
    );
  expect((await autoindex('local:m')).code).toBe(0);
  const { json } = await server.call('GET', '/files-*/_mapping');
  expect(JSON.stringify(json)).toContain('"inference_id":"local:m"');
  const again = await autoindex('svc-lex-1');
  expect(again.code).toBe(1);
  expect(again.err).toContain(
    'was written with the inference endpoint [local:m] and not [svc-lex-1]',
  );
});

test('a model that crashes fails its write, and neither the service nor other fields', async () => {
  expect((await models('add', join(folder, 'fragile'))).code).toBe(0);
  await server.call('PUT', '/fragile', field('local:fragile'));
  const write = (text: string) => server.call('POST', '/fragile/_doc?refresh=true', { text });
  expect((await write('cat')).status).toBe(201);
  const crashed = await write('cat dog cat');
  expect(crashed.status).toBe(502);
  expect(crashed.text).toContain('the local model [fragile] ended by SIGSEGV');
  expect((await nearest('pets', 'cat')).status).toBe(200);
  await expect.poll(async () => (await write('dog')).status, { timeout: 15_000 }).toBe(201);
  const { json } = await server.call('POST', '/fragile/_count');
  expect(json.count).toBe(2);
});

test('a model that is gone or another one is an error by its name, and comes back', async () => {
  await models('remove', 'm');
  const gone = await nearest('pets', 'boat there');
  expect(gone.status).toBe(502);
  expect(gone.text).toContain('the local model [m], which the field names, is not there');
  await models('add', join(folder, 'other'), '--name', 'm', '--max-tokens', '64');
  const changed = await server.call('PUT', '/pets/_doc/new', { text: 'new boat' });
  expect(changed.status).toBe(502);
  expect(changed.text).toContain(
    'the local model [m] is another than the one that made the vectors',
  );
  await models('remove', 'm');
  await models('add', join(folder, 'other'), '--name', 'm', '--max-tokens', '32');
  expect((await nearest('pets', 'boat here')).status).toBe(200);
});
