// Snapshots in S3 over real HTTP: restored onto an empty machine, killed in the middle, refused where
// the configuration does not permit them. The S3 server is the stub, and a real one where Go is.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import {
  documents,
  filesBelow,
  type SnapshotServer,
  startSnapshotServer,
} from '../tools/repository.ts';
import { failure, S3Stub, STUB_KEYS } from '../tools/s3-stub.ts';
import { GATEWAY_REGION, gatewayMissing, startGateway } from '../tools/versity-gateway.ts';

const wait = '?wait_for_completion=true';
// Fetching and compiling it takes minutes.
const noGateway = LONG ? gatewayMissing() : 'it is part of [npm run test:long]';
if (noGateway !== undefined) console.log(`a real S3 server is not tested: ${noGateway}`);

interface S3Server {
  readonly endpoint: string;
  readonly region: string;
  /** Keys of all objects below the base path, without those of unfinished uploads, sorted. */
  keys(): readonly string[];
  /** Parts of uploads that were neither completed nor aborted. */
  unfinished(): readonly string[];
  stop(): Promise<void>;
}

async function startStub(): Promise<S3Server & { readonly stub: S3Stub }> {
  const stub = new S3Stub();
  stub.minPart = 5 * 1024 * 1024;
  await stub.start();
  const { endpoint, region } = stub;
  return {
    stub,
    endpoint,
    region,
    keys: () => stub.keys('daily/'),
    unfinished: () => [...stub.uploads.keys()],
    stop: () => stub.stop(),
  };
}

async function startReal(): Promise<S3Server> {
  const gateway = await startGateway('backups');
  return {
    endpoint: gateway.endpoint,
    region: GATEWAY_REGION,
    keys() {
      // The folder goes with the last object below it.
      const folder = join(gateway.root, 'backups', 'daily');
      return existsSync(folder) ? filesBelow(folder) : [];
    },
    unfinished() {
      const folder = join(gateway.root, 'backups', '.sgwtmp', 'multipart');
      return existsSync(folder) ? filesBelow(folder) : [];
    },
    stop: () => gateway.stop(),
  };
}

function startNode(s3: S3Server, dataDir?: string): Promise<SnapshotServer> {
  return startSnapshotServer({
    args: ['--snapshot.s3_places', `${s3.endpoint}/backups`, '--snapshot.max_bytes_per_sec', '0'],
    env: STUB_KEYS,
    ...(dataDir === undefined ? {} : { dataDir }),
  });
}

function repositoryIn(s3: S3Server, more: object = {}): object {
  const { endpoint, region } = s3;
  return {
    type: 's3',
    settings: { bucket: 'backups', base_path: 'daily', endpoint, region, ...more },
  };
}

async function hits(server: SnapshotServer, index: string) {
  await server.ok('POST', `/${index}/_refresh`);
  const body = { query: { match: { words: 'group3 entry' } }, size: 1000, version: true };
  return (await server.ok('POST', `/${index}/_search`, body)).hits.hits;
}

/** Vectors whose file is larger than a part of an upload. */
function vectors(count: number, dims: number): string {
  const rows = Array.from({ length: count }, (_, i) =>
    Array.from({ length: dims }, (_, j) => Math.sin((i + 1) * (j + 3) * 0.7)),
  );
  return rows.map((v, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify({ v })}\n`).join('');
}

describe.each([
  ['the stub', startStub, undefined],
  ['a real S3 server', startReal, noGateway],
] as const)('with %s,', (_name, start, missing) => {
  test.skipIf(missing !== undefined)(
    'everything comes back on an empty machine, and later snapshots copy what is new',
    async () => {
      const s3 = await start();
      const first = await startNode(s3);
      await first.ok('PUT', '/_snapshot/away', repositoryIn(s3, { buffer_size: '5mb' }));
      await first.ok('PUT', '/a', { settings: { number_of_shards: 2 }, aliases: { al: {} } });
      await first.ok('POST', '/a/_bulk', documents(300));
      await first.ok('DELETE', '/a/_doc/7');
      await first.ok('PUT', '/v', {
        mappings: { properties: { v: { type: 'dense_vector', dims: 1024, index: false } } },
      });
      for (let i = 0; i < 2; i++) await first.ok('POST', '/v/_bulk', vectors(900, 1024));
      await first.ok('POST', '/_memory/ann', { id: 'm', text: 'Rome is a city' });
      await first.ok('PUT', `/_snapshot/away/one${wait}`);
      await first.ok('POST', '/a/_bulk', documents(50, 300));
      await first.ok('PUT', `/_snapshot/away/two${wait}`);
      const { snapshots } = await first.ok('GET', '/_snapshot/away/two/_status');
      const { incremental, total } = snapshots[0].stats;
      expect(incremental.size_in_bytes).toBeLessThan(total.size_in_bytes / 4);
      expect((await first.call('POST', '/_snapshot/away/_verify')).status).toBe(200);
      const before = await hits(first, 'al');
      await first.stop();
      // A new machine has nothing but the keys and the place.
      const second = await startNode(s3);
      await second.ok('PUT', '/_snapshot/away', repositoryIn(s3, { readonly: true }));
      await second.ok('POST', `/_snapshot/away/two/_restore${wait}`);
      expect(await hits(second, 'al')).toEqual(before);
      expect((await second.ok('GET', '/v/_count')).count).toBe(900);
      const recalled = await second.ok('POST', '/_memory/ann/_recall', { query: 'Rome' });
      expect(recalled.hits[0].id).toBe('m');
      await second.ok('PUT', '/_snapshot/away', repositoryIn(s3));
      await second.ok('DELETE', '/_snapshot/away/one');
      await second.ok('DELETE', '/_snapshot/away/two');
      expect(s3.keys()).toEqual([]);
      await second.stop();
      await s3.stop();
    },
    120_000,
  );
});

test.skipIf(noGateway !== undefined)(
  'killed at any moment of a snapshot to a real S3 server, a node leaves one that is complete or absent',
  async () => {
    const s3 = await startReal();
    let server = await startNode(s3);
    await server.ok('PUT', '/_snapshot/k', repositoryIn(s3, { buffer_size: '5mb' }));
    await server.ok('PUT', '/v', {
      mappings: { properties: { v: { type: 'dense_vector', dims: 1024, index: false } } },
    });
    await server.ok('POST', '/a/_bulk', documents(300));
    await server.ok('PUT', `/_snapshot/k/base${wait}`);
    const base = s3.keys();
    for (let i = 0; i < 2; i++) await server.ok('POST', '/v/_bulk', vectors(900, 1024));
    const started = performance.now();
    await server.ok('PUT', `/_snapshot/k/probe${wait}`);
    const took = performance.now() - started;
    await server.ok('DELETE', '/_snapshot/k/probe');
    const states: string[] = [];
    for (let moment = 0; moment <= 10; moment++) {
      const cut = server.call('PUT', `/_snapshot/k/s${wait}`).catch(() => {});
      await pause((took * moment) / 10);
      await server.kill('SIGKILL');
      await cut;
      const { dataDir, root } = server;
      server = await startNode(s3, dataDir);
      rmSync(root, { recursive: true, force: true });
      const { snapshots } = await server.ok('GET', '/_snapshot/k/_all');
      states.push(snapshots.length === 1 ? 'absent' : 'complete');
      for (const { snapshot, state } of snapshots) {
        expect(state).toBe('SUCCESS');
        if (snapshot === 'base') continue;
        await server.ok('POST', `/_snapshot/k/${snapshot}/_restore${wait}`, {
          indices: 'v',
          rename_pattern: '^',
          rename_replacement: 'old-',
        });
        expect((await server.ok('GET', '/old-v/_count')).count).toBe(900);
        await server.ok('DELETE', '/old-v');
        await server.ok('DELETE', `/_snapshot/k/${snapshot}`);
      }
      await server.ok('POST', '/_snapshot/k/_cleanup');
      expect(s3.keys()).toEqual(base);
      expect(s3.unfinished()).toEqual([]);
    }
    expect(states).toContain('absent');
    await server.stop();
    await s3.stop();
  },
  300_000,
);

test('the command line backs up a stopped server to S3, and restores into an empty folder', async () => {
  const s3 = await startStub();
  const seed = await startNode(s3);
  await seed.ok('POST', '/a/_bulk', documents(40));
  await seed.kill('SIGTERM');
  const address = `${s3.endpoint}/backups/daily`;
  const at = (flag: string, dataDir: string) =>
    [flag, address, '--region', s3.region, '--data-dir', dataDir] as const;
  const made = await runWithKeys('backup', ...at('--to', seed.dataDir));
  expect(made.err).toBe('');
  expect(made.out).toMatch(/^snapshot \[snapshot-.*\] of 1 indexes in http:.*\/backups\/daily: /);
  const empty = mkdtempSync(join(tmpdir(), 'quarry-empty-'));
  const restored = await runWithKeys('restore', ...at('--from', empty));
  expect([restored.err, restored.code]).toEqual(['', 0]);
  expect(restored.out).toMatch(/^restored from \[snapshot-.*\]: a\n$/);
  const server = await startNode(s3, empty);
  expect((await server.ok('GET', '/a/_count')).count).toBe(40);
  await server.stop();
  await s3.stop();
  for (const folder of [empty, seed.dataDir, seed.root])
    rmSync(folder, { recursive: true, force: true });
}, 180_000);

/** Runs `quarry` with the keys of the stub. */
function runWithKeys(...args: readonly string[]) {
  const env = { ...process.env, ...STUB_KEYS };
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { env });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
  return new Promise<{ code: number | null; out: string; err: string }>((done) =>
    child.once('close', (code) => done({ code, ...texts })),
  );
}

describe('a node', () => {
  let s3: Awaited<ReturnType<typeof startStub>>;
  let server: SnapshotServer;
  beforeAll(async () => {
    s3 = await startStub();
    server = await startNode(s3);
  });
  afterAll(async () => {
    await server?.stop();
    await s3?.stop();
  });

  test('shows what was put, without keys, and refuses keys in a body', async () => {
    await server.ok('PUT', '/_snapshot/shown', repositoryIn(s3));
    const { shown } = await server.ok('GET', '/_snapshot/shown');
    expect(shown).toEqual({
      type: 's3',
      settings: { bucket: 'backups', base_path: 'daily', endpoint: s3.endpoint, region: s3.region },
    });
    expect((await server.call('GET', '/_cat/repositories')).text).toMatch(/shown\s+s3/);
    const refused = await server.call('PUT', '/_snapshot/x', repositoryIn(s3, { secret_key: 's' }));
    expect(refused.status).toBe(400);
    expect(refused.json.error.reason).toContain('[secret_key] is not supported by type [s3], keys');
    expect(refused.text).not.toContain('"s"');
  });

  test('refuses places that the configuration does not list', async () => {
    s3.stub.calm();
    for (const more of [{ bucket: 'others' }, { endpoint: 'http://127.0.0.1:1' }]) {
      const refused = await server.call('PUT', '/_snapshot/x', repositoryIn(s3, more));
      expect(refused.status).toBe(400);
      expect(refused.json.error.reason).toContain('is not allowed by [snapshot.s3_places]');
    }
    expect(s3.stub.log).toEqual([]);
  });

  test('tells why a place cannot be used: 400 for settings, 503 for a time', async () => {
    s3.stub.fault = () => failure(403, 'AccessDenied');
    const denied = await server.call('PUT', '/_snapshot/x', repositoryIn(s3));
    expect([denied.status, denied.json.error.type]).toEqual([400, 'repository_exception']);
    expect(denied.json.error.reason).toContain('it answered [403 AccessDenied]: as the test wants');
    s3.stub.fault = () => 'cut';
    const cut = await server.call('PUT', '/_snapshot/x', repositoryIn(s3));
    expect(cut.status).toBe(503);
    expect(cut.json.error.reason).toContain('(after 5 attempts)');
    s3.stub.calm();
    expect((await server.call('GET', '/_snapshot/x')).status).toBe(404);
  });

  test('killed in the middle leaves a snapshot that is complete or absent, and no files', async () => {
    await server.ok('PUT', '/_snapshot/k', repositoryIn(s3));
    await server.ok('POST', '/a/_bulk', documents(300));
    await server.ok('PUT', `/_snapshot/k/base${wait}`);
    const base = s3.keys();
    s3.stub.calm();
    await server.ok('PUT', `/_snapshot/k/probe${wait}`);
    const requests = s3.stub.log.length;
    await server.ok('DELETE', '/_snapshot/k/probe');
    for (const moment of [0.2, 0.5, 0.8, 1]) {
      await server.ok('POST', '/a/_bulk', documents(300, Math.round(moment * 1000)));
      s3.stub.calm();
      const reached = new Promise<void>((resolve) => {
        // Requests beyond that one are never answered.
        s3.stub.fault = (number) => {
          if (number < moment * requests) return undefined;
          resolve();
          return 'cut';
        };
      });
      const cut = server.call('PUT', `/_snapshot/k/s${wait}`).catch(() => {});
      await reached;
      await server.kill('SIGKILL');
      await cut;
      s3.stub.calm();
      const { dataDir, root } = server;
      server = await startNode(s3, dataDir);
      rmSync(root, { recursive: true, force: true });
      const { snapshots } = await server.ok('GET', '/_snapshot/k/_all');
      for (const { snapshot, state } of snapshots) {
        expect(state).toBe('SUCCESS');
        if (snapshot !== 'base') await server.ok('DELETE', `/_snapshot/k/${snapshot}`);
      }
      await server.ok('POST', '/_snapshot/k/_cleanup');
      expect(s3.keys()).toEqual(base);
      expect(s3.unfinished()).toEqual([]);
    }
    await server.ok('POST', `/_snapshot/k/base/_restore${wait}`, {
      rename_pattern: '^',
      rename_replacement: 'old-',
      include_aliases: false,
    });
    expect((await server.ok('GET', '/old-a/_count')).count).toBe(300);
  }, 120_000);

  test('follows a policy, and keeps what its retention says', async () => {
    await server.ok('PUT', '/_snapshot/p', repositoryIn(s3, { base_path: 'policy' }));
    await server.ok('PUT', '/_slm/policy/often', {
      schedule: '* * * * * ?',
      name: '<often-{now/d}>',
      repository: 'p',
      config: { indices: ['a'], include_global_state: false },
      retention: { max_count: 2 },
    });
    const taken = async (): Promise<number> =>
      (await server.ok('GET', '/_slm/policy/often')).often.stats.snapshots_taken;
    for (let i = 0; i < 300 && (await taken()) < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await server.ok('POST', '/_slm/stop');
    expect(await server.ok('GET', '/_slm/status')).toEqual({ operation_mode: 'STOPPED' });
    for (let i = 0; i < 300; i++) {
      const { often } = await server.ok('GET', '/_slm/policy/often');
      if (often.in_progress === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { snapshots } = await server.ok('GET', '/_snapshot/p/_all');
    expect(snapshots.length).toBe(2);
    for (const { snapshot, metadata } of snapshots) {
      expect(snapshot).toMatch(/^often-\d{4}\.\d\d\.\d\d-[a-z0-9_-]{22}$/);
      expect(metadata).toEqual({ policy: 'often' });
    }
    await server.ok('PUT', `/_snapshot/p/by-hand${wait}`);
    const filtered = async (filter: string): Promise<number> =>
      (await server.ok('GET', `/_snapshot/p/*?slm_policy_filter=${filter}`)).total;
    const filters = ['often', 'o*', 'other', '_none', 'often,_none', '*,-often'];
    expect(await Promise.all(filters.map(filtered))).toEqual([2, 2, 0, 1, 3, 0]);
    const stats = await server.ok('GET', '/_slm/stats');
    expect(stats.total_snapshots_taken).toBeGreaterThanOrEqual(3);
    expect(stats.total_snapshots_deleted).toBe(stats.total_snapshots_taken - 2);
    await server.ok('DELETE', '/_slm/policy/often');
    expect(await server.ok('GET', '/_slm/policy')).toEqual({});
  }, 60_000);
});
