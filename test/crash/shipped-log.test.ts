// A log that is shipped away brings any moment back without the machine: after kill -9 and the loss
// of the data folder in the middle of writes, at most the interval is missing.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, run } from '../cli/run.ts';
import { LONG } from '../tools/long.ts';
import { S3Stub, STUB_KEYS } from '../tools/s3-stub.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const INTERVAL_MS = 500;
let folder: string;
let servers: TestServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-shipped-'));
});
afterAll(async () => {
  for (const server of servers) await server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

let names = 0;
function fresh(what: string): string {
  names += 1;
  return join(folder, `${what}-${names}`);
}

async function start(place: string, dataDir: string, env = {}): Promise<TestServer> {
  const server = await startServer({
    dataDir,
    env: {
      QUARRY_SNAPSHOT_SHIP_LOG: place,
      QUARRY_SNAPSHOT_SHIP_INTERVAL_MS: String(INTERVAL_MS),
      // Files of the log are cut and removed often.
      QUARRY_WAL_FILE_BYTES: '1048576',
      ...env,
    },
  });
  servers.push(server);
  return server;
}

async function end(server: TestServer, how: 'kill' | 'stop' = 'kill'): Promise<void> {
  servers = servers.filter((one) => one !== server);
  if (how === 'kill') await server.kill('SIGKILL');
  else await server.stop();
}

/** Everything that was acknowledged until now is shipped. */
async function shipped(server: TestServer): Promise<void> {
  const now = Date.now();
  await expect
    .poll(async () => untilOf(await finding(server)), { timeout: 20_000, interval: 50 })
    .toBeGreaterThan(now);
}

async function finding({ call }: TestServer): Promise<{ state: string; found: string }> {
  const { findings } = (await call('GET', '/v1/doctor')).json;
  return findings.find(({ what }: { what: string }) => what === 'shipped log');
}

function untilOf({ found }: { found: string }): number {
  return Date.parse(/until (\S+Z)/.exec(found)?.[1] ?? '') || 0;
}

interface Restored {
  readonly moment: string;
  readonly until: string;
}

function restore(place: string, dataDir: string, time: string, env = {}): Promise<Ran> {
  const args = ['restore', '--from', place, '--to-time', time, '--data-dir', dataDir, '--json'];
  return run(args, folder, env);
}

async function restored(place: string, time: string, env = {}): Promise<[string, Restored]> {
  const dataDir = fresh('data');
  const { code, out, err } = await restore(place, dataDir, time, env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return [dataDir, JSON.parse(out) as Restored];
}

const put = (
  server: TestServer,
  path: string,
  body: unknown = {},
): ReturnType<TestServer['call']> => server.call('PUT', path, body);

/** What a service holds, as far as the tests below change it. */
async function contentOf({ call }: TestServer): Promise<unknown> {
  await call('POST', '/_refresh');
  const { json: found } = await call('POST', '/_all/_search?expand_wildcards=all', {
    size: 1000,
    _source: true,
    sort: ['_index', { n: { order: 'asc', unmapped_type: 'long' } }],
  });
  const { json: indexes } = await call('GET', '/_all?expand_wildcards=all');
  return {
    documents: found.hits.hits.map((hit: { _index: string; _id: string; _source: unknown }) => [
      hit._index,
      hit._id,
      hit._source,
    ]),
    indexes,
    templates: (await call('GET', '/_index_template')).json,
    scripts: (await call('GET', '/_scripts/find')).json,
  };
}

/** Steps that change every kind of thing that is shipped. */
const STEPS: readonly ((server: TestServer) => Promise<void>)[] = [
  async (server) => {
    await put(server, '/books', { mappings: { properties: { t: { type: 'semantic_text' } } } });
    for (let n = 0; n < 20; n++) await put(server, `/books/_doc/${n}`, { n, t: `text ${n}` });
  },
  async (server) => {
    await server.call('POST', '/books/_flush');
    await server.call('DELETE', '/books/_doc/3');
    await put(server, '/books/_doc/4', { n: 4, changed: true });
    await put(server, '/_index_template/t', { index_patterns: ['x-*'] });
  },
  async (server) => {
    await server.call('POST', '/books/_forcemerge?max_num_segments=1');
    await put(server, '/more/_doc/1', { n: 1 });
    const actions = [
      { add: { index: 'books', alias: 'shelf' } },
      { add: { index: 'more', alias: 'shelf' } },
    ];
    await server.call('POST', '/_aliases', { actions });
    const script = { lang: 'mustache', source: '{"query":{"match_all":{}}}' };
    await put(server, '/_scripts/find', { script });
  },
  async (server) => {
    await server.call('DELETE', '/more');
    await put(server, '/books/_settings', { index: { refresh_interval: '5s' } });
    await server.call('DELETE', '/_index_template/t');
    await put(server, '/later/_doc/1', { n: 1 });
    await server.call('POST', '/later/_flush');
  },
];

describe('any moment', () => {
  test('comes back with documents, indexes, aliases, templates and scripts', async () => {
    const place = fresh('place');
    const server = await start(place, fresh('data'));
    const moments: { readonly time: string; readonly content: unknown }[] = [];
    for (const [i, step] of STEPS.entries()) {
      await step(server);
      await shipped(server);
      moments.push({ time: new Date().toISOString(), content: await contentOf(server) });
      await pause(5);
      // A base in the middle, and a start on what is there.
      if (i === 1) await end(server, 'kill');
      if (i === 1) Object.assign(server, await start(place, server.dataDir));
    }
    await end(server);
    for (const { time, content } of moments) {
      const [dataDir] = await restored(place, time);
      const back = await start(fresh('place'), dataDir);
      expect(await contentOf(back)).toEqual(content);
      await end(back);
    }
  }, 120_000);

  test('comes back from S3, to a service that says which one it is', async () => {
    const stub = new S3Stub();
    await stub.start();
    const env = { ...STUB_KEYS, QUARRY_SNAPSHOT_SHIP_REGION: stub.region };
    const place = `${stub.endpoint}/${stub.bucket}/logs`;
    const server = await start(place, fresh('data'), env);
    await STEPS[0]?.(server);
    await shipped(server);
    const content = await contentOf(server);
    await end(server);
    const dataDir = fresh('data');
    const args = ['restore', '--from', place, '--region', stub.region, '--to-time', 'latest'];
    const { code, out } = await run([...args, '--data-dir', dataDir], folder, STUB_KEYS);
    expect(code).toBe(0);
    const [, moment] = /is as at (\S+): 1 indexes/.exec(out) ?? [];
    const back = await start(fresh('place'), dataDir);
    expect(await contentOf(back)).toEqual(content);
    expect(back.log()).toContain(`was brought back from`);
    expect(back.log()).toContain(moment);
    await end(back);
    await stub.stop();
  }, 60_000);
});

describe('kill -9 and the loss of the folder', () => {
  // Each life ends at a random moment of its writes, and the next one begins with what came back.
  test(
    'lose at most the interval',
    async () => {
      const random = randomOf(20_261_127);
      let dataDir = fresh('data');
      const acknowledged = new Map<string, number>();
      for (let life = 0; life < (LONG ? 40 : 3); life++) {
        const place = fresh('place');
        const server = await start(place, dataDir);
        await shipped(server);
        let isAlive = true;
        const writer = async (w: number): Promise<void> => {
          for (let i = 0; isAlive; i++) {
            const id = `${life}-${w}-${i}`;
            const { status } = await put(server, `/books/_doc/${id}`, {
              life,
              text: 'x'.repeat(20_000),
            }).catch(() => ({ status: 0 }));
            if (status === 201) acknowledged.set(id, Date.now());
            const dice = random();
            if (dice < 0.01) await server.call('POST', '/books/_flush').catch(() => {});
            else if (dice < 0.015) await server.call('POST', '/books/_forcemerge').catch(() => {});
          }
        };
        const writers = [0, 1].map(writer);
        await pause(500 + random() * 3000);
        await end(server);
        const killed = Date.now();
        isAlive = false;
        await Promise.all(writers);
        rmSync(dataDir, { recursive: true, force: true });
        const [next, { moment, until }] = await restored(place, 'latest');
        const reached = Math.max(Date.parse(moment), Date.parse(until));
        // The upload of the last interval may have been cut; the machine is shared with other tests.
        expect(killed - reached).toBeLessThan(2 * INTERVAL_MS + 5000);
        const back = await startServer({ dataDir: next });
        await back.call('POST', '/_refresh');
        const missing: string[] = [];
        for (const [id, time] of acknowledged) {
          if ((await back.call('HEAD', `/books/_doc/${id}`)).status === 200) continue;
          missing.push(id);
          expect(time, `${id} was acknowledged before ${moment}`).toBeGreaterThan(reached);
        }
        for (const id of missing) acknowledged.delete(id);
        await back.stop();
        dataDir = next;
      }
      expect(acknowledged.size).toBeGreaterThan(10);
    },
    LONG ? 1_800_000 : 180_000,
  );
});

describe('a place', () => {
  test('that does not answer is told by doctor, and gets everything when it does again', async () => {
    const place = fresh('place');
    const server = await start(place, fresh('data'));
    await STEPS[0]?.(server);
    await shipped(server);
    renameSync(place, `${place}-away`);
    appendFileSync(place, 'no folder');
    for (let n = 20; n < 40; n++)
      await put(server, `/books/_doc/${n}`, { n, text: 'y'.repeat(99_000) });
    await server.call('POST', '/books/_flush');
    await expect.poll(async () => (await finding(server)).state, { timeout: 20_000 }).toBe('wrong');
    const lag = (await server.call('GET', '/v1/metrics')).text;
    expect(lag).toMatch(/quarry_ship_log_failures [1-9]/);
    rmSync(place);
    renameSync(`${place}-away`, place);
    await shipped(server);
    expect(await finding(server)).toMatchObject({ state: 'good' });
    const content = await contentOf(server);
    await end(server);
    const [dataDir] = await restored(place, 'latest');
    const back = await start(fresh('place'), dataDir);
    expect(await contentOf(back)).toEqual(content);
    await end(back);
  }, 60_000);

  test('with a damaged or missing file gives nothing that a service would open', async () => {
    const place = fresh('place');
    const server = await start(place, fresh('data'));
    await STEPS[0]?.(server);
    await shipped(server);
    await end(server);
    const [id = ''] = readdirSync(join(place, 'log'));
    const wal = join(place, 'log', id, 'wal');
    const [file = ''] = readdirSync(wal);
    appendFileSync(join(wal, file), 'x');
    const dataDir = fresh('data');
    const ran = await restore(place, dataDir, 'latest');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`wal/${file}] is damaged`);
    expect(existsSync(join(dataDir, 'NODE'))).toBe(false);
    await expect(startServer({ dataDir })).rejects.toThrow();
    rmSync(join(wal, file));
    expect((await restore(place, fresh('data'), 'latest')).err).toContain('is missing');
  }, 60_000);

  test('keeps the history of a folder and that of its copy apart', async () => {
    const place = fresh('place');
    const server = await start(place, fresh('data'));
    await STEPS[0]?.(server);
    await shipped(server);
    await end(server);
    const copy = fresh('data');
    cpSync(server.dataDir, copy, { recursive: true });
    const one = await start(place, server.dataDir);
    await put(one, '/books/_doc/a', { n: 100 });
    await shipped(one);
    const other = await start(place, copy);
    await put(other, '/books/_doc/b', { n: 101 });
    await shipped(other);
    await shipped(one);
    await Promise.all([end(one), end(other)]);
    const histories = readdirSync(join(place, 'log'));
    expect(histories).toHaveLength(2);
    const held: string[] = [];
    for (const id of histories) {
      const dataDir = fresh('data');
      const args = ['restore', '--from', place, '--to-time', 'latest', '--history', id];
      expect((await run([...args, '--data-dir', dataDir], folder, {})).code).toBe(0);
      const back = await startServer({ dataDir });
      for (const id of ['a', 'b']) {
        if ((await back.call('HEAD', `/books/_doc/${id}`)).status === 200) held.push(id);
      }
      await back.stop();
    }
    expect(held.toSorted()).toEqual(['a', 'b']);
  }, 60_000);

  test('has to be named rightly, with a moment that it has, for an empty folder', async () => {
    const place = fresh('place');
    expect((await restore(place, fresh('data'), 'latest')).err).toContain('no log was shipped');
    const server = await start(place, fresh('data'));
    await shipped(server);
    await end(server);
    expect((await restore(place, fresh('data'), '2020-01-01T00:00:00Z')).err).toContain(
      'the oldest moment is',
    );
    expect((await restore(place, fresh('data'), 'yesterday')).code).toBe(2);
    expect((await restore(place, server.dataDir, 'latest')).err).toContain('is not empty');
    const second = await start(place, fresh('data'));
    await shipped(second);
    await end(second);
    expect((await restore(place, fresh('data'), 'latest')).err).toContain('--history');
    const history = ['--history', 'none', '--to-time', 'latest', '--data-dir', fresh('data')];
    expect((await run(['restore', '--from', place, ...history], folder, {})).err).toContain(
      'there is no history [none]',
    );
    expect((await run(['restore', '--from', place, '--history', 'x'], folder, {})).code).toBe(2);
  }, 60_000);
});

/** A generator of numbers from 0 to 1 that a seed determines. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
