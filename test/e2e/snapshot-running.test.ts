// Snapshots while the node is in use: during writes each contains a state that existed; one in
// progress can be monitored and deleted, and blocks others; a restore locks its snapshot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addRepository,
  documents,
  filesBelow,
  type SnapshotServer,
  startSnapshotServer,
} from '../tools/repository.ts';

let server: SnapshotServer;
/** At that rate a copy of 300 KB takes some seconds, long enough to be observed on any machine. */
const SLOW = { max_snapshot_bytes_per_sec: '64kb', max_restore_bytes_per_sec: '64kb' };
const wait = '?wait_for_completion=true';

beforeAll(async () => {
  server = await startSnapshotServer();
});
afterAll(async () => {
  await server?.stop();
});

async function addSlowRepository(name: string): Promise<string> {
  const location = await addRepository(server, name);
  await server.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location, ...SLOW } });
  return location;
}

/** Random words, which compress badly. */
function noise(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 40 }, (_, j) => ((i * 40 + j + 1) * 2654435761) % 2 ** 32);
    const text = words.map((word) => word.toString(36)).join(' ');
    return `{"index":{"_id":"${i}"}}\n${JSON.stringify({ text })}\n`;
  });
  return lines.join('');
}

test('under writes, every snapshot is a state that existed', async () => {
  await addRepository(server, 'busy');
  await server.ok('PUT', '/busy', { settings: { number_of_shards: 3 } });
  let writing = true;
  const BATCH = 20;
  const writer = (async () => {
    for (let round = 0; writing; round++) {
      // The first document of each batch is written twice, so that every state has deleted
      // documents.
      const again = `{"index":{"_id":"${round * BATCH}"}}\n{"id":${round * BATCH},"second":true}\n`;
      await server.ok('POST', '/busy/_bulk', documents(BATCH, round * BATCH) + again);
    }
  })();
  const acknowledged: number[] = [];
  for (let i = 0; i < 5; i++) {
    await server.ok('POST', '/busy/_refresh');
    acknowledged.push((await server.ok('GET', '/busy/_count')).count);
    await server.ok('PUT', `/_snapshot/busy/s${i}${wait}`, { indices: 'busy' });
  }
  writing = false;
  await writer;
  for (let i = 0; i < 5; i++) {
    await server.ok('POST', `/_snapshot/busy/s${i}/_restore${wait}`, {
      rename_pattern: '.+',
      rename_replacement: `state${i}`,
    });
    const { hits } = await server.ok('POST', `/state${i}/_search`, {
      size: 10_000,
      _source: ['id', 'second'],
    });
    const found = hits.hits.map((hit: { _source: { id: number } }) => hit._source);
    const ids = found.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
    expect(ids).toEqual(ids.map((_: number, at: number) => at));
    expect(ids.length % BATCH).toBe(0);
    expect(ids.length).toBeGreaterThanOrEqual(acknowledged[i] ?? 0);
    const twice = found.filter(({ second }: { second?: boolean }) => second === true).length;
    expect(twice).toBe(ids.length / BATCH);
  }
}, 60_000);

test('one under way is seen, holds its name and repository, and can be deleted', async () => {
  const location = await addSlowRepository('slow');
  await server.ok('POST', '/noise/_bulk', noise(2000));
  const before = filesBelow(location);
  expect(await server.ok('PUT', '/_snapshot/slow/s', { indices: 'noise' })).toEqual({
    accepted: true,
  });
  const { snapshots } = await server.ok('GET', '/_snapshot/slow/_current');
  expect(snapshots[0]).toMatchObject({ snapshot: 's', state: 'IN_PROGRESS', indices: ['noise'] });
  const status = await server.ok('GET', '/_snapshot/_status');
  expect(status.snapshots[0]).toMatchObject({
    snapshot: 's',
    repository: 'slow',
    state: 'STARTED',
  });
  expect((await server.call('PUT', '/_snapshot/slow/s')).json.error.type).toBe(
    'snapshot_name_already_in_use_exception',
  );
  expect((await server.call('DELETE', '/_snapshot/slow')).status).toBe(409);
  // Writes and searches continue meanwhile.
  await server.ok('PUT', '/noise/_doc/new?refresh=true', { text: 'new' });
  await server.ok('DELETE', '/_snapshot/slow/s');
  expect(filesBelow(location)).toEqual(before);
  expect(await server.ok('GET', '/_snapshot/slow/_all')).toEqual({
    snapshots: [],
    total: 0,
    remaining: 0,
  });
});

test('a snapshot that is being restored cannot be deleted; a stop takes both back', async () => {
  const location = await addSlowRepository('held');
  await server.ok('PUT', '/_snapshot/fast', { type: 'fs', settings: { location } });
  await server.ok('PUT', `/_snapshot/fast/s${wait}`, { indices: 'noise' });
  await server.ok('POST', '/_snapshot/held/s/_restore', {
    rename_pattern: '.+',
    rename_replacement: 'again',
  });
  const refused = await server.call('DELETE', '/_snapshot/held/s');
  expect(refused.status).toBe(503);
  expect(refused.json.error.type).toBe('concurrent_snapshot_execution_exception');
  await server.ok('POST', '/other/_bulk', noise(2000));
  const before = filesBelow(location);
  const waiting = server.call('PUT', `/_snapshot/held/t${wait}`, { indices: 'other' });
  while ((await server.ok('GET', '/_snapshot/held/_current')).total === 0);
  const [reported] = await Promise.all([waiting, server.kill('SIGTERM')]);
  expect(reported.json.error.reason).toContain('the server is stopping');
  expect(filesBelow(location)).toEqual(before);
  server = await startSnapshotServer({ dataDir: server.dataDir, root: server.root });
  expect((await server.call('HEAD', '/again')).status).toBe(404);
  expect(filesBelow(`${server.dataDir}/indices`).filter((path) => path.includes('.new'))).toEqual(
    [],
  );
});
