// Snapshots over real HTTP: created, listed, restored, deleted; the files that a second one copies,
// the state that a restore creates, and the effect of damage.
import { readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addRepository,
  documents,
  filesBelow,
  type SnapshotServer,
  startSnapshotServer,
} from '../tools/repository.ts';

let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
});
afterAll(async () => {
  await server?.stop();
});
beforeEach(async () => {
  await server.ok('DELETE', '/*?expand_wildcards=all');
});

const wait = '?wait_for_completion=true';
const { ok, call } = {
  ok: (method: string, path: string, body?: unknown) => server.ok(method, path, body),
  call: (method: string, path: string, body?: unknown) => server.call(method, path, body),
};

/** Everything that a search returns for an index, including scores. */
async function hits(index: string, query: object = { match: { words: 'group3 entry' } }) {
  await ok('POST', `/${index}/_refresh`);
  const body = { query, size: 1000, version: true, seq_no_primary_term: true };
  const found = await ok('POST', `/${index}/_search`, body);
  return found.hits.hits.map(({ _index, ...hit }: { _index: string }) => hit);
}

async function counts(repository: string, snapshot: string) {
  const { snapshots } = await ok('GET', `/_snapshot/${repository}/${snapshot}/_status`);
  return snapshots[0].stats;
}

describe('a restored index', () => {
  test('has the documents, versions, sequence numbers and scores of the snapshot', async () => {
    await addRepository(server, 'same');
    await ok('PUT', '/a', {
      settings: { number_of_shards: 3, 'index.refresh_interval': '7s' },
      mappings: { properties: { v: { type: 'dense_vector', dims: 3 } } },
      aliases: { al: { filter: { term: { 'group.keyword': 'g3' } } } },
    });
    await ok('POST', '/a/_bulk', documents(200));
    await ok('PUT', '/a/_doc/3', { words: 'entry group3 again', v: [1, 2, 3] });
    await ok('DELETE', '/a/_doc/10');
    const before = await hits('a');
    const near = await hits('a', { knn: { field: 'v', query_vector: [1, 2, 2], k: 3 } });
    expect(before.length).toBeGreaterThan(150);
    await ok('PUT', `/_snapshot/same/s${wait}`);
    await ok('POST', '/a/_bulk', documents(300, 100));
    const restored = await ok('POST', `/_snapshot/same/s/_restore${wait}`, {
      indices: 'a',
      rename_pattern: '(.+)',
      rename_replacement: 'copy-$1',
      include_aliases: false,
    });
    expect(restored).toEqual({
      snapshot: {
        snapshot: 's',
        indices: ['copy-a'],
        shards: { total: 3, failed: 0, successful: 3 },
      },
    });
    expect(await hits('copy-a')).toEqual(before);
    expect(await hits('copy-a', { knn: { field: 'v', query_vector: [1, 2, 2], k: 3 } })).toEqual(
      near,
    );
    const settings = await ok('GET', '/a,copy-a/_settings');
    expect(settings['copy-a'].settings.index.refresh_interval).toBe('7s');
    expect(settings['copy-a'].settings.index.uuid).not.toBe(settings.a.settings.index.uuid);
    expect((await ok('GET', '/copy-a/_alias'))['copy-a'].aliases).toEqual({});
    // Versions continue from their previous values, also for deleted documents.
    expect((await ok('PUT', '/copy-a/_doc/3', { words: 'x' }))._version).toBe(3);
    expect((await ok('PUT', '/copy-a/_doc/10', { words: 'x' }))._version).toBe(3);
  });

  test('comes back under its name with its aliases once that is free', async () => {
    await addRepository(server, 'back');
    await ok('PUT', '/a', { aliases: { al: {} } });
    await ok('POST', '/a/_bulk', documents(20));
    await ok('PUT', `/_snapshot/back/s${wait}`, { indices: ['a'] });
    const refused = await call('POST', `/_snapshot/back/s/_restore${wait}`);
    expect(refused.status).toBe(400);
    expect(refused.json.error.reason).toMatch(
      /^\[back:s\/.{22}\] cannot restore index \[a\] because an open index with same name already exists/,
    );
    await ok('POST', '/a/_bulk', documents(20, 20));
    await ok('POST', '/a/_close');
    await ok('POST', `/_snapshot/back/s/_restore${wait}`);
    expect((await ok('GET', '/al/_count')).count).toBe(20);
    await ok('DELETE', '/a');
    await ok('POST', `/_snapshot/back/s/_restore${wait}`, {
      index_settings: { 'index.number_of_replicas': 0 },
      ignore_index_settings: ['index.refresh_interval'],
    });
    expect((await ok('GET', '/al/_count')).count).toBe(20);
    const settings = await ok('GET', '/a/_settings');
    expect(settings.a.settings.index.number_of_replicas).toBe('0');
  });

  test('outlives a restart', async () => {
    await addRepository(server, 'restart');
    await ok('POST', '/a/_bulk', documents(50));
    await ok('PUT', `/_snapshot/restart/s${wait}`);
    await ok('DELETE', '/a');
    await ok('POST', `/_snapshot/restart/s/_restore${wait}`);
    await ok('POST', '/a/_bulk', documents(10, 50));
    await server.kill('SIGKILL');
    server = await startSnapshotServer({ dataDir: server.dataDir, root: server.root });
    expect((await ok('GET', '/a/_count')).count).toBe(60);
    expect(Object.keys(await ok('GET', '/_snapshot'))).toContain('restart');
  });
});

test('codes and graphs of vectors are part of the copy', async () => {
  const location = await addRepository(server, 'vectors');
  await ok('PUT', '/v', {
    mappings: { properties: { e: { type: 'dense_vector', dims: 16, similarity: 'cosine' } } },
  });
  const row = (i: number): number[] =>
    Array.from({ length: 16 }, (_, j) => Math.sin((i + 1) * (j + 3) * 0.7));
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify({ e: row(i) })}\n`,
  );
  await ok('POST', '/v/_bulk', lines.join(''));
  await ok('POST', '/v/_forcemerge?max_num_segments=1');
  const search = { knn: { field: 'e', query_vector: row(77), k: 10 } };
  const near = await hits('v', search);
  await ok('PUT', `/_snapshot/vectors/s${wait}`);
  expect(filesBelow(location).filter((path) => path.endsWith('.vec')).length).toBe(1);
  await ok('DELETE', '/v');
  await ok('POST', `/_snapshot/vectors/s/_restore${wait}`);
  expect(await hits('v', search)).toEqual(near);
  // No files remain to be built: the next snapshot of it has the same files.
  const { indices } = await ok('GET', '/v/_stats');
  expect(indices.v.primaries.segments.count).toBe(1);
});

describe('a second snapshot', () => {
  test('copies only what is new, and each can be deleted without the other', async () => {
    const location = await addRepository(server, 'twice');
    await ok('POST', '/a/_bulk', documents(300));
    await ok('PUT', `/_snapshot/twice/one${wait}`);
    const one = await counts('twice', 'one');
    expect(one.incremental).toEqual(one.total);
    await ok('PUT', `/_snapshot/twice/two${wait}`);
    const two = await counts('twice', 'two');
    expect(two.total).toEqual(one.total);
    expect(two.incremental).toEqual({ file_count: 0, size_in_bytes: 0 });
    await ok('POST', '/a/_bulk', documents(1, 300));
    await ok('PUT', `/_snapshot/twice/three${wait}`);
    const three = await counts('twice', 'three');
    expect(three.incremental.file_count).toBe(3);
    expect(three.total.file_count).toBe(one.total.file_count + 3);

    const all = filesBelow(location).length;
    await ok('DELETE', '/_snapshot/twice/three');
    // Three files of a segment, a manifest, and the records of the index and of the snapshot.
    expect(filesBelow(location).length).toBe(all - 6);
    await ok('DELETE', '/_snapshot/twice/one');
    await ok('DELETE', '/a');
    await ok('POST', `/_snapshot/twice/two/_restore${wait}`);
    expect((await ok('GET', '/a/_count')).count).toBe(300);
    await ok('DELETE', '/_snapshot/twice/*');
    expect(filesBelow(location)).toEqual([]);
  });

  test('names the same index after it was made anew', async () => {
    await addRepository(server, 'anew');
    await ok('POST', '/a/_bulk', documents(10));
    await ok('PUT', `/_snapshot/anew/one${wait}`);
    await ok('DELETE', '/a');
    await ok('POST', '/a/_bulk', documents(5, 100));
    await ok('PUT', `/_snapshot/anew/two${wait}`);
    await ok('DELETE', '/a');
    await ok('POST', `/_snapshot/anew/one/_restore${wait}`);
    expect((await ok('GET', '/a/_count')).count).toBe(10);
  });
});

test('a namespace comes back with its memories, links and settings', async () => {
  await addRepository(server, 'brain');
  await ok('PUT', '/_memory/ann', { analyzer: 'standard' });
  await ok('POST', '/_memory/ann', {
    id: 'm1',
    text: 'Ann lives in Rome',
    metadata: { session: 's' },
  });
  await ok('POST', '/_memory/ann', {
    id: 'm2',
    text: 'Rome is in Italy',
    metadata: { session: 's' },
  });
  await ok('POST', '/_graph/ann/link', { src: 'm1', dst: 'm2', type: 'cites' });
  const recall = async () =>
    (await ok('POST', '/_memory/ann/_recall', { query: 'Rome', graph: { mode: 'blend' } })).hits;
  const overview = async () => ({ ...(await ok('GET', '/_graph/ann/overview')), as_of: 0 });
  const [recalled, seen, exported] = [
    await recall(),
    await overview(),
    (await call('GET', '/_memory/ann/_export')).text,
  ];
  await ok('PUT', `/_snapshot/brain/s${wait}`);
  await ok('POST', '/_memory/ann', { id: 'm3', text: 'Rome again', metadata: { session: 's' } });
  await ok('DELETE', '/*?expand_wildcards=all');
  await ok('POST', `/_snapshot/brain/s/_restore${wait}`);
  expect(await recall()).toEqual(recalled);
  expect(await overview()).toEqual(seen);
  expect((await call('GET', '/_memory/ann/_export')).text).toBe(exported);
});

test('inference endpoints travel with the global state, and what is there stays', async () => {
  await addRepository(server, 'state');
  const endpoint = (port: number) => ({ url: `http://localhost:${port}/v1`, dims: 3 });
  const ids = async () =>
    (await ok('GET', '/_inference/_all')).endpoints.map(
      ({ inference_id: id }: { inference_id: string }) => id,
    );
  await ok('PUT', '/_inference/gone', endpoint(1));
  await ok('PUT', '/_inference/kept', endpoint(2));
  await ok('PUT', `/_snapshot/state/s${wait}`);
  await ok('DELETE', '/_inference/gone');
  await ok('DELETE', '/_inference/kept');
  await ok('PUT', '/_inference/kept', endpoint(3));
  await ok('POST', `/_snapshot/state/s/_restore${wait}`);
  expect(await ids()).toEqual(['svc-lex-1', 'svc-lex-2', 'kept']);
  await ok('POST', `/_snapshot/state/s/_restore${wait}`, { include_global_state: true });
  expect(await ids()).toEqual(['svc-lex-1', 'svc-lex-2', 'gone', 'kept']);
  expect(JSON.stringify(await ok('GET', '/_inference/kept'))).toContain('localhost:3');
});

test('templates travel with the global state, and take the place of what is there', async () => {
  await addRepository(server, 'patterns');
  const template = { settings: { index: { number_of_shards: '2' } } };
  const all = async () => [
    (await ok('GET', '/_index_template')).index_templates,
    (await ok('GET', '/_component_template')).component_templates,
    await ok('GET', '/_template'),
  ];
  await ok('PUT', '/_component_template/two', { template, _meta: { big: 1 } });
  await ok('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], composed_of: ['two'] });
  await ok('PUT', '/_template/old', { index_patterns: ['old-*'], order: 3 });
  const saved = await all();
  await ok('PUT', `/_snapshot/patterns/s${wait}`);
  await ok('PUT', `/_snapshot/patterns/bare${wait}`, { include_global_state: false });
  await ok('PUT', '/_index_template/late', { index_patterns: ['late-*'] });
  await ok('PUT', '/_index_template/logs', { index_patterns: ['other-*'] });
  await ok('DELETE', '/_component_template/two');
  await ok('PUT', '/_template/old', { index_patterns: ['older-*'] });
  const changed = await all();
  await ok('POST', `/_snapshot/patterns/s/_restore${wait}`);
  expect(await all()).toEqual(changed);
  await ok('POST', `/_snapshot/patterns/s/_restore${wait}`, { include_global_state: true });
  expect(await all()).toEqual(saved);
  await ok('PUT', '/logs-1');
  expect((await ok('GET', '/logs-1'))['logs-1'].settings.index.number_of_shards).toBe('2');
  const refused = await call('POST', `/_snapshot/patterns/bare/_restore${wait}`, {
    include_global_state: true,
  });
  expect(refused.status).toBe(400);
  for (const path of ['/_index_template/logs', '/_component_template/two', '/_template/old']) {
    await ok('DELETE', path);
  }
});

describe('damage in the repository', () => {
  test('is found in every file, named, and leaves nothing', async () => {
    const location = await addRepository(server, 'hurt');
    await ok('POST', '/a/_bulk', documents(100));
    await ok('POST', '/b/_bulk', documents(5));
    await ok('PUT', `/_snapshot/hurt/s${wait}`);
    await ok('DELETE', '/a,b');
    for (const file of filesBelow(location).filter((path) => !path.startsWith('snapshots'))) {
      const path = join(location, file);
      const bytes = readFileSync(path);
      const damaged = Buffer.from(bytes);
      const at = Math.floor(bytes.length / 2);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      for (const content of [damaged, bytes.subarray(0, at)]) {
        writeFileSync(path, content);
        const refused = await call('POST', `/_snapshot/hurt/s/_restore${wait}`);
        expect(refused.status, `${file}: ${refused.text}`).toBe(500);
        expect(refused.json.error.reason).toContain(file);
      }
      unlinkSync(path);
      const missing = await call('POST', `/_snapshot/hurt/s/_restore${wait}`);
      expect(missing.status, missing.text).toBe(500);
      expect(missing.json.error.reason).toContain(file);
      writeFileSync(path, bytes);
      expect(await ok('GET', '/*?expand_wildcards=all')).toEqual({});
    }
    expect(filesBelow(join(server.dataDir, 'indices'))).toEqual([]);
    await ok('POST', `/_snapshot/hurt/s/_restore${wait}`);
    expect((await ok('GET', '/a,b/_count')).count).toBe(105);
  });

  test('a file that lost bytes is copied again by the next snapshot', async () => {
    const location = await addRepository(server, 'heal');
    await ok('POST', '/a/_bulk', documents(100));
    await ok('PUT', `/_snapshot/heal/one${wait}`);
    const file = filesBelow(location).find((path) => path.endsWith('.data')) ?? '';
    writeFileSync(join(location, file), 'cut off');
    await ok('PUT', `/_snapshot/heal/two${wait}`);
    expect((await counts('heal', 'two')).incremental.file_count).toBe(1);
    await ok('DELETE', '/a');
    await ok('POST', `/_snapshot/heal/one/_restore${wait}`);
    expect((await ok('GET', '/a/_count')).count).toBe(100);
  });
});

test('a snapshot that failed is told of until it is deleted or made again, and leaves no file', async () => {
  const location = await addRepository(server, 'fails');
  await ok('POST', '/a/_bulk', documents(10));
  await ok('POST', '/b/_bulk', documents(10));
  const { uuid } = (await ok('GET', '/b/_settings')).b.settings.index;
  const inTheWay = join(location, 'indices', uuid);
  const failures = async () =>
    /quarry_snapshot_duration_seconds_count\{kind="snapshot",outcome="failed"\} (\d+)/.exec(
      (await call('GET', '/v1/metrics')).text,
    )?.[1];
  const before = Number(await failures());
  writeFileSync(inTheWay, '');
  const reported = await call('PUT', `/_snapshot/fails/s${wait}`);
  expect(reported.status).toBe(500);
  expect(reported.json.error).toMatchObject({
    type: 'snapshot_exception',
    reason: expect.stringContaining('[fails:s] failed, nothing of it was kept: '),
    caused_by: { type: 'i_o_exception' },
  });
  const { snapshots } = await ok('GET', '/_snapshot/fails/_all');
  expect(snapshots).toMatchObject([{ snapshot: 's', state: 'FAILED', indices: ['a', 'b'] }]);
  expect(snapshots[0].reason).toContain(uuid);
  expect(Number(await failures())).toBe(before + 1);
  unlinkSync(inTheWay);
  await ok('DELETE', '/_snapshot/fails/s');
  expect((await ok('GET', '/_snapshot/fails/_all')).total).toBe(0);
  await ok('PUT', `/_snapshot/fails/t${wait}`);
  await ok('DELETE', '/_snapshot/fails/t');
  expect(filesBelow(location)).toEqual([]);
});

test('links that lead out of the allowed folder are not followed, wherever they stand', async () => {
  const link = join(server.root, 'out');
  symlinkSync(tmpdir(), link);
  for (const location of [link, join(link, 'deep/er')]) {
    const body = { type: 'fs', settings: { location } };
    const refused = await call('PUT', '/_snapshot/out', body);
    expect(refused.status).toBe(400);
    expect(refused.json.error.reason).toContain(
      "doesn't match any of the folders of [snapshot.path]",
    );
  }
  rmSync(link);
  const location = await addRepository(server, 'out');
  rmSync(location, { recursive: true });
  symlinkSync(tmpdir(), location);
  expect((await call('PUT', `/_snapshot/out/s${wait}`)).status).toBe(400);
  rmSync(location);
});
