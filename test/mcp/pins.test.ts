// A pinned server cannot be used for other targets, a read-only one writes nothing, and /mcp shows
// no more than the key allows.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../cli/run.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { type Caller, ERAS, overHttp, overStdio } from './clients.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-mcp-'));
let server: TestServer;
let admin: string;
let annKey: string;

beforeAll(async () => {
  admin = makeKey(dataDir, '--name', 'admin');
  annKey = makeKey(
    dataDir,
    '--name',
    'ann',
    '--indices',
    '.svc-memory-ann*',
    '--privileges',
    'read',
  );
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  const headers = { authorization: `Bearer ${admin}` };
  for (const [path, body] of [
    ['/_memory/ann', { id: 'a1', text: 'Ann keeps bees' }],
    ['/_memory/bob', { id: 'b1', text: 'Bob keeps a secret' }],
    ['/notes/_doc/1?refresh=true', { text: 'a note on bees' }],
    ['/secrets/_doc/1?refresh=true', { text: 'a secret', words: ['bees'] }],
  ] as const) {
    const reply = await server.call('POST', path, body, headers);
    expect(reply.status, reply.text).toBe(201);
  }
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function withCaller(
  args: readonly string[],
  era: (typeof ERAS)[number],
  work: (caller: Caller) => Promise<void>,
): Promise<void> {
  const env = { QUARRY_API_KEY: admin, QUARRY_URL: server.base };
  const caller = await overStdio(args, era, env);
  try {
    await work(caller);
  } finally {
    await caller.close();
  }
}

const names = async ({ client }: Caller): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe.each(ERAS)('pinned, %s', (era) => {
  test('to a namespace: memories and links of it alone', () =>
    withCaller(['--namespace', 'ann'], era, async (caller) => {
      expect((await names(caller)).filter((name) => name.includes('search'))).toEqual([]);
      const { tools } = await caller.client.listTools();
      for (const { inputSchema, description } of tools) {
        const known = Object.keys(inputSchema.properties ?? {});
        expect(known).not.toContain('namespace');
        expect(known).not.toContain('brain');
        expect(description).not.toMatch(/"(?:namespace|brain)":/);
      }
      const own = await caller.call('svc_memory_recall', { query: 'who keeps what' });
      expect(own.data.hits.map((hit: { id: string }) => hit.id)).toEqual(['a1']);
      const tries = [
        { namespace: 'bob', query: 'secret' },
        {
          query: 'x',
          filter: { terms: { text: { index: '.svc-memory-bob', id: 'b1', path: 'text' } } },
        },
        { query: 'x', filter: { bool: { must: [{ graph: { brain: 'bob', seeds: ['b1'] } }] } } },
        { query: 'x', filter: { wrapper: { query: 'e30=' } } },
      ];
      for (const args of tries) {
        expect(await caller.refused('svc_memory_recall', args)).toContain('pinned');
      }
      expect(await caller.refused('svc_brain_overview', { brain: 'bob' })).toContain('pinned');
      for (const uri of [
        'svc://memory/bob/b1',
        'svc://brain/bob/b1',
        'svc://index/.svc-memory-bob/b1',
        'svc://memory/ann%2F..%2Fbob/b1',
      ]) {
        await expect(caller.client.readResource({ uri }), uri).rejects.toThrow();
      }
      const done = await caller.client.complete({
        ref: { type: 'ref/resource', uri: 'svc://memory/{ns}/{id}' },
        argument: { name: 'ns', value: '' },
      });
      expect(done.completion.values).toEqual(['ann']);
      const { resources } = await caller.client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['svc://memory/ann/a1']);
    }));

  test('to an index: searches of it alone', () =>
    withCaller(['--index', 'notes'], era, async (caller) => {
      expect((await names(caller)).every((name) => name.endsWith('search'))).toBe(true);
      const { data } = await caller.call('svc_search', { query: { match: { text: 'bees' } } });
      expect(data.total.value).toBe(1);
      expect(await caller.refused('svc_search', { index: 'secrets' })).toContain('pinned');
      const lookup = { terms: { text: { index: 'secrets', id: '1', path: 'words' } } };
      expect(await caller.refused('svc_search', { query: lookup })).toContain('pinned');
      const aggs = { a: { filter: lookup } };
      expect(await caller.refused('svc_search', { aggs })).toContain('pinned');
      const uri = 'svc://index/secrets/1';
      await expect(caller.client.readResource({ uri })).rejects.toThrow();
      const own = await caller.client.readResource({ uri: 'svc://index/notes/1' });
      expect(JSON.stringify(own)).toContain('a note on bees');
    }));

  test('to reading: no tool writes', () =>
    withCaller(['--read-only'], era, async (caller) => {
      const all = await names(caller);
      for (const name of ['svc_memory_store', 'svc_memory_forget', 'svc_brain_link']) {
        expect(all).not.toContain(name);
        const args = { namespace: 'ann', brain: 'ann', id: 'a1' };
        await expect(caller.client.callTool({ name, arguments: args })).rejects.toThrow();
      }
      const { prompts } = await caller.client.listPrompts();
      expect(prompts.map(({ name }) => name)).not.toContain('save-session');
      const { data } = await caller.call('svc_memory_list', { namespace: 'ann' });
      expect(data.count).toBe(1);
    }));

  test('search and fetch under those names', () =>
    withCaller(['--namespace', 'ann', '--search-fetch'], era, async (caller) => {
      const { data } = await caller.call('search', { query: 'bees' });
      expect(data.results).toMatchObject([{ id: 'svc://memory/ann/a1', title: 'Ann keeps bees' }]);
      const found = await caller.call('fetch', { id: data.results[0].id });
      expect(found.data.text).toBe('Ann keeps bees');
      expect(await caller.refused('fetch', { id: 'svc://memory/bob/b1' })).toContain('nothing at');
    }));
});

describe.each(ERAS)('/mcp with keys, %s', (era) => {
  test('without a key: 401, before anything is answered', async () => {
    await expect(overHttp(server.base, era)).rejects.toThrow();
    const reply = await server.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(reply.status).toBe(401);
  });

  test('a key sees what it sees over REST', async () => {
    const caller = await overHttp(server.base, era, { authorization: `Bearer ${annKey}` });
    try {
      const own = await caller.call('svc_memory_recall', { namespace: 'ann', query: 'bees' });
      expect(own.data.hits).toHaveLength(1);
      const other = await caller.refused('svc_memory_recall', {
        namespace: 'bob',
        query: 'secret',
      });
      expect(other).toContain('security_exception');
      const write = await caller.refused('svc_memory_store', { namespace: 'ann', text: 'x' });
      expect(write).toContain('write');
      const near = await caller.refused('svc_search', { index: 'secrets' });
      expect(near).toContain('security_exception');
    } finally {
      await caller.close();
    }
  });
});

describe('/mcp without keys', () => {
  let open: TestServer;
  beforeAll(async () => {
    open = await startServer({ args: ['--mcp.allow_hosts', 'search.example'] });
  });
  afterAll(async () => {
    await open?.stop();
  });

  /** fetch() does not allow setting the Host header. */
  function status(headers: Record<string, string>): Promise<number | undefined> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const accept = 'application/json, text/event-stream';
    return new Promise((done, fail) => {
      const sent = request(`${open.base}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...headers },
      });
      sent.on('response', (reply) => {
        reply.resume();
        done(reply.statusCode);
      });
      sent.on('error', fail).end(body);
    });
  }

  test.each([
    [{}, 200],
    [{ host: 'localhost:9200' }, 200],
    [{ host: 'search.example' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
  ])('headers %j answer %i', async (headers, expected) => {
    expect(await status(headers as Record<string, string>)).toBe(expected);
  });

  test('a stream and a session are refused with 405: there are none', async () => {
    const stream = await open.call('GET', '/mcp', undefined, { accept: 'text/event-stream' });
    expect(stream.status).toBe(405);
    const session = await open.call('DELETE', '/mcp', undefined, { 'mcp-session-id': 'x' });
    expect(session.status).toBe(405);
  });

  test('/llms.txt names every tool', async () => {
    const { text, headers } = await open.call('GET', '/llms.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    const caller = await overHttp(open.base, 'modern');
    for (const name of await names(caller)) expect(text).toContain(name);
    await caller.close();
  });
});

test('switched off: 404 with the remedy', async () => {
  const off = await startServer({ args: ['--mcp.enabled=false'] });
  try {
    const reply = await off.call('POST', '/mcp', {});
    expect(reply.status).toBe(404);
    expect(reply.json.error.reason).toContain('mcp.enabled');
  } finally {
    await off.stop();
  }
});
