// This repository as a folder of files: a plan for all of it, and an actual run over one of its
// folders.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { autoindex, type Proposed } from '../../src/autoindex/autoindex.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { counts, makeFolder } from './tools/folder.ts';
import { type Between, standBetween, writesOf } from './tools/proxy.ts';

const folder = makeFolder();
let server: TestServer;
let proxy: Between;

beforeAll(async () => {
  server = await startServer();
  proxy = await standBetween(server.base);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
  folder.remove();
});

test('all of it is a few datasets, and what tools make is passed over', async () => {
  const { datasets, problems, skipped, loaded } = await autoindex({
    path: resolve('.'),
    url: proxy.base,
    prefix: 'all-',
    apiKey: undefined,
    stateFolder: folder.state,
    dryRun: true,
    onProgress: () => undefined,
  });
  const byName = new Map((datasets as readonly Proposed[]).map((one) => [one.name, one]));
  expect(byName.get('code')?.files).toBeGreaterThan(1500);
  expect(byName.get('code')?.fields).toMatchObject({
    title: 'text',
    language: 'keyword',
    body: 'text',
  });
  expect(byName.get('documents')?.files).toBeGreaterThan(3);
  // The golden cases are one dataset, named after their folder.
  expect(byName.get('rest')?.files).toBeGreaterThan(250);
  expect(byName.size).toBeLessThan(30);
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  expect(reasons.get('dist')).toBe('an ignore rule');
  expect(reasons.get('node_modules')).toBe('a folder that tools make');
  expect(problems.filter(({ path }) => path.startsWith('src/'))).toEqual([]);
  expect(loaded).toEqual({ files: 0, bytes: 0, records: 0 });
  expect(proxy.seen).toEqual([]);
}, 120_000);

test('its own sources are found by what they say, and written once', async () => {
  cpSync(resolve('src/autoindex'), join(folder.root, 'autoindex'), { recursive: true });
  const { loaded, problems } = await folder.run(proxy.base, { prefix: 'own-' });
  expect(problems).toEqual([]);
  expect(await counts(server, 'own-')).toEqual({ code: loaded.records });
  const words = { query: { match: { body: 'WatchedFolders' } } };
  const { json } = await server.call('POST', '/own-code/_search', words);
  expect(json.hits.hits[0]._source).toMatchObject({
    language: 'typescript',
    file: { path: 'autoindex/watch.ts' },
  });
  proxy.seen.length = 0;
  await folder.run(proxy.base, { prefix: 'own-' });
  expect(writesOf(proxy.seen)).toEqual([]);
}, 120_000);
