// `_reindex` from another server: from a second Quarry, and from a stub that does what no server
// should.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callAs, makeKey } from '../tools/keys.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';
import { type Behaviour, type StubCluster, startStubCluster } from '../tools/stub-cluster.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-remote-'));
let remote: TestServer;
let server: TestServer;
let stub: StubCluster;
const keys: Record<string, string> = {};

const port = (url: string): string => new URL(url).port;

beforeAll(async () => {
  keys['all'] = makeKey(dataDir, '--name', 'all');
  keys['some'] = makeKey(dataDir, '--name', 'some', '--indices', 'copies*');
  [remote, stub] = await Promise.all([startServer(), startStubCluster()]);
  const list = `127.0.0.1:${port(remote.base)},localhost:${port(stub.url)}`;
  server = await startServer({
    dataDir,
    args: [
      '--auth.enabled',
      '--reindex.remote.whitelist',
      list,
      '--reindex.remote.secret_envs',
      'PEER_*',
    ],
    env: { PEER_KEY: 'c2VjcmV0LWtleQ==', PEER_WORD: 'secret-word', OTHER: 'x' },
  });
  const lines = Array.from({ length: 50 }, (_, n) => {
    const action = { index: { _id: `${n}`, ...(n % 5 === 0 ? { routing: `r${n}` } : {}) } };
    return `${JSON.stringify(action)}\n{"n":${n}.0,"big":9007199254740993,"t":"a } \\" {"}\n`;
  });
  await remote.call('PUT', '/books', { settings: { number_of_shards: 3 } });
  const filled = await remote.call('POST', '/books/_bulk?refresh=true', lines.join(''), {
    'content-type': 'application/x-ndjson',
  });
  expect(filled.json.errors).toBe(false);
}, 120_000);
afterAll(async () => {
  await Promise.all([server?.stop(), remote?.stop(), stub?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await as('all', 'DELETE', '/copies*');
});

function as(who: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return callAs(server, keys[who], method, path, body);
}

function reindex(source: object, query = '', who = 'all'): Promise<Reply> {
  const body = { source, dest: { index: 'copies' } };
  return as(who, 'POST', `/_reindex?refresh=true${query}`, body);
}

describe('from another Quarry', () => {
  const from = (more: object = {}): object => ({
    index: 'books',
    remote: { host: remote.base },
    ...more,
  });

  test('copies documents byte for byte, with routing', async () => {
    const { json } = await reindex(from({ size: 7 }));
    expect(json).toMatchObject({ total: 50, created: 50, batches: 8, failures: [] });
    const { text } = await as('all', 'GET', '/copies/_doc/10?routing=r10');
    expect(text).toContain('"_source":{"n":10.0,"big":9007199254740993,"t":"a } \\" {"}');
    expect(text).toContain('"_routing":"r10"');
  });

  test('copies what a query selects, in slices, with a part of the source', async () => {
    const query = { range: { n: { lt: 20 } } };
    const { json } = await reindex(from({ query, _source: ['n'], size: 3 }), '&slices=4');
    expect(json).toMatchObject({ total: 20, created: 20 });
    expect(json.slices).toHaveLength(4);
    expect((await as('all', 'GET', '/copies/_source/3')).text).toBe('{"n":3.0}');
    expect((await reindex(from({ slice: { id: 0, max: 2 } }))).json.total).toBeLessThan(50);
  });

  test('takes scripts, versions and max_docs as from an index of its own', async () => {
    const body = {
      source: from(),
      dest: { index: 'copies', version_type: 'external' },
      script: 'ctx._source.n += 1',
      max_docs: 5,
    };
    const { json } = await as('all', 'POST', '/_reindex?refresh=true', body);
    expect(json).toMatchObject({ total: 5, created: 5 });
  });

  test('runs as a task that shows progress, without credentials', async () => {
    const started = await reindex(
      { index: 'books', remote: { host: remote.base, username: 'u', password: 'very-secret' } },
      '&wait_for_completion=false',
    );
    const task = `/_tasks/${started.json.task}?wait_for_completion=true`;
    const { json, text } = await as('all', 'GET', task);
    expect(json).toMatchObject({ completed: true, response: { created: 50 } });
    expect(json.task.description).toBe(`reindex from [${remote.base}][books] to [copies]`);
    expect(text).not.toContain('very-secret');
  });

  test('tells what the other server refuses', async () => {
    const missing = await reindex({ index: 'nothing', remote: { host: remote.base } });
    expect(missing.status).toBe(400);
    expect(missing.json.error.reason).toContain('answered 404: no such index [nothing]');
    const query = await reindex(from({ query: { nonsense: {} } }));
    expect(query.status).toBe(400);
    expect(query.json.error.reason).toContain('nonsense');
  });

  test('is for keys of all indexes alone', async () => {
    const refused = await reindex(from(), '', 'some');
    expect(refused.status).toBe(403);
    expect(refused.json.error.reason).toContain('needs a key for all indices');
  });
});

const VERSION = { version: { number: '8.19.0' } };
const hit = (id: string, source: unknown = { a: 1 }): object => ({
  _index: 'x',
  _id: id,
  _version: 1,
  _source: source,
});
const page = (hits: readonly unknown[], more: object = {}): object => ({
  _scroll_id: 's',
  timed_out: false,
  _shards: { total: 1, successful: 1, failed: 0 },
  hits: { total: { value: hits.length }, hits },
  ...more,
});

describe('from a stub', () => {
  const host = (): string => `http://localhost:${port(stub.url)}`;
  const source = (more: object = {}): object => ({
    index: 'x',
    remote: { host: host(), socket_timeout: '500ms', connect_timeout: '2s', ...more },
  });
  /** The first search is answered by `search`, all that follows by `rest`. */
  const behave = (search: Behaviour, rest: Behaviour = () => page([])): void =>
    stub.behave((request, response) => {
      if (request.path === '/') return VERSION;
      if (request.path.startsWith('/x/_search')) return search(request, response);
      return rest(request, response);
    });

  test('a scroll is read to its end and cleared', async () => {
    let left = 2;
    behave(
      () => page([hit('1')], { hits: { total: 3, hits: [hit('1')] } }),
      ({ method }) => {
        if (method === 'DELETE') return {};
        left -= 1;
        return page(left >= 0 ? [hit(`n${left}`)] : [], { _scroll_id: 't' });
      },
    );
    expect((await reindex({ ...source(), size: 1 })).json).toMatchObject({
      created: 3,
      failures: [],
    });
    expect(stub.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/_search/scroll',
      body: { scroll_id: ['t'] },
    });
  });

  test('vectors are requested from servers that leave them out, and only from these', async () => {
    const bodyFor = async (version: object, more: object): Promise<unknown> => {
      stub.behave(({ path }) => (path === '/' ? { version } : page([])));
      await reindex({ ...source(), ...more });
      return stub.requests.find(({ path }) => path.startsWith('/x/'))?.body._source;
    };
    expect(await bodyFor({ number: '9.2.0' }, {})).toEqual({ exclude_vectors: false });
    expect(await bodyFor({ number: '9.3.1' }, { _source: ['a'] })).toEqual({
      includes: ['a'],
      exclude_vectors: false,
    });
    expect(await bodyFor({ number: '8.19.0' }, {})).toBeUndefined();
    expect(await bodyFor({ number: '9.2.0', distribution: 'opensearch' }, {})).toBeUndefined();
  });

  test('credentials come from the request or from listed variables of the environment', async () => {
    const sent = async (more: object): Promise<unknown> => {
      behave(() => page([]));
      const { json } = await reindex(source(more));
      expect(json.failures).toEqual([]);
      return stub.requests[0]?.headers['authorization'];
    };
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(await sent({ username: 'u', password: 'p' })).toBe(basic('u:p'));
    expect(await sent({ username: 'u', password_env: 'PEER_WORD' })).toBe(basic('u:secret-word'));
    expect(await sent({ api_key_env: 'PEER_KEY' })).toBe('ApiKey c2VjcmV0LWtleQ==');
    expect(await sent({ headers: { Authorization: 'ApiKey abc' } })).toBe('ApiKey abc');
    const refused = await reindex(source({ api_key_env: 'OTHER' }));
    expect(refused.status).toBe(400);
    expect(refused.json.error.reason).toContain('add it to [reindex.remote.secret_envs]');
    const unset = await reindex(source({ api_key_env: 'PEER_NONE' }));
    expect(unset.json.error.reason).toContain('is not set');
  });

  test('a secret that is sent back is in no message', async () => {
    stub.behave(({ headers }, response) => {
      response.statusCode = 401;
      return { error: { reason: `bad credentials ${headers['authorization']}` } };
    });
    const { status, text } = await reindex(source({ api_key_env: 'PEER_KEY' }));
    expect(status).toBe(400);
    expect(text).toContain('answered 401: bad credentials ApiKey [secret]');
    expect(text).not.toContain('c2VjcmV0LWtleQ');
  });

  test('a server that is busy is asked again', async () => {
    let busy = 2;
    behave((_, response) => {
      busy -= 1;
      if (busy < 0) return page([hit('1')]);
      response.statusCode = 429;
      return { error: { reason: 'busy' } };
    });
    expect((await reindex(source())).json).toMatchObject({
      created: 1,
      retries: { bulk: 0, search: 2 },
    });
  });

  const HOSTILE: readonly [string, Behaviour, number, string][] = [
    [
      'a redirect',
      (_, response) => {
        response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
        return undefined;
      },
      502,
      '307, a redirect, which is not followed',
    ],
    ['HTML', () => '<html>', 502, 'no JSON'],
    ['broken JSON', () => '{"hits":{"hits":[{"_source":{', 502, 'JSON that breaks off'],
    ['a list', () => '[]', 502, 'that is not an object'],
    ['ids that are numbers', () => page([{ ...hit('1'), _id: 1 }]), 502, '[hits.hits[0]._id]'],
    ['no documents', () => page([{ _index: 'x', _id: '1' }]), 502, "didn't store _source"],
    ['no scroll id', () => page([hit('1')], { _scroll_id: undefined }), 502, '[_scroll_id]'],
    ['no total', () => page([], { hits: { hits: [] } }), 502, '[hits.total]'],
    [
      'an error of its own',
      (_, response) => {
        response.statusCode = 500;
        return { error: { reason: 'oh' } };
      },
      502,
      'answered 500: oh',
    ],
    ['nothing', () => undefined, 502, 'sent nothing for 500 ms'],
    [
      'a beginning and nothing more',
      (_, response) => {
        response.write('{"hits":');
        return undefined;
      },
      502,
      'sent nothing for 500 ms',
    ],
    [
      'a byte now and then, without end',
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 100);
        response.once('close', () => clearInterval(timer));
        return undefined;
      },
      502,
      'did not answer within 5000 ms',
    ],
    [
      'an answer that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{');
        setTimeout(() => response.destroy(), 50);
        return undefined;
      },
      502,
      'broke off its answer',
    ],
    [
      'an answer without end',
      (_, response) => {
        const piece = Buffer.alloc(1 << 20, ' ');
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', write);
        write();
        return undefined;
      },
      400,
      'answered more than 104857600 bytes: use a smaller batch',
    ],
    [
      'a packed answer that was not requested',
      (_, response) => {
        response.setHeader('content-encoding', 'gzip');
        return {};
      },
      502,
      'content encoding [gzip] unasked',
    ],
    ['failed shards', () => page([], { _shards: { failed: 1 } }), 503, 'the remote gave no reason'],
  ];

  test.each(HOSTILE)(
    '%s is an error that says so',
    async (_, behaviour, status, words) => {
      behave(behaviour);
      const answer = await reindex(source());
      expect(answer.json.error?.reason).toContain(words);
      expect(answer.status).toBe(status);
      expect((await as('all', 'GET', '/')).status).toBe(200);
    },
    60_000,
  );

  test('more documents than were counted end the task', async () => {
    behave(
      () => page([hit('1')]),
      ({ method }) => (method === 'DELETE' ? {} : page([hit('2')])),
    );
    const { status, json } = await reindex(source());
    expect(status).toBe(502);
    expect(json.error.reason).toContain('more documents than it counted');
  });

  test('a document that is no JSON is one refused document', async () => {
    behave(() =>
      JSON.stringify(page([hit('1', 'SOURCE')])).replace('"SOURCE"', '{"a":]}\n{"index":{}}'),
    );
    const { json } = await reindex(source());
    // The braces do not match: the answer itself is broken.
    expect(json.error?.reason ?? json.failures[0].cause.reason).toBeTruthy();
    behave(() => JSON.stringify(page([hit('1', 'SOURCE')])).replace('"SOURCE"', '{"a":\n1 x}'));
    const { json: refused } = await reindex(source());
    expect(refused.failures).toHaveLength(1);
    expect(refused.failures[0]).toMatchObject({ id: '1', status: 400 });
  });

  test('a task that waits for a silent server can be cancelled', async () => {
    behave(() => undefined);
    const slow = { index: 'x', remote: { host: host(), socket_timeout: '10m' } };
    const { json } = await reindex(slow, '&wait_for_completion=false');
    await expect.poll(() => stub.requests.length).toBeGreaterThan(1);
    const cancel = `/_tasks/${json.task}/_cancel?wait_for_completion=true`;
    expect((await as('all', 'POST', cancel)).status).toBe(200);
    const ended = await as('all', 'GET', `/_tasks/${json.task}`);
    expect(ended.json).toMatchObject({
      completed: true,
      response: { canceled: 'by user request', total: 0 },
    });
  });

  test('more slices than memory allows are refused', async () => {
    const { status, json } = await reindex(source(), '&slices=17');
    expect(status).toBe(400);
    expect(json.error.reason).toContain('[slices] must be at most 16');
  });
});
