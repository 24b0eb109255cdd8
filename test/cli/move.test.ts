// `quarry move`: the cluster is a second Quarry; what was moved is asked for through a replica in
// front of it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Checksums } from '../../src/migration/checksums.ts';
import { answersOf, fillForMove } from '../cluster/moved.ts';
import { deleteEverything } from '../tools/api-requests.ts';
import { bulk, freePort, startServer, type TestServer } from '../tools/server.ts';
import { forward, type StubCluster, startStubCluster } from '../tools/stub-cluster.ts';
import { type Ran, run } from './run.ts';

let folder: string;
let source: TestServer;
let cluster: TestServer;
let replica: TestServer;
let proxy: StubCluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-move-test-'));
  [source, cluster, proxy] = await Promise.all([startServer(), startServer(), startStubCluster()]);
  replica = await startServer({
    env: {
      QUARRY_CLUSTER_ENABLED: 'true',
      QUARRY_CLUSTER_URLS: cluster.base,
      QUARRY_CLUSTER_INDEX_PREFIX: 'front-',
    },
  });
}, 120_000);
afterAll(async () => {
  await replica?.stop();
  await Promise.all([source?.stop(), cluster?.stop(), proxy?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  rmSync(join(folder, 'state'), { recursive: true, force: true });
  await deleteEverything(replica.call);
  await deleteEverything(source.call);
});

function environment(): Record<string, string> {
  return { QUARRY_URL: source.base, XDG_STATE_HOME: join(folder, 'state'), HOME: folder };
}

function move(args: readonly string[], to = cluster.base): Promise<Ran> {
  return run(['move', '--to', to, '--prefix', 'front-', ...args], folder, environment());
}

interface Report {
  readonly indexes: readonly {
    readonly index: string;
    readonly copied: number;
    readonly removed: number;
    readonly verification: {
      source: number;
      target: number;
      compared: number;
      different: string[];
    };
  }[];
  readonly changes: readonly unknown[];
  readonly closed: readonly string[];
}

function reportOf({ out }: Ran): Report {
  return JSON.parse(out) as Report;
}

async function fill(count: number): Promise<void> {
  await source.call('PUT', '/books', { settings: { number_of_shards: 2 }, aliases: { shelf: {} } });
  const lines = Array.from({ length: count }, (_, n) => [
    `{"index":{"_id":"${n}"}}`,
    `{"n":${n}.0,"title":"book ${n}"}`,
  ]).flat();
  await bulk(source, '/books/_bulk?refresh=true', lines);
}

describe('a running service', () => {
  test('has the same answers in the cluster: documents, memories, links, templates, aliases', async () => {
    await fillForMove(source);
    const before = await answersOf(source);
    const ran = await move(['--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const { indexes, changes } = reportOf(ran);
    expect(changes).toEqual([]);
    expect(indexes.map(({ index }) => index)).toContain('.svc-memory-ann-edges');
    for (const { verification } of indexes) {
      expect(verification.compared).toBe(verification.target);
      expect(verification.different).toEqual([]);
    }
    expect(await answersOf(replica)).toEqual(before);
    // A store goes on where the service was.
    const text = 'the gate code is 5678';
    expect((await replica.call('POST', '/_memory/ann', { text, dedup: true })).status).toBe(200);
    // And back.
    await deleteEverything(source.call);
    const back = ['import', '--from', 'elasticsearch', '--url', replica.base];
    const own = '*,.*,-.svc-state,-.svc-leases';
    expect((await run([...back, '--index', own], folder, environment())).code).toBe(0);
    const { templates: _templates, rendered: _rendered, ...held } = before;
    expect(await answersOf(source)).toMatchObject(held);
  });

  test('is followed by later runs: changes, deletions, fields and aliases', async () => {
    await fill(300);
    expect((await move([])).code).toBe(0);
    await source.call('PUT', '/books/_doc/1', { title: 'changed' });
    await source.call('DELETE', '/books/_doc/2');
    await source.call('PUT', '/books/_mapping', { properties: { later: { type: 'date' } } });
    await source.call('POST', '/_aliases', {
      actions: [
        { remove: { index: 'books', alias: 'shelf' } },
        { add: { index: 'books', alias: 'b' } },
      ],
    });
    await source.call('PUT', '/more/_doc/1?refresh=true', { a: 1 });
    const ran = await move(['--json']);
    expect(ran.code).toBe(0);
    expect(reportOf(ran).indexes).toMatchObject([
      { index: 'books', copied: 1, removed: 1, verification: { source: 299, target: 299 } },
      { index: 'more', copied: 1 },
    ]);
    expect((await replica.call('GET', '/books/_source/1')).json).toEqual({ title: 'changed' });
    const { aliases, mappings } = (await replica.call('GET', '/books')).json.books;
    expect(Object.keys(aliases)).toEqual(['b']);
    expect(mappings.properties.later).toEqual({ type: 'date' });
  });

  test('documents that differ in the cluster are named, whatever the counts are', async () => {
    await fill(500);
    expect((await move([])).code).toBe(0);
    await cluster.call('PUT', '/front-books/_doc/7', { title: 'not ours' });
    await cluster.call('DELETE', '/front-books/_doc/8');
    await cluster.call('PUT', '/front-books/_doc/other', { title: 'not ours' });
    const ran = await move(['--json']);
    expect(ran.code).toBe(1);
    const [{ verification } = { verification: undefined }] = reportOf(ran).indexes;
    expect(verification?.different.toSorted()).toEqual(['7', '8', 'other']);
    expect(verification).toMatchObject({ source: 500, target: 500, compared: 500 });
    expect((await move([])).out).toContain('500 documents on both sides; 497 of 500');
  });

  test('a closed index is told, and a trial run writes nothing', async () => {
    await fill(5);
    await source.call('PUT', '/shut', {});
    await source.call('POST', '/shut/_close');
    expect(await move(['--dry-run'])).toMatchObject({ code: 1, err: '' });
    expect((await replica.call('GET', '/_all')).json).toEqual({});
    const { code, out } = await move([]);
    expect(code).toBe(1);
    expect(out).toContain('shut: left out, it is closed: open it, and run again');
    expect(out).toContain('1 indexes, ');
    expect((await move(['--index', 'books'])).code).toBe(0);
  });

  test('a run that was killed goes on, and nothing is missing or doubled', async () => {
    await fill(6000);
    // Each bulk waits, so that the run can be killed between two of them.
    let bulks = 0;
    proxy.behave(async (request, response) => {
      if (request.path.includes('/_bulk')) {
        bulks += 1;
        await new Promise((done) => setTimeout(done, 60));
      }
      await forward(cluster, request, response);
      return undefined;
    });
    const args = ['move', '--to', proxy.url, '--prefix', 'front-'];
    for (let kills = 0; kills < 3; kills++) {
      const before = bulks;
      const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', ...environment() },
      });
      const ended = new Promise((done) => child.once('close', done));
      await expect.poll(() => bulks - before, { timeout: 60_000, interval: 20 }).toBeGreaterThan(3);
      child.kill('SIGKILL');
      await ended;
    }
    const ran = await move(['--json'], proxy.url);
    expect(ran.code).toBe(0);
    const [index] = reportOf(ran).indexes;
    expect(index?.verification).toMatchObject({ source: 6000, target: 6000, different: [] });
    expect(index?.copied).toBeLessThan(6000);
  }, 180_000);
});

test('a data folder is moved while no service has it', async () => {
  const dataDir = join(folder, 'data');
  const server = await startServer({ dataDir });
  await fillForMove(server);
  const before = await answersOf(server);
  await server.stop();
  const ran = await run(
    ['move', '--to', cluster.base, '--data-dir', dataDir, '--json'],
    folder,
    // As the replicas have it; the prefix may be there too.
    { ...environment(), QUARRY_CLUSTER_INDEX_PREFIX: 'front-', QUARRY_CLUSTER_URLS: 'http://n:1' },
  );
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(await answersOf(replica)).toEqual(before);
}, 60_000);

test('misuse is refused before anything is written', async () => {
  await fill(5);
  await replica.call('PUT', '/books', {});
  const exists = await move([]);
  expect(exists).toMatchObject({ code: 1, out: '' });
  expect(exists.err).toContain('has an index [books] that this move has not created');
  const silent = `http://127.0.0.1:${await freePort()}`;
  expect((await move([], silent)).code).toBe(1);
  expect((await move(['--url', replica.base])).err).toContain('is itself in front of a cluster');
  proxy.behave((_request, response) => {
    response.statusCode = 400;
    return {};
  });
  expect((await move(['--url', proxy.url])).err).toContain('is no Quarry');
  expect((await move(['--url', 'http://x:1', '--data-dir', 'y'])).code).toBe(2);
  expect((await run(['move'], folder, environment())).code).toBe(2);
  expect((await move(['--index', 'none*'])).err).toContain('no open index [none*]');
}, 60_000);

describe('checksums', () => {
  const of = (...documents: readonly (readonly [string, string, string?])[]): Checksums => {
    const sums = new Checksums();
    for (const [id, text, routing] of documents) {
      const source = Buffer.from(text);
      sums.add({ index: 'i', id, score: null, source, ...(routing && { routing }) });
    }
    return sums;
  };

  test('do not depend on the order of documents and members or the spelling of numbers', () => {
    const one = of(['a', '{"n":1.0,"o":{"p":1,"q":2}}'], ['b', '{"n":12345678901234567890}']);
    const other = of(['b', '{"n":12345678901234567890}'], ['a', '{"o":{"q":2,"p":1}, "n": 1 }']);
    expect(one.differing(other)).toEqual([]);
  });

  test.each([
    ['another value', of(['a', '{"n":2}'])],
    ['another number beyond doubles', of(['a', '{"n":12345678901234567891}'])],
    ['another routing', of(['a', '{"n":1}', 'r'])],
    ['another id', of(['b', '{"n":1}'])],
    ['a further document', of(['a', '{"n":1}'], ['b', '{}'])],
    ['the same document twice', of(['a', '{"n":1}'], ['a', '{"n":1}'])],
  ])('tell %s', (_what, other) => {
    const one = of(['a', '{"n":1}']);
    expect(one.differing(other).length).toBeGreaterThan(0);
  });
});
