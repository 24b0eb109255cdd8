// Asynchronous searches over HTTP: the same answer as that of a search, whoever waits for how long;
// what is deleted, expires or has no room is gone, and only the key that began a search sees it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Privilege } from '../../src/auth/grant.ts';
import { changeKeys } from '../../src/auth/key-file.ts';
import { keyText, makeKey } from '../../src/auth/key-record.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-async-search-'));
const keys: Record<string, string> = {};
let server: TestServer;

const KEYS: Readonly<Record<string, [indices: readonly string[], privileges: Privilege[]]>> = {
  admin: [['*'], ['read', 'write', 'manage']],
  other: [['*'], ['read']],
  reader: [['small'], ['read']],
  twin: [['small'], ['read']],
  elsewhere: [['other-*'], ['read']],
};

/** Phrases of several words that repeat, with unlimited slop; each takes about 50 ms. */
const SLOW = Array.from({ length: 100 }, (_, i) => ({
  match_phrase: { long: { query: 'aa ab aaa '.repeat(50), slop: 100_000 + i } },
}));
/** Takes a minute and more. */
const ENDLESS = { size: 0, aggs: { phrases: { filters: { filters: SLOW } } } };
/** Takes less than seconds, and more than the first answer waits for. */
const WHILE = { _source: ['n'], query: { bool: { filter: SLOW.slice(0, 2) } } };

beforeAll(async () => {
  for (const [name, [indices, privileges]] of Object.entries(KEYS)) {
    const made = await makeKey({ name, indices, privileges }, Date.now());
    await changeKeys(join(dataDir, 'keys.json'), (all) => [...all, made.record]);
    keys[name] = keyText(made.credentials);
  }
  server = await startServer({
    dataDir,
    args: [
      ...['--auth.enabled', '--pools.search_threads', '2', '--pools.http_threads', '2'],
      ...['--search.max_open_contexts', '4', '--search.held_bytes', '200000'],
    ],
  });
  const lines = (count: number, of: (n: number) => object): string =>
    Array.from({ length: count }, (_, n) => [{ index: { _id: String(n) } }, of(n)])
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  const load = async (index: string, body: string): Promise<void> => {
    const headers = { ...as('admin'), 'content-type': 'application/x-ndjson' };
    const { json } = await server.call('POST', `/${index}/_bulk?refresh=true`, body, headers);
    expect(json.errors).toBe(false);
  };
  await server.call(
    'PUT',
    '/small',
    {
      settings: { number_of_shards: 2 },
      mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' } } },
    },
    as('admin'),
  );
  await load(
    'small',
    lines(30, (n) => ({ n, k: `k${n % 3}`, text: 'word '.repeat(100) })),
  );
  await load(
    'slow',
    lines(20, (n) => ({ n, long: 'aa ab aaa '.repeat(8000) })),
  );
}, 120_000);

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function as(who: string): Record<string, string> {
  return { authorization: `Bearer ${keys[who]}` };
}

function call(method: string, path: string, body?: unknown, who = 'admin'): Promise<Reply> {
  return server.call(method, path, body, as(who));
}

async function busySearches(): Promise<number> {
  const { text } = await call('GET', '/v1/metrics');
  return Number(/quarry_pool_threads_busy\{pool="search"\} (\d+)/.exec(text)?.[1] ?? Number.NaN);
}

async function until(isSo: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) {
    if (await isSo()) return true;
  }
  return false;
}

/** Begins a search that runs until it is cancelled, and waits for a thread that executes it. */
async function begin(params = '', who = 'admin'): Promise<string> {
  const path = `/slow/_async_search?wait_for_completion_timeout=0&request_cache=false${params}`;
  const { status, json } = await call('POST', path, ENDLESS, who);
  expect([status, json.is_running, json.is_partial]).toEqual([200, true, true]);
  expect(await until(async () => (await busySearches()) > 0, 20_000)).toBe(true);
  return json.id;
}

function missing(id: string): object {
  const cause = { type: 'resource_not_found_exception', reason: id };
  return { error: { root_cause: [cause], ...cause }, status: 404 };
}

const BODY = {
  query: { range: { n: { lt: 20 } } },
  sort: ['n'],
  size: 3,
  aggs: { k: { terms: { field: 'k' } } },
};

test('a search that ends while its client waits is answered like any other, and not kept', async () => {
  const plain = await call('POST', '/small/_search?typed_keys=true', BODY);
  const { status, json, headers } = await call(
    'POST',
    '/small/_async_search?typed_keys=true',
    BODY,
  );
  expect(status).toBe(200);
  const { took, ...response } = json.response;
  expect(response).toEqual({ ...plain.json, took: undefined });
  expect(json).toMatchObject({ is_partial: false, is_running: false });
  expect(json.id).toBeUndefined();
  expect(headers.get('x-elasticsearch-async-id')).toBeNull();
  const { start_time_in_millis: start, expiration_time_in_millis: expiration } = json;
  expect(Date.now() - start).toBeLessThan(60_000);
  expect(expiration - start).toBe(5 * 24 * 3_600_000);
  expect(json.completion_time_in_millis).toBe(start + took);
});

test('an answer that is kept is read many times, and is missing once it is deleted', async () => {
  const begun = await call(
    'POST',
    // Longer than the longest timer.
    '/small/_async_search?keep_on_completion=true&keep_alive=60d',
    BODY,
  );
  const { id } = begun.json;
  expect(begun.headers.get('x-elasticsearch-async-id')).toBe(id);
  expect(begun.headers.get('x-elasticsearch-async-is-running')).toBe('?0');
  for (let i = 0; i < 2; i++) {
    const read = await call('GET', `/_async_search/${id}`);
    expect([read.status, read.json]).toEqual([200, begun.json]);
  }
  const { response: _response, ...times } = begun.json;
  const status = await call('GET', `/_async_search/status/${id}`);
  expect(status.json).toEqual({
    ...times,
    _shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
    completion_status: 200,
  });
  const filtered = await call('GET', `/_async_search/${id}?filter_path=response.hits.total.value`);
  expect(filtered.json).toEqual({ response: { hits: { total: { value: 20 } } } });
  const deleted = await call('DELETE', `/_async_search/${id}`);
  expect([deleted.status, deleted.json]).toEqual([200, { acknowledged: true }]);
  for (const [method, path] of [
    ['GET', `/_async_search/${id}`],
    ['GET', `/_async_search/status/${id}`],
    ['DELETE', `/_async_search/${id}`],
  ] as const) {
    const gone = await call(method, path);
    expect([gone.status, gone.json]).toEqual([404, missing(id)]);
  }
});

test('a search that takes longer than its client waits is answered later', async () => {
  const path = '/slow/_async_search?wait_for_completion_timeout=1ms&keep_alive=10m';
  const begun = await call('POST', path, WHILE);
  const { id } = begun.json;
  expect(begun.json).toMatchObject({
    is_running: true,
    is_partial: true,
    response: {
      timed_out: false,
      terminated_early: false,
      _shards: { total: 1, successful: 0, skipped: 0, failed: 0 },
      hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
    },
  });
  expect(begun.headers.get('x-elasticsearch-async-is-running')).toBe('?1');
  const state = await call('GET', `/_async_search/status/${id}`);
  expect(state.json).toMatchObject({ id, is_running: true, is_partial: true });
  expect(state.json.completion_status).toBeUndefined();
  const ended = await call('GET', `/_async_search/${id}?wait_for_completion_timeout=60s`);
  const plain = await call('POST', '/slow/_search', WHILE);
  expect(ended.json).toMatchObject({
    id,
    is_running: false,
    is_partial: false,
    response: { ...plain.json, took: expect.any(Number) },
  });
  await call('DELETE', `/_async_search/${id}`);
}, 120_000);

test('whichever connection asks, it finds the search', async () => {
  const { json } = await call('POST', '/small/_async_search?keep_on_completion=true', BODY);
  const headers = { ...as('admin'), connection: 'close' };
  const found = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.call('GET', `/_async_search/${json.id}`, undefined, headers),
    ),
  );
  expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200]));
  await call('DELETE', `/_async_search/${json.id}`);
});

test('a search is cancelled when it is deleted', async () => {
  const id = await begin();
  const deleted = await call('DELETE', `/_async_search/${id}`);
  expect(deleted.json).toEqual({ acknowledged: true });
  expect(await until(async () => (await busySearches()) === 0, 5000)).toBe(true);
  expect((await call('GET', `/_async_search/${id}`)).status).toBe(404);
}, 60_000);

test('a search is cancelled when it expires, and each use may say for how long it is kept', async () => {
  const id = await begin('&keep_alive=1s');
  const later = await call('GET', `/_async_search/status/${id}?keep_alive=5s`);
  expect(later.json.expiration_time_in_millis).toBeGreaterThan(
    later.json.start_time_in_millis + 4000,
  );
  await sleep(1500);
  expect((await call('GET', `/_async_search/${id}`)).status).toBe(200);
  const status = async (): Promise<number> => (await call('GET', `/_async_search/${id}`)).status;
  expect(await until(async () => (await status()) === 404, 20_000)).toBe(true);
  expect(await until(async () => (await busySearches()) === 0, 10_000)).toBe(true);
  const gone = await call('GET', `/_async_search/${id}`);
  expect([gone.status, gone.json]).toEqual([404, missing(id)]);
}, 60_000);

test('a search is cancelled when its client leaves while it waits', async () => {
  const leaving = new AbortController();
  const answer = fetch(`${server.base}/slow/_async_search?wait_for_completion_timeout=10m`, {
    method: 'POST',
    body: JSON.stringify(ENDLESS),
    headers: { ...as('admin'), 'content-type': 'application/json' },
    signal: leaving.signal,
  }).catch(() => 'gone');
  expect(await until(async () => (await busySearches()) > 0, 20_000)).toBe(true);
  leaving.abort();
  expect(await answer).toBe('gone');
  expect(await until(async () => (await busySearches()) === 0, 5000)).toBe(true);
}, 60_000);

test('a search that fails while its client waits is refused like any other', async () => {
  for (const [path, body] of [
    ['/absent/_search', {}],
    ['/small/_search', { query: { nothing: {} } }],
    ['/small/_search', { aggs: { k: { terms: { field: 'text' } } } }],
  ] as const) {
    const plain = await call('POST', path, body);
    const async = await call('POST', path.replace('_search', '_async_search'), body);
    expect(async.status).toBeGreaterThanOrEqual(400);
    expect([async.status, async.json]).toEqual([plain.status, plain.json]);
  }
});

test('a search that fails later keeps its error', async () => {
  const body = { ...WHILE, aggs: { h: { histogram: { field: 'n', interval: 1e-5 } } } };
  const begun = await call('POST', '/slow/_async_search?wait_for_completion_timeout=1ms', body);
  const { id } = begun.json;
  const failed = await call('GET', `/_async_search/${id}?wait_for_completion_timeout=60s`);
  expect(failed.status).toBe(400);
  expect(failed.json).toMatchObject({
    id,
    is_partial: true,
    is_running: false,
    error: { type: expect.any(String), reason: expect.any(String) },
  });
  expect(failed.json.response).toBeUndefined();
  expect(failed.json.error.root_cause).toBeUndefined();
  const state = await call('GET', `/_async_search/status/${id}`);
  expect([state.status, state.json.completion_status]).toEqual([200, 400]);
  await call('DELETE', `/_async_search/${id}`);
}, 60_000);

describe('a limit that is reached is named', () => {
  test('of searches, together with scrolls and points in time', async () => {
    const submit = () => call('POST', '/small/_async_search?keep_on_completion=true', BODY);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await submit()).json.id);
    const pit = await call('POST', '/small/_pit?keep_alive=1m');
    const refused = await submit();
    expect(refused.status).toBe(429);
    expect(refused.json.error.type).toBe('es_rejected_execution_exception');
    expect(refused.json.error.reason).toMatch(/\[4\].*_async_search.*search\.max_open_contexts/);
    expect((await call('POST', '/small/_search?scroll=1m', BODY)).status).toBe(429);
    for (const id of ids) await call('DELETE', `/_async_search/${id}`);
    await call('DELETE', '/_pit', { id: pit.json.id });
    expect((await call('POST', '/small/_async_search', BODY)).status).toBe(200);
  });

  test('of the bytes of their answers, which one that is not kept does not need', async () => {
    const body = {
      size: 30,
      aggs: { all: { terms: { field: 'n', size: 30 }, aggs: { t: { top_hits: { size: 1 } } } } },
    };
    const path = '/small/_async_search?keep_on_completion=true';
    const ids: string[] = [];
    let refused: Reply | undefined;
    for (let i = 0; i < 4 && refused === undefined; i++) {
      const reply = await call('POST', path, {
        ...body,
        size: 30 - i,
        query: { terms: { n: Array.from({ length: 30 }, (_, n) => n) } },
        aggs: { ...body.aggs, [`more${i}`]: body.aggs.all, [`most${i}`]: body.aggs.all },
      });
      if (reply.status === 200) ids.push(reply.json.id);
      else refused = reply;
    }
    expect(refused?.status).toBe(429);
    expect(refused?.json.error).toMatchObject({
      type: 'circuit_breaking_exception',
      reason: expect.stringMatching(/\[200000\] bytes of memory \(search\.held_bytes\)/),
    });
    expect((await call('POST', '/small/_async_search', body)).status).toBe(200);
    for (const id of ids) await call('DELETE', `/_async_search/${id}`);
    expect((await call('POST', path, BODY)).status).toBe(200);
  });
});

test('only the key that began a search may read or delete it', async () => {
  const { json } = await call(
    'POST',
    '/small/_async_search?keep_on_completion=true',
    BODY,
    'reader',
  );
  const path = `/_async_search/${json.id}`;
  for (const who of ['twin', 'elsewhere', 'other', 'admin']) {
    for (const [method, address] of [
      ['GET', path],
      ['GET', `/_async_search/status/${json.id}`],
      ['DELETE', path],
    ] as const) {
      const reply = await call(method, address, undefined, who);
      expect([who, reply.status, reply.json]).toEqual([who, 404, missing(json.id)]);
    }
  }
  expect((await call('GET', path, undefined, 'reader')).json.response.hits.total.value).toBe(20);
  const refused = await call('POST', '/small/_async_search', BODY, 'elsewhere');
  const plain = await call('POST', '/small/_search', BODY, 'elsewhere');
  expect([refused.status, refused.json]).toEqual([403, plain.json]);
  const all = await call('POST', '/_async_search', { size: 0 }, 'elsewhere');
  expect([all.status, all.json.response.hits.total.value]).toEqual([200, 0]);
  expect((await call('DELETE', path, undefined, 'reader')).status).toBe(200);
});

test('what is wrong with a request is refused by name', async () => {
  const submit = (params: string) => call('POST', `/small/_async_search?${params}`, {});
  const cases: readonly [Promise<Reply>, RegExp][] = [
    [
      submit('keep_alive=500ms'),
      /1: \[keep_alive\] must be greater or equals than 1 second, got:500ms;/,
    ],
    [submit('keep_alive=soon'), /\[keep_alive\] with value \[soon\]/],
    [
      submit('wait_for_completion_timeout=-1'),
      /\[wait_for_completion_timeout\] must be longer than 0/,
    ],
    [
      submit('keep_on_completion=perhaps'),
      /keep_on_completion.*perhaps|perhaps.*keep_on_completion/,
    ],
    [submit('scroll=1m'), /unrecognized parameter: \[scroll\]/],
    [submit('pre_filter_shard_size=1'), /unrecognized parameter: \[pre_filter_shard_size\]/],
    [call('GET', '/_async_search/none'), /invalid id: \[none\]/],
    [call('DELETE', '/_async_search/none'), /invalid id: \[none\]/],
  ];
  for (const [sent, reason] of cases) {
    const { status, json } = await sent;
    expect([status, json.error.reason]).toEqual([400, expect.stringMatching(reason)]);
  }
  const { json } = await submit('keep_on_completion=true&typed_keys=true');
  const untyped = await call('GET', `/_async_search/${json.id}`);
  expect([untyped.status, untyped.json.error.reason]).toEqual([
    400,
    '[typed_keys] must be [true] as it was when the asynchronous search was submitted, got [false]',
  ]);
  expect((await call('GET', `/_async_search/${json.id}?typed_keys=true`)).status).toBe(200);
  await call('DELETE', `/_async_search/${json.id}`);
});

test('a search over a point in time shows how many shards it covers', async () => {
  const pit = await call('POST', '/slow/_pit?keep_alive=1m');
  const begun = await call('POST', '/_async_search?wait_for_completion_timeout=1ms', {
    ...WHILE,
    pit: { id: pit.json.id },
  });
  expect(begun.json.response._shards.total).toBe(1);
  const path = `/_async_search/${begun.json.id}`;
  const ended = await call('GET', `${path}?wait_for_completion_timeout=60s`);
  expect(ended.json).toMatchObject({ is_running: false, response: { pit_id: pit.json.id } });
  await call('DELETE', path);
  await call('DELETE', '/_pit', { id: pit.json.id });
}, 60_000);

test('a stop of the service ends searches that run', async () => {
  await begin();
  const before = Date.now();
  expect(await server.stop()).toBe(0);
  expect(Date.now() - before).toBeLessThan(8000);
}, 60_000);
