// Two servers in cluster mode in front of a third one, which speaks the convention of a cluster.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteEverything } from '../tools/api-requests.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { runCase, sharedCases } from './agreement.ts';
import { differencesOf } from './differences.ts';
import { emptyCluster, stubNode } from './stub-cluster.ts';

let store: TestServer;
let one: TestServer;
let two: TestServer;

function inFront(urls: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    QUARRY_CLUSTER_ENABLED: 'true',
    QUARRY_CLUSTER_URLS: urls,
    QUARRY_CLUSTER_INDEX_PREFIX: 'front-',
    ...more,
  };
}

beforeAll(async () => {
  store = await startServer();
  [one, two] = await Promise.all([
    startServer({ env: inFront(store.base) }),
    startServer({ env: inFront(store.base) }),
  ]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await store?.stop();
});
beforeEach(() => deleteEverything(one.call));

describe('documents and searches', () => {
  test('are those of the cluster, below the prefix, for every replica', async () => {
    await one.call('PUT', '/books', { aliases: { shelf: {} } });
    await bulk(one, '/books/_bulk?refresh=true', [
      '{"index":{"_id":"1"}}',
      '{"title":"left","n":1.0}',
      '{"index":{}}',
      '{"title":"right","n":12345678901234567890}',
    ]);
    expect((await two.call('GET', '/shelf/_doc/1')).text).toContain('"n":1.0');
    const found = await two.call('POST', '/books/_search', {
      query: { match: { title: 'right' } },
    });
    expect(found.text).toContain('12345678901234567890');
    expect(found.json.hits.hits[0]._index).toBe('books');
    expect(
      (await store.call('GET', '/_cat/indices?format=json&expand_wildcards=all')).json,
    ).toContainEqual(expect.objectContaining({ index: 'front-books' }));
    // What has no prefix belongs to someone else.
    await store.call('PUT', '/other');
    expect((await one.call('GET', '/other')).status).toBe(404);
    expect((await one.call('GET', '/_cat/indices?format=json')).json).toHaveLength(1);
    await store.call('DELETE', '/other');
  });

  test('see an index that another replica has just created, changed or dropped', async () => {
    await one.call('PUT', '/fresh');
    expect((await two.call('GET', '/fresh/_count')).json.count).toBe(0);
    await one.call('PUT', '/fresh/_mapping', { properties: { a: { type: 'long' } } });
    expect((await two.call('GET', '/fresh/_mapping')).json.fresh.mappings.properties.a.type).toBe(
      'long',
    );
    await one.call('PUT', '/_index_template/t', {
      index_patterns: ['from-*'],
      template: { aliases: { all: {} } },
    });
    await two.call('PUT', '/from-1/_doc/1', {});
    expect((await one.call('GET', '/_alias/all')).json).toEqual({
      'from-1': { aliases: { all: {} } },
    });
    const find = { script: { lang: 'mustache', source: { query: { match_all: {} } } } };
    await one.call('PUT', '/_scripts/find', find);
    const found = await two.call('POST', '/fresh/_search/template', { id: 'find' });
    expect(found.json.hits.total.value).toBe(0);
    await one.call('DELETE', '/fresh');
    expect((await two.call('GET', '/fresh/_search')).status).toBe(404);
  });

  test('by meaning find what they would find on one node, with the same scores', async () => {
    const mapping = { mappings: { properties: { t: { type: 'semantic_text' } } } };
    const lines = ['the boat lies at the pier', 'a kayak on the lake', 'bread and butter'].flatMap(
      (t, at) => [`{"index":{"_id":"${at}"}}`, JSON.stringify({ t })],
    );
    for (const server of [one, store]) {
      await server.call('PUT', '/meant', mapping);
      await bulk(server, '/meant/_bulk?refresh=true', lines);
    }
    const body = { query: { semantic: { field: 't', query: 'a boat on the lake' } } };
    const [ours, theirs] = await Promise.all([
      two.call('POST', '/meant/_search', body),
      store.call('POST', '/meant/_search', body),
    ]);
    const scores = ({ json }: typeof ours): unknown =>
      json.hits.hits.map((hit: { _id: string; _score: number }) => [
        hit._id,
        hit._score.toFixed(4),
      ]);
    expect(scores(ours)).toEqual(scores(theirs));
    expect(ours.json.hits.hits[0]._source).toEqual({ t: 'a kayak on the lake' });
    expect((await one.call('GET', '/meant/_mapping')).json.meant.mappings.properties.t).toEqual({
      type: 'semantic_text',
    });
    // A partial change is embedded again.
    await one.call('POST', '/meant/_update/2?refresh=true', { doc: { t: 'a boat on the lake' } });
    const again = await two.call('POST', '/meant/_search', body);
    expect(again.json.hits.hits[0]._id).toBe('2');
    await store.call('DELETE', '/meant');
  });

  test('page by scrolls and points in time of the cluster', async () => {
    const lines = Array.from({ length: 5 }, (_, n) => [
      `{"index":{"_id":"${n}"}}`,
      `{"n":${n}}`,
    ]).flat();
    await bulk(one, '/many/_bulk?refresh=true', lines);
    const first = await one.call('POST', '/many/_search?scroll=1m', { size: 3, sort: ['n'] });
    const second = await two.call('POST', '/_search/scroll', { scroll_id: first.json._scroll_id });
    expect(second.json.hits.hits).toHaveLength(2);
    const { json } = await one.call('POST', '/many/_pit?keep_alive=1m');
    await one.call('DELETE', '/many/_doc/0?refresh=true');
    const pinned = await two.call('POST', '/_search', { pit: { id: json.id }, size: 10 });
    expect(pinned.json.hits.total.value).toBe(5);
    expect((await one.call('DELETE', '/_pit', { id: json.id })).json.succeeded).toBe(true);
    const deleted = await one.call('POST', '/many/_delete_by_query?refresh=true', {
      query: { match_all: {} },
    });
    expect(deleted.json.deleted).toBe(4);
  });
});

describe('memory', () => {
  test('stored through one replica is in the very next recall through another', async () => {
    for (let i = 0; i < 10; i++) {
      const [from, to] = i % 2 === 0 ? [one, two] : [two, one];
      const text = `the ${i} ${'abcdefghij'[i]}-word key lies under the mat`;
      const stored = await from.call('POST', '/_memory/m', { text });
      const recalled = await to.call('POST', '/_memory/m/_recall', { k: 20 });
      expect(recalled.json.hits.map(({ id }: { id: string }) => id)).toContain(stored.json.id);
    }
  });

  test('is not doubled by concurrent stores of the same text through both', async () => {
    const store = (server: TestServer): Promise<{ json: { created: boolean } }> =>
      server.call('POST', '/_memory/d', { text: 'the gate code is 1234', dedup: true });
    await store(one);
    const answers = await Promise.all([one, two, one, two, one, two].map(store));
    expect(answers.map(({ json }) => json.created)).toEqual(answers.map(() => false));
    const fresh = await Promise.all(
      [one, two, one, two].map((server) =>
        server.call('POST', '/_memory/e', { text: 'all at once', dedup: true }),
      ),
    );
    expect(fresh.filter(({ json }) => json.created)).toHaveLength(1);
  });

  test('follows the session whichever replica stored the last one, and its settings', async () => {
    const put = (server: TestServer, text: string): ReturnType<TestServer['call']> =>
      server.call('POST', '/_memory/s', { text, metadata: { session: 'x' } });
    await one.call('PUT', '/_memory/s', { link_sessions: true });
    const a = await put(one, 'first thing');
    const b = await put(two, 'second thing');
    const c = await put(one, 'third thing');
    expect([a, b, c].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([b.json.follows, c.json.follows]).toEqual([a.json.id, b.json.id]);
  });
});

describe('golden cases of memory and graph', () => {
  const known = (name: string): boolean =>
    differencesOf(false).some(([pattern]) => pattern.test(name));
  const cases = sharedCases((name) => !/^(?:memory|graph|hybrid)\//.test(name)).filter(
    (name) => !known(name),
  );

  test.each(cases)('%s has the same answer', async (name) => {
    const { agrees, expected, actual } = await runCase(two.call, name);
    expect(agrees, `expected ${expected}\nfound ${actual}`).toBe(true);
  });
});

describe('what only a node of its own can do', () => {
  test.each([
    ['PUT', '/_snapshot/r'],
    ['GET', '/x/_segments'],
    ['GET', '/_cat/shards'],
    ['PUT', '/_cluster/settings'],
  ])('%s %s is refused by name', async (method, path) => {
    const reply = await one.call(method, path, method === 'PUT' ? {} : undefined);
    expect(reply.status).toBe(501);
    expect(reply.json.error.reason).toMatch(/cluster mode.*cluster itself/);
  });
});

describe('the cluster', () => {
  test('is told by doctor, and waited for', async () => {
    const run = spawnSync(process.execPath, ['dist/cli/main.js', 'doctor', '--json'], {
      env: { ...process.env, ...inFront(`${store.base},http://127.0.0.1:9`), QUARRY_URL: one.base },
      encoding: 'utf8',
    });
    const { findings } = JSON.parse(run.stdout) as {
      findings: { what: string; found: string; state: string }[];
    };
    const of = (what: string): { found: string; state: string } | undefined =>
      findings.find((each) => each.what === what);
    expect(of('cluster')?.state).toBe('good');
    expect(of('cluster node')?.found).toContain('127.0.0.1:9');
    expect(of('shards')?.found).toMatch(/more namespaces fit/);
    expect(of('data folder')).toBeUndefined();
  });

  test('that is red, or gone, makes the server not ready, and requests end with 503', async () => {
    let status = 'green';
    const stub = await stubNode((request) =>
      request.path.startsWith('/_cluster/health')
        ? { status: 200, body: { status } }
        : emptyCluster(request),
    );
    const server = await startServer({
      env: inFront(stub.url, { QUARRY_CLUSTER_INDEX_PREFIX: '', QUARRY_CLUSTER_MAX_RETRIES: '0' }),
    });
    try {
      status = 'red';
      expect(await server.call('GET', '/v1/health/ready')).toMatchObject({
        status: 503,
        json: { cluster: 'red' },
      });
      status = 'yellow';
      expect((await server.call('GET', '/v1/health/ready')).status).toBe(200);
      await stub.close();
      expect(await server.call('GET', '/v1/health/ready')).toMatchObject({
        status: 503,
        json: { cluster: 'unreachable' },
      });
      expect(await server.call('GET', '/_cat/indices')).toMatchObject({
        status: 503,
        json: { error: { type: 'node_not_ready_exception' } },
      });
    } finally {
      await server.stop();
    }
  });

  test('that repeats a write itself has written what the service has the id of', async () => {
    const index = { aliases: {}, mappings: {}, settings: { index: { uuid: 'u' } } };
    const conflict = { type: 'version_conflict_engine_exception', reason: 'it is there' };
    const stub = await stubNode((request) => {
      const { method, path, body } = request;
      if (method === 'GET' && /^\/\*/.test(path)) return { status: 200, body: { i: index } };
      if (path.startsWith('/i/_create/')) return { status: 409, body: { error: conflict } };
      if (path.startsWith('/i/_doc/')) {
        return { status: 200, body: { found: true, _version: 1, _seq_no: 7, _primary_term: 2 } };
      }
      if (path.startsWith('/_bulk')) {
        const lines = body.split('\n').filter((line) => line.startsWith('{"create"'));
        const items = lines.map(() => ({ create: { status: 409, error: conflict } }));
        return { status: 200, body: { errors: true, items } };
      }
      if (path.startsWith('/_mget')) {
        const docs = [{ _index: 'i', found: true, _version: 1, _seq_no: 8, _primary_term: 2 }];
        return { status: 200, body: { docs } };
      }
      return emptyCluster(request);
    });
    const server = await startServer({
      env: inFront(stub.url, { QUARRY_CLUSTER_INDEX_PREFIX: '' }),
    });
    try {
      const made = await server.call('POST', '/i/_doc', { n: 1 });
      expect([made.status, made.json.result, made.json._seq_no]).toEqual([201, 'created', 7]);
      const lines = '{"index":{}}\n{"n":1}\n';
      const { json } = await server.call('POST', '/i/_bulk', lines, {
        'content-type': 'application/x-ndjson',
      });
      expect(json.items[0].index).toMatchObject({ status: 201, result: 'created', _seq_no: 8 });
      const given = await server.call('PUT', '/i/_create/mine', { n: 1 });
      expect(given.status).toBe(409);
    } finally {
      await server.stop();
      await stub.close();
    }
  });

  test('that is too old is refused by name at the start', async () => {
    const stub = await stubNode(() => ({ status: 200, body: { version: { number: '8.11.0' } } }));
    await expect(startServer({ env: inFront(stub.url) })).rejects.toThrow(/8\.12 or later/);
    await stub.close();
  });

  test('that leaves vectors out of documents is told to show them', async () => {
    const index = {
      aliases: {},
      mappings: {},
      settings: {
        index: { number_of_shards: '1', uuid: 'u', mapping: { exclude_source_vectors: 'false' } },
      },
    };
    const stub = await stubNode((request) => {
      const { method, path } = request;
      if (path === '/') {
        return { status: 200, body: { cluster_name: 'stub', version: { number: '9.2.0' } } };
      }
      if (method === 'GET' && /^\/\*/.test(path)) return { status: 200, body: { i: index } };
      if (method === 'PUT' && path === '/j') return { status: 200, body: {} };
      const docs = [{ _index: 'i', _id: '1', found: false }];
      if (path.startsWith('/_mget')) return { status: 200, body: { docs } };
      return emptyCluster(request);
    });
    const server = await startServer({
      env: inFront(stub.url, { QUARRY_CLUSTER_INDEX_PREFIX: '' }),
    });
    try {
      await server.call('PUT', '/j');
      await server.call('GET', '/i/_doc/1');
      await server.call('POST', '/i/_mget', { ids: ['1'] });
      await server.call('POST', '/i/_search', { _source: ['a'] });
      const sent = (path: string): string | undefined => {
        const found = stub.requests.find((one) => one.path.startsWith(path));
        return found && `${found.path} ${found.body}`;
      };
      expect(sent('/j')).toContain('"mapping.exclude_source_vectors":false');
      expect(sent('/i/_doc/1')).toContain('_source_exclude_vectors=false');
      expect(sent('/_mget')).toContain('_source_exclude_vectors=false');
      expect(sent('/i/_search')).toContain('"_source":{"includes":["a"],"exclude_vectors":false}');
      await server.call('POST', '/i/_search', { stored_fields: ['a'] });
      expect(stub.requests.at(-1)?.body).not.toContain('_source');
      const shown = await server.call('GET', '/i/_settings');
      expect(shown.text).not.toContain('exclude_source_vectors');
    } finally {
      await server.stop();
      await stub.close();
    }
  });

  test('that breaks a bulk off after it was executed gets it again, and nothing is doubled', async () => {
    let attempts = 0;
    const ids: string[] = [];
    const index = {
      aliases: {},
      mappings: {},
      settings: { index: { number_of_shards: '1', uuid: 'u' } },
    };
    const stub = await stubNode((request) => {
      if (request.method === 'GET' && /^\/\*/.test(request.path))
        return { status: 200, body: { i: index } };
      if (request.path.startsWith('/_bulk')) {
        attempts += 1;
        const line = JSON.parse(request.body.split('\n')[0] ?? '') as { create: { _id: string } };
        ids.push(line.create._id);
        const error = {
          type: 'version_conflict_engine_exception',
          reason: 'document already exists',
        };
        return attempts === 1
          ? 'drop'
          : {
              status: 200,
              body: {
                items: [{ create: { _index: 'i', _id: line.create._id, status: 409, error } }],
              },
            };
      }
      if (request.path.startsWith('/_mget')) {
        return {
          status: 200,
          body: {
            docs: [
              { _index: 'i', _id: ids[0], found: true, _version: 1, _seq_no: 7, _primary_term: 2 },
            ],
          },
        };
      }
      return emptyCluster(request);
    });
    const server = await startServer({
      env: inFront(stub.url, { QUARRY_CLUSTER_INDEX_PREFIX: '' }),
    });
    try {
      const reply = await server.call('POST', '/i/_bulk', '{"index":{}}\n{"a":1}\n', {
        'content-type': 'application/x-ndjson',
      });
      expect(attempts).toBe(2);
      expect(new Set(ids).size).toBe(1);
      expect(reply.json).toMatchObject({
        errors: false,
        items: [{ index: { _id: ids[0], result: 'created', status: 201, _seq_no: 7 } }],
      });
      // An id of the client's own is not sent again: another client may have written it since.
      attempts = 0;
      const own = await server.call('PUT', '/i/_doc/1', { a: 1 });
      expect(own.status).toBe(404);
    } finally {
      await server.stop();
      await stub.close();
    }
  });
});
