// The official, unmodified clients create a snapshot and restore it: Elasticsearch 8 and 9,
// OpenSearch.
import { join } from 'node:path';
import { Client as Client8 } from '@elastic/elasticsearch';
import { Client as OpenSearch } from '@opensearch-project/opensearch';
import { Client as Client9 } from 'elasticsearch9';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, type SnapshotServer, startSnapshotServer } from '../tools/repository.ts';

let server: SnapshotServer;
beforeAll(async () => {
  server = await startSnapshotServer();
  await server.ok('POST', '/shop/_bulk', documents(25));
});
afterAll(async () => {
  await server?.stop();
});

const rename = { rename_pattern: '(.+)', rename_replacement: 'copy-$1' };

test.each([
  ['8', (node: string) => new Client8({ node })],
  ['9', (node: string) => new Client9({ node }) as unknown as Client8],
])('@elastic/elasticsearch %s', async (version, connect) => {
  const client = connect(server.base);
  const name = `es${version}`;
  const repository = { type: 'fs' as const, settings: { location: join(server.root, name) } };
  await client.snapshot.createRepository({ name, repository });
  expect(await client.snapshot.getRepository()).toHaveProperty(name);
  expect(Object.keys((await client.snapshot.verifyRepository({ name })).nodes).length).toBe(1);
  const wait = { repository: name, snapshot: 's', wait_for_completion: true };
  const made = await client.snapshot.create({ ...wait, indices: 'shop', metadata: { by: 'me' } });
  expect(made.snapshot).toMatchObject({ state: 'SUCCESS', indices: ['shop'] });
  const { snapshots } = await client.snapshot.get({ repository: name, snapshot: '_all' });
  expect(snapshots?.[0]?.metadata).toEqual({ by: 'me' });
  const status = await client.snapshot.status({ repository: name, snapshot: 's' });
  expect(status.snapshots[0]?.indices['shop']?.shards['0']?.stage).toBe('DONE');
  await client.snapshot.restore({ ...wait, indices: 'shop', ...rename });
  expect((await client.count({ index: 'copy-shop' })).count).toBe(25);
  await client.indices.delete({ index: 'copy-shop' });
  expect((await client.cat.snapshots({ repository: name, format: 'json' }))[0]?.id).toBe('s');
  await client.snapshot.cleanupRepository({ name });
  await client.snapshot.delete({ repository: name, snapshot: 's' });
  await client.snapshot.deleteRepository({ name });
  await client.close();
});

test('@opensearch-project/opensearch', async () => {
  const client = new OpenSearch({ node: server.base });
  const repository = 'opensearch';
  const settings = { location: join(server.root, repository) };
  await client.snapshot.createRepository({ repository, body: { type: 'fs', settings } });
  const wait = { repository, snapshot: 's', wait_for_completion: true };
  const made = await client.snapshot.create({ ...wait, body: { indices: 'shop' } });
  expect(made.body.snapshot?.state).toBe('SUCCESS');
  await client.snapshot.restore({ ...wait, body: { indices: 'shop', ...rename } });
  expect((await client.count({ index: 'copy-shop' })).body.count).toBe(25);
  await client.snapshot.delete({ repository, snapshot: 's' });
  await client.close();
});
