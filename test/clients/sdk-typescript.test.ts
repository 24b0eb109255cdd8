// The client for TypeScript against the built service: memories, links, searches, the tools for the
// AI SDK, and the examples of its package as programs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quarryTools } from '../../clients/typescript/ai/tools.ts';
import { BadRequestError, NotFoundError, Quarry } from '../../clients/typescript/src/index.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Packages that test/clients/setup fetches. */
const FETCHED = resolve('build/clients/js-sdk/node_modules');
let server: TestServer;
let client: Quarry;

beforeAll(async () => {
  server = await startServer();
  client = new Quarry({ url: server.base });
});
afterAll(() => server?.stop());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('memories', () => {
  test('are stored, recalled, read, changed, listed and forgotten', async () => {
    const { memory } = client;
    expect(await memory.store('ann', { id: 'm1', text: 'Ann lives in Rome' })).toMatchObject({
      id: 'm1',
      created: true,
    });
    const bulk = await memory.bulk('ann', [
      { id: 'm2', text: 'Ann keeps bees', metadata: { topic: 'home' } },
      { text: ' ' },
    ]);
    expect(bulk.items.map(({ status }) => status)).toEqual([201, 400]);
    const { hits } = await memory.recall('ann', { query: 'bees', k: 1 });
    expect(hits).toMatchObject([{ id: 'm2', metadata: { topic: 'home' } }]);
    expect(await memory.edit('ann', 'm2', { text: 'Ann keeps many bees' })).toMatchObject({
      edited: true,
      versions: 1,
    });
    expect(await memory.get('ann', 'm2')).toMatchObject({ found: true, history: [{}] });
    const listed = await all(memory.listAll('ann', { sort: 'id', size: 1 }));
    expect(listed.map(({ id }) => id)).toEqual(['m1', 'm2']);
    const filter = { term: { 'metadata.topic': 'home' } };
    expect(await memory.list('ann', { filter })).toMatchObject({ count: 1 });
    expect(await memory.forgetMatching('ann', { filter, dry_run: true })).toMatchObject({
      matched: 1,
      forgotten: 0,
    });
    expect(await memory.forgetMatching('ann', { filter })).toMatchObject({ forgotten: 1 });
    expect(await memory.forget('ann', 'm1')).toMatchObject({ forgotten: true });
    expect(await memory.forget('ann', 'm1')).toEqual({
      forgotten: false,
      id: 'm1',
      namespace: 'ann',
    });
    expect(await memory.get('ann', 'm1')).toMatchObject({ found: false });
  });

  test('are set up, audited, followed, moved, and recalled over namespaces', async () => {
    const { memory } = client;
    await memory.configure('team-a', { quota: { memories: 10 } });
    await memory.store('team-a', { id: 'x', text: 'the harbour opens at nine' });
    await memory.store('team-b', { id: 'y', text: 'the harbour closes at ten' });
    expect(await memory.audit('team-a')).toMatchObject({ memories: 1 });
    expect(await memory.changes('team-a')).toMatchObject({ changes: [{ kind: 'store', id: 'x' }] });
    const { hits } = await memory.recallMany({ namespaces: ['team-*'], query: 'harbour' });
    expect(hits.map(({ namespace }) => namespace).sort()).toEqual(['team-a', 'team-b']);
    const lines = await all(memory.exportLines('team-a'));
    expect(lines.length).toBeGreaterThan(1);
    expect(await memory.importLines('team-c', lines)).toMatchObject({ memories: { created: 1 } });
    const names = await all(memory.namespacesAll({ prefix: 'team-', size: 2 }));
    expect(names.map(({ namespace }) => namespace)).toEqual(['team-a', 'team-b', 'team-c']);
    expect(await memory.drop('team-c')).toMatchObject({ dropped: true });
    await expect(all(memory.exportLines('team-c'))).rejects.toBeInstanceOf(NotFoundError);
  });

  test('have errors that name the field', async () => {
    const wrong = client.memory.recall('ann', { k: 0 });
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError);
    await expect(wrong).rejects.toMatchObject({ status: 400, field: 'k' });
  });
});

describe('links and documents', () => {
  test('are asserted, looked at, retired, and found', async () => {
    const { graph, search } = client;
    await search.index('wiki', 'plan', { title: 'Harbour Plan', body: 'See [[Old Survey]].' });
    await search.bulk(
      [{ index: { _index: 'wiki', _id: 'survey' } }, { title: 'Old Survey', body: 'Depths.' }],
      { refresh: true },
    );
    expect(await search.search('wiki', { query: { match: { title: 'survey' } } })).toMatchObject({
      hits: { hits: [{ _id: 'survey' }] },
    });
    expect(await search.get('wiki', 'none')).toMatchObject({ found: false });
    await graph.configure('wiki', { nodes_index: 'wiki' });
    expect(await graph.detect('wiki', { dry_run: false })).toMatchObject({ links: { created: 1 } });
    const { edge_id } = await graph.link('wiki', {
      src: 'survey',
      dst: 'plan',
      type: 'mentions',
      valid_at: 1000,
    });
    expect(await graph.ego('wiki', { node: 'plan', types: ['mentions'] })).toMatchObject({
      links: [{ edge_id, direction: 'in' }],
    });
    expect(await graph.unlink('wiki', edge_id)).toMatchObject({ invalidated: true });
    expect(await graph.overview('wiki')).toMatchObject({ links: { live: 1, retired: 1 } });
    expect(await client.request('GET', '/_cat/indices', { params: { format: 'json' } })).toEqual(
      expect.arrayContaining([expect.objectContaining({ index: 'wiki' })]),
    );
  });
});

describe('the tools for the AI SDK', () => {
  test('remember, recall, read, edit, list and forget in their namespace', async () => {
    const tools = quarryTools({ client, namespace: 'tools', jsonSchema: (schema) => schema });
    expect(Object.keys(tools)).toHaveLength(6);
    for (const { description, inputSchema } of Object.values(tools)) {
      expect(description).not.toMatch(/svc_|"namespace"/);
      expect(inputSchema.properties.namespace).toBeUndefined();
    }
    const run = (name: string, input: object): Promise<unknown> =>
      tools[name]?.execute(input) ?? Promise.reject(new Error(name));
    await run('storeMemory', { id: 'm', text: 'Ann keeps bees' });
    const recalled = await run('recallMemories', { query: 'who keeps bees' });
    expect(recalled).toMatchObject({ hits: [{ id: 'm', text: 'Ann keeps bees' }] });
    await run('editMemory', { id: 'm', metadata: { topic: 'home' } });
    expect(await run('readMemory', { id: 'm' })).toMatchObject({ metadata: { topic: 'home' } });
    expect(await run('listMemories', {})).toMatchObject({ count: 1, hits: [{ id: 'm' }] });
    expect(await run('forgetMemory', { id: 'm' })).toMatchObject({ forgotten: true });
    const reading = quarryTools({
      client,
      namespace: 'tools',
      readOnly: true,
      jsonSchema: (schema) => schema,
    });
    expect(Object.keys(reading)).toEqual(['recallMemories', 'listMemories', 'readMemory']);
  });

  const sdk = join(FETCHED, 'ai/dist/index.js');
  if (!existsSync(sdk)) console.log('skipped: the AI SDK, test/clients/setup fetches it');
  test.skipIf(!existsSync(sdk))('are tools of the SDK itself', async () => {
    const { jsonSchema, asSchema } = await import(pathToFileURL(sdk).href);
    const tools = quarryTools({ client, namespace: 'tools', jsonSchema });
    const schema = await asSchema(tools['storeMemory']?.inputSchema).jsonSchema;
    expect(schema).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } });
  });
});

describe('the package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-client-'));
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const out = join(folder, 'dist');
    mkdirSync(join(folder, 'examples'));
    execFileSync(process.execPath, [tsc, '-p', 'clients/typescript', '--outDir', out]);
    execFileSync('cp', [
      '-r',
      'clients/typescript/examples',
      'clients/typescript/package.json',
      folder,
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    [
      'remember.mjs',
      {
        best: 'Ann lives in Rome',
        superseded: 1,
        links: ['paris'],
        forgotten: true,
        found: false,
      },
    ],
    [
      'store.mjs',
      {
        found: [['users', 'Bob']],
        filtered: ['Rome'],
        namespaces: [
          ['users', 'Ann'],
          ['users', 'Bob'],
        ],
        left: 1,
      },
    ],
  ])('runs %s with Node alone', (example, report) => {
    const printed = execFileSync(
      process.execPath,
      [join(folder, 'examples', example), server.base],
      {
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(printed)).toEqual(report);
  });
});
