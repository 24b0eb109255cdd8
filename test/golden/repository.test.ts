// A repository that every release must be able to restore: golden/repository/v<format>. For a new
// format it is written by WRITE_GOLDEN=1 npx vitest run --config test/vitest.config.ts
// test/golden/repository.test.ts
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SnapshotServer, startSnapshotServer } from '../tools/repository.ts';

const folder = fileURLToPath(new URL('./repository/', import.meta.url));
const VERSION = 'v1';
const wait = '?wait_for_completion=true';
let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
  if (process.env['WRITE_GOLDEN'] !== undefined) await write();
});
afterAll(async () => {
  await server?.stop();
});

/**
 * Two snapshots that share files: documents, a deletion, a vector, an alias, a memory and a link.
 */
async function write(): Promise<void> {
  const location = join(server.root, VERSION);
  await server.ok('PUT', `/_snapshot/${VERSION}`, { type: 'fs', settings: { location } });
  await server.ok('PUT', '/books', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { v: { type: 'dense_vector', dims: 2 } } },
    aliases: { shelf: {} },
  });
  // A number with more digits than JSON.stringify preserves.
  const ulysses = '{"title":"Ulysses","n":9007199254740993,"v":[1,0]}';
  expect((await server.call('PUT', '/books/_doc/1', ulysses)).status).toBe(201);
  await server.ok('PUT', '/books/_doc/2', { title: 'Dubliners', v: [0, 1] });
  await server.ok('PUT', `/_snapshot/${VERSION}/one${wait}`);
  await server.ok('DELETE', '/books/_doc/2');
  await server.ok('PUT', '/books/_doc/1', { title: 'Ulysses, again' });
  await server.ok('POST', '/_memory/ann', { id: 'a', text: 'Rome' });
  await server.ok('POST', '/_graph/ann/link', { src: 'a', dst: 'b', type: 'cites' });
  await server.ok('PUT', `/_snapshot/${VERSION}/two${wait}`, { metadata: { by: 'golden' } });
  rmSync(join(folder, VERSION), { recursive: true, force: true });
  cpSync(location, join(folder, VERSION), { recursive: true });
}

test.each(['v1'])('%s is listed and restored', async (version) => {
  expect(existsSync(join(folder, version))).toBe(true);
  const location = join(server.root, `golden-${version}`);
  cpSync(join(folder, version), location, { recursive: true });
  const settings = { location, readonly: true };
  await server.ok('PUT', '/_snapshot/golden', { type: 'fs', settings });
  const { snapshots } = await server.ok('GET', '/_snapshot/golden/_all');
  expect(snapshots).toMatchObject([
    { snapshot: 'one', state: 'SUCCESS', indices: ['books'] },
    { snapshot: 'two', metadata: { by: 'golden' }, shards: { failed: 0 } },
  ]);
  await server.ok('DELETE', '/*?expand_wildcards=all');
  await server.ok('POST', `/_snapshot/golden/one/_restore${wait}`, {
    rename_pattern: 'books',
    rename_replacement: 'first',
    include_aliases: false,
  });
  await server.ok('POST', `/_snapshot/golden/two/_restore${wait}`);
  const first = await server.ok('POST', '/first/_search', { sort: ['_id'] });
  expect(first.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['1', '2']);
  expect((await server.call('GET', '/first/_source/1')).text).toContain('9007199254740993');
  expect((await server.ok('GET', '/shelf/_doc/1'))._source).toEqual({ title: 'Ulysses, again' });
  expect((await server.call('GET', '/shelf/_doc/2')).status).toBe(404);
  const near = { knn: { field: 'v', query_vector: [0, 1], k: 1 } };
  expect((await server.ok('POST', '/first/_search', near)).hits.hits[0]._id).toBe('2');
  const { hits } = await server.ok('POST', '/_memory/ann/_recall', { query: 'Rome' });
  expect(hits[0].id).toBe('a');
  const ego = await server.call('GET', '/_graph/ann/ego?node=a');
  expect(ego.text).toContain('cites');
});
