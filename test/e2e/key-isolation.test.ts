// A key for `a*` and `.svc-memory-a*` next to foreign indexes, aliases, namespaces, scrolls and
// tasks: nothing of them is in any response, neither as a hit, a name or a count, nor in the text
// of an error.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const MAIN = resolve('dist/cli/main.js');
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-isolation-'));
let server: TestServer;
let admin: string;
let ours: string;
let oursId: string;
/** Keys that may write, but not manage. */
const writers: Record<string, string> = {};
let scrollOfOthers: string;
let pitOfOthers: string;
let taskOfOthers: string;

function makeKey(...args: string[]): { key: string; id: string } {
  const all = [MAIN, 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  const { stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

function as(key: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const ndjson = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {};
  return server.call(method, path, body, { authorization: `Bearer ${key}`, ...ndjson });
}

const lines = (...all: unknown[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

beforeAll(async () => {
  admin = makeKey('--name', 'admin').key;
  ({ key: ours, id: oursId } = makeKey('--name', 'ours', '--indices', 'a*,.svc-memory-a*'));
  for (const indices of ['.svc-memory-w', '*'])
    writers[indices] = makeKey('--name', 'w', '--indices', indices, '--privileges', 'write').key;
  server = await startServer({ dataDir, args: ['--auth.enabled'] });
  const all = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await as(admin, method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  };
  await all('PUT', '/a1/_doc/1?refresh=true', { t: 'apple common' });
  await all('PUT', '/a2/_doc/1?refresh=true', { t: 'avocado common' });
  await all('PUT', '/b1/_doc/1?refresh=true', {
    t: 'zebra common',
    secretfield: 'zebra',
    list: ['apple'],
  });
  await all('PUT', '/b2/_doc/1?refresh=true', { t: 'zebra common' });
  await all('POST', '/_aliases', {
    actions: [
      { add: { index: 'b1', alias: 'b-alias' } },
      { add: { index: 'a1', alias: 'shared' } },
      { add: { index: 'b1', alias: 'shared' } },
      { add: { index: 'a2', alias: 'apart' } },
    ],
  });
  await all('PUT', '/_index_template/b-template', { index_patterns: ['b*'], template: {} });
  await all('POST', '/_memory/alpha', { text: 'alpha likes apples', id: 'm1' });
  await all('POST', '/_memory/beta', { text: 'beta likes zebras', id: 'm1' });
  await all('POST', '/_memory/beta', { text: 'beta hates lions', id: 'm2' });
  await all('POST', '/_graph/beta/link', { src: 'm1', dst: 'm2', type: 'knows', confidence: 1 });
  scrollOfOthers = (await all('POST', '/b1/_search?scroll=1m', { size: 1 })).json._scroll_id;
  pitOfOthers = (await all('POST', '/b1/_pit?keep_alive=1m')).json.id;
  const path = '/b2/_update_by_query?wait_for_completion=false';
  taskOfOthers = (await all('POST', path, {})).json.task;
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Foreign words, indexes, aliases, fields, namespaces. */
const THEIRS = /zebra|lion|\bb1\b|\bb2\b|b-alias|shared|secretfield|beta|b-template/;

describe('what names nothing of others shows nothing of others', () => {
  test.each<[string, string, unknown?]>([
    ['POST', '/_search', {}],
    ['POST', '/_all/_search', {}],
    ['POST', '/*/_search', {}],
    ['POST', '/*,-a2/_search', { query: { match: { t: 'common' } } }],
    ['GET', '/_search?q=zebra'],
    ['POST', '/_search?expand_wildcards=all', {}],
    ['POST', '/b1/_search?ignore_unavailable=true', {}],
    ['POST', '/b*/_search', {}],
    ['POST', '/_search', { size: 0, aggs: { i: { terms: { field: '_index' } } } }],
    ['POST', '/_search', { size: 0, aggs: { t: { terms: { field: 't.keyword' } } } }],
    ['POST', '/_search', { query: { match: { secretfield: 'x' } } }],
    ['POST', '/_count', {}],
    ['GET', '/_field_caps?fields=*'],
    ['GET', '/_mapping'],
    ['GET', '/_settings'],
    ['GET', '/*'],
    ['GET', '/_alias'],
    ['GET', '/*/_alias/*'],
    ['GET', '/_alias/a*'],
    ['GET', '/_stats'],
    ['GET', '/_segments'],
    ['GET', '/_resolve/index/*'],
    ['GET', '/_resolve/index/*?expand_wildcards=all'],
    ['GET', '/_cat/indices?v'],
    ['GET', '/_cat/indices?expand_wildcards=all'],
    ['GET', '/_cat/aliases'],
    ['GET', '/_cat/shards'],
    ['GET', '/_cat/count'],
    ['GET', '/_cluster/state'],
    ['GET', '/_cluster/health?level=indices'],
    ['GET', '/_nodes'],
    ['GET', '/_tasks?detailed=true'],
    ['POST', '/_refresh'],
    ['POST', '/_flush'],
    ['POST', '/_forcemerge'],
    ['GET', '/_search/point_in_time/_all'],
    ['POST', '/_validate/query?explain=true', { query: { match_all: {} } }],
    ['POST', '/_memory/alpha/_recall', { query: 'likes' }],
    ['GET', '/_memory/alpha'],
    ['GET', '/_graph/alpha/overview'],
  ])('%s %s %j', async (method, path, body) => {
    const reply = await as(ours, method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.text).not.toMatch(THEIRS);
    const everything = await as(admin, method, path, body);
    expect(everything.status).toBeLessThan(300);
  });

  test('and shows what is its own', async () => {
    const { json } = await as(ours, 'POST', '/_search', { query: { match: { t: 'common' } } });
    expect(json.hits.hits.map((hit: { _index: string }) => hit._index)).toEqual(['a1', 'a2']);
    const counted = await as(ours, 'GET', '/_cat/count?h=count');
    expect(counted.text.trim()).toBe('2');
    const aliases = await as(ours, 'GET', '/_alias');
    expect(aliases.json).toEqual({
      '.svc-memory-alpha': { aliases: {} },
      a1: { aliases: {} },
      a2: { aliases: { apart: {} } },
    });
  });
});

const lookupIn = (index: string) => ({ terms: { t: { index, id: '1', path: 'list' } } });

/** The name is in the caller's request; nothing else may be returned, nor whether it exists. */
describe('what names something of others is refused, whether it is there or not', () => {
  const lookup = (index: string) => ({
    query: { terms: { t: { index, id: '1', path: 'list' } } },
  });
  const like = (index: string) => ({
    query: { more_like_this: { fields: ['t'], like: { _index: index, _id: '1' } } },
  });
  const given = { like: { _index: 'NAME', doc: { t: 'x' } } };
  const graph = { query: { bool: { filter: [{ graph: { brain: 'BRAIN', node: 'm1' } }] } } };
  test.each<[string, string, unknown?]>([
    ['POST', '/NAME/_search', {}],
    ['POST', '/a1,NAME/_search', {}],
    ['GET', '/NAME/_search?q=*'],
    ['POST', '/NAME/_count', {}],
    ['POST', '/NAME/_pit?keep_alive=1m'],
    ['POST', '/NAME/_search?scroll=1m', {}],
    ['POST', '/a1/_search', lookup('NAME')],
    ['POST', '/a1/_count', lookup('NAME')],
    ['POST', '/a1/_search?scroll=1m', lookup('NAME')],
    ['POST', '/a1/_delete_by_query', lookup('NAME')],
    ['POST', '/a1/_explain/1', lookup('NAME')],
    ['POST', '/a1/_search', like('NAME')],
    ['POST', '/a1/_count', like('NAME')],
    ['POST', '/a1/_search', { query: { more_like_this: { fields: ['t'], ...given } } }],
    ['POST', '/a1/_search', graph],
    ['POST', '/a1/_search', { indices_boost: [{ NAME: 2 }] }],
    ['POST', '/_memory/alpha/_recall', { query: 'x', filter: lookup('NAME').query }],
    ['GET', '/NAME/_doc/1'],
    ['HEAD', '/NAME/_doc/1'],
    ['GET', '/NAME/_source/1'],
    ['PUT', '/NAME/_doc/9', { t: 1 }],
    ['POST', '/NAME/_update/1', { doc: { t: 1 } }],
    ['DELETE', '/NAME/_doc/1'],
    ['POST', '/NAME/_explain/1', { query: { match_all: {} } }],
    ['POST', '/NAME/_analyze', { text: 'x', field: 't' }],
    ['POST', '/NAME/_field_caps?fields=*', {}],
    ['POST', '/NAME/_delete_by_query', { query: { match_all: {} } }],
    ['POST', '/NAME/_update_by_query', {}],
    ['POST', '/_reindex', { source: { index: 'NAME' }, dest: { index: 'a9' } }],
    ['POST', '/_reindex', { source: { index: 'a1' }, dest: { index: 'NAME' } }],
    ['GET', '/NAME'],
    ['HEAD', '/NAME'],
    ['PUT', '/NAME', {}],
    ['DELETE', '/NAME'],
    ['GET', '/NAME/_mapping'],
    ['PUT', '/NAME/_mapping', { properties: {} }],
    ['GET', '/NAME/_settings'],
    ['PUT', '/NAME/_settings', { 'index.refresh_interval': '9s' }],
    ['GET', '/NAME/_alias'],
    ['PUT', '/a1/_alias/NAME'],
    ['PUT', '/NAME/_alias/a-new'],
    ['PUT', '/a8', { aliases: { NAME: {} } }],
    ['POST', '/_aliases', { actions: [{ add: { index: 'a1', alias: 'NAME' } }] }],
    ['POST', '/_aliases', { actions: [{ remove_index: { index: 'NAME' } }] }],
    ['GET', '/NAME/_stats'],
    ['GET', '/NAME/_segments'],
    ['GET', '/_cat/indices/NAME'],
    ['GET', '/_cat/count/NAME'],
    ['GET', '/_cat/shards/NAME'],
    ['GET', '/_resolve/index/NAME'],
    ['POST', '/NAME/_refresh'],
    ['POST', '/NAME/_flush'],
    ['POST', '/NAME/_forcemerge'],
    ['POST', '/NAME/_cache/clear'],
    ['POST', '/NAME/_close'],
    ['POST', '/NAME/_open'],
    ['POST', '/NAME/_rollover'],
    ['POST', '/_memory/BRAIN', { text: 'x' }],
    ['POST', '/_memory/BRAIN/_recall', { query: 'likes' }],
    ['GET', '/_memory/BRAIN'],
    ['DELETE', '/_memory/BRAIN/m1'],
    ['DELETE', '/_memory/BRAIN'],
    ['PUT', '/_memory/BRAIN', {}],
    ['GET', '/_memory/BRAIN/_export'],
    ['GET', '/_graph/BRAIN/ego?node=m1'],
    ['GET', '/_graph/BRAIN/overview'],
    ['POST', '/_graph/BRAIN/link', { src: 'm1', dst: 'm2', type: 'x' }],
    ['POST', '/_graph/BRAIN/detect', {}],
    ['GET', '/_graph/BRAIN/detect'],
    ['GET', '/_graph/BRAIN/suggestions'],
    ['PUT', '/_graph/alpha', { nodes_index: 'NAME' }],
    ['GET', '/_index_template'],
    ['GET', '/_snapshot'],
    ['PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'x' } }],
    ['GET', '/_inference'],
    ['PUT', '/_cluster/settings', {}],
    ['GET', '/_nodes/stats'],
  ])('%s %s %j', async (method, path, body) => {
    const named = (index: string, brain: string) => {
      const put = (text: string) => text.replaceAll('NAME', index).replaceAll('BRAIN', brain);
      return as(ours, method, put(path), body && JSON.parse(put(JSON.stringify(body))));
    };
    const [there, absent] = [await named('b1', 'beta'), await named('q1', 'quux')];
    expect(there.status, there.text).toBe(403);
    expect(there.text).not.toMatch(/zebra|lion|secretfield|b-alias|shared/);
    expect(absent.status).toBe(403);
    // The error names the key, whose random id may contain "b1".
    const [one, other] = [there.text, absent.text].map((text) => text.replaceAll(oursId, 'ID'));
    expect(one?.replaceAll('b1', 'q1').replaceAll('beta', 'quux')).toBe(other);
  });

  test('the health of what is not the key’s is that of nothing', async () => {
    const there = await as(ours, 'GET', '/_cluster/health/b1?timeout=1ms');
    const absent = await as(ours, 'GET', '/_cluster/health/q1?timeout=1ms');
    expect([there.status, there.json.status]).toEqual([408, 'red']);
    expect(there.text).toBe(absent.text);
  });

  test('an alias that is not the key’s is refused, even where it leads to its index', async () => {
    const reply = await as(ours, 'POST', '/shared/_search', {});
    expect([reply.status, reply.json.error.type]).toEqual([403, 'security_exception']);
  });
});

test('a brain whose nodes are those of others says so without their name', async () => {
  const requested = async (nodes: string): Promise<Reply> => {
    await as(admin, 'PUT', '/_graph/alpha', { nodes_index: nodes });
    return as(ours, 'GET', '/_graph/alpha/ego?node=m1');
  };
  const [there, absent] = [await requested('b1'), await requested('nothing-such')];
  await as(admin, 'PUT', '/_graph/alpha', { nodes_index: '.svc-memory-alpha' });
  expect(there.status).toBe(403);
  expect(there.text).toBe(absent.text);
  expect(there.text).not.toMatch(/b1\b|nothing-such/);
});

test.each([
  ['behind a number', (index: string) => ({ bool: { filter: [1, lookupIn(index)] } })],
  ['in an aggregation', (index: string) => ({ match_all: { boost: 1 }, x: [2, lookupIn(index)] })],
  ['in a list in a list', (index: string) => ({ bool: { must: [[3, [lookupIn(index)]]] } })],
])('a lookup %s does not tell whether its index is there', async (_where, query) => {
  for (const path of ['_search', '_count', '_validate/query?explain=true', '_explain/1']) {
    const there = await as(ours, 'POST', `/a1/${path}`, { query: query('b1') });
    const absent = await as(ours, 'POST', `/a1/${path}`, { query: query('q1') });
    expect(there.status, path).toBe(403);
    const [one, other] = [there.text, absent.text].map((text) => text.replaceAll(oursId, 'ID'));
    expect(one?.replaceAll('b1', 'q1')).toBe(other);
  }
});

describe('the pages of the API', () => {
  test.each([
    '/console',
    '/v1/console',
    '/docs',
    '/openapi.json',
    '/llms.txt',
    '/v1/docs',
    '/v1/openapi.json',
  ])('GET %s takes no key that is none, and tells nothing of an index', async (path) => {
    const html = { accept: 'text/html' };
    const name = path.slice(1);
    const pages = async (): Promise<string[]> => {
      const wrong = await as('qk_nothing_such', 'GET', path);
      const wrongHtml = await server.call('GET', path, undefined, {
        ...html,
        authorization: 'Bearer x',
      });
      expect([wrong.status, wrongHtml.status]).toEqual([401, 401]);
      const open = await server.call('GET', path);
      const mine = await as(ours, 'GET', path);
      expect([open.status, mine.status]).toEqual([200, 200]);
      return [wrong.text, open.text, mine.text];
    };
    const before = await pages();
    expect(before[1]).toBe(before[2]);
    if (path.startsWith('/v1')) return;
    expect((await as(admin, 'PUT', path)).status).toBe(200);
    expect(await pages()).toEqual(before);
    expect((await as(admin, 'GET', path)).json).toHaveProperty([name, 'mappings']);
    expect((await as(admin, 'DELETE', path)).status).toBe(200);
    expect((await as(admin, 'GET', path)).text).toBe(before[1]);
  });
});

describe('of several operations in one request only those are refused', () => {
  test('_bulk', async () => {
    const body = lines(
      { index: { _index: 'b1', _id: '7' } },
      { t: 'x' },
      { index: { _index: 'a1', _id: '7' } },
      { t: 'x' },
      { delete: { _index: 'b-alias', _id: '1' } },
      { create: { _index: 'nothing-such', _id: '1' } },
      { t: 'x' },
    );
    const { json } = await as(ours, 'POST', '/_bulk', body);
    const statuses = json.items.map((item: object) => Object.values(item)[0].status);
    expect(statuses).toEqual([403, 201, 403, 403]);
    expect(json.items[0].index.error.type).toBe('security_exception');
    expect((await as(admin, 'HEAD', '/b1/_doc/7')).status).toBe(404);
    expect((await as(admin, 'HEAD', '/nothing-such')).status).toBe(404);
  });

  test('_bulk with updates by script', async () => {
    const script = { script: "ctx._source.t = 'x'" };
    const body = lines(
      { update: { _index: 'b1', _id: '1' } },
      script,
      { update: { _index: 'a2', _id: '1' } },
      { script: 'ctx._source.n = 1' },
    );
    const { json } = await as(ours, 'POST', '/_bulk', body);
    const statuses = json.items.map((item: object) => Object.values(item)[0].status);
    expect(statuses).toEqual([403, 200]);
    expect((await as(admin, 'GET', '/b1/_doc/1')).json._source.t).toBe('zebra common');
  });

  test('_reindex, where a script says another index', async () => {
    const moved = (index: string) =>
      as(ours, 'POST', '/_reindex?refresh', {
        source: { index: 'a1', size: 1 },
        max_docs: 1,
        dest: { index: 'a9' },
        script: { source: `ctx._id = 'moved'; ctx._index = '${index}'` },
      });
    for (const index of ['b1', 'b-alias', 'nothing-such']) {
      const { json } = await moved(index);
      expect(json.created).toBe(0);
      expect(json.failures[0].cause.type).toBe('security_exception');
    }
    expect((await as(admin, 'HEAD', '/b1/_doc/moved')).status).toBe(404);
    expect((await as(admin, 'HEAD', '/nothing-such')).status).toBe(404);
    expect((await moved('a8')).json.created).toBe(1);
    await as(ours, 'DELETE', '/a8');
  });

  test('_mget', async () => {
    const docs = ['b1', 'a1', 'nope'].map((_index) => ({ _index, _id: '1' }));
    const { json, text } = await as(ours, 'POST', '/_mget', { docs });
    expect(json.docs.map((doc: { found?: boolean }) => doc.found)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(json.docs[0].error.type).toBe('security_exception');
    expect(text).not.toContain('secretfield');
  });

  test('_msearch', async () => {
    const body = lines({ index: 'b1' }, {}, { index: 'a*' }, {}, { index: 'q1' }, {});
    const { json } = await as(ours, 'POST', '/_msearch', body);
    expect(json.responses.map((one: { status: number }) => one.status)).toEqual([403, 200, 403]);
  });
});

describe('scrolls, points in time and tasks of others', () => {
  test('are not there', async () => {
    const scroll = await as(ours, 'POST', '/_search/scroll', { scroll_id: scrollOfOthers });
    expect(scroll.status).toBe(404);
    const pit = await as(ours, 'POST', '/_search', { pit: { id: pitOfOthers } });
    expect(pit.status).toBe(404);
    expect((await as(ours, 'GET', `/_tasks/${taskOfOthers}`)).status).toBe(404);
    expect((await as(ours, 'POST', `/_tasks/${taskOfOthers}/_cancel`)).status).toBe(404);
  });

  test('are not closed', async () => {
    await as(ours, 'DELETE', '/_search/scroll/_all');
    await as(ours, 'DELETE', '/_search/scroll', { scroll_id: scrollOfOthers });
    await as(ours, 'DELETE', '/_pit', { id: pitOfOthers });
    await as(ours, 'DELETE', '/_search/point_in_time/_all');
    const still = await as(admin, 'POST', '/_search', { pit: { id: pitOfOthers } });
    expect(still.status).toBe(200);
    const next = await as(admin, 'POST', '/_search/scroll', { scroll_id: scrollOfOthers });
    expect(next.status).toBe(200);
  });

  test('its own are', async () => {
    const opened = await as(ours, 'POST', '/a*/_pit?keep_alive=1m');
    const found = await as(ours, 'POST', '/_search', { pit: { id: opened.json.id } });
    expect(found.json.hits.total.value).toBeGreaterThan(0);
    const started = await as(ours, 'POST', '/a1/_update_by_query?wait_for_completion=false', {});
    const task = await as(ours, 'GET', `/_tasks/${started.json.task}?wait_for_completion=true`);
    expect(task.status).toBe(200);
  });
});

describe('aliases', () => {
  test('that a key is for lead to what they point to', async () => {
    const { key } = makeKey('--name', 'by-alias', '--indices', 'b-alias', '--privileges', 'read');
    // The file is checked every second; SIGHUP takes effect at once.
    process.kill(server.pid, 'SIGHUP');
    let reply = await as(key, 'POST', '/b-alias/_search', {});
    for (let left = 200; reply.status === 401 && left > 0; left--) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      reply = await as(key, 'POST', '/b-alias/_search', {});
    }
    expect(reply.json.hits.total.value).toBe(1);
    expect((await as(key, 'POST', '/_search', {})).json.hits.total.value).toBe(1);
    expect((await as(key, 'POST', '/b1/_search', {})).status).toBe(403);
    const listed = await as(key, 'GET', '/_alias');
    expect(listed.json).toEqual({ b1: { aliases: { 'b-alias': {} } } });
    expect((await as(key, 'GET', '/b-alias/_stats')).status).toBe(200);
  });
});

test('no key is in its file', () => {
  const file = readFileSync(join(dataDir, 'keys.json'), 'utf8');
  expect(file).toContain(oursId);
  for (const key of [admin, ours]) expect(file).not.toContain(key.split('_').slice(2).join('_'));
});

test.each(['.svc-memory-w', '*'])('a key that only writes [%s] imports no settings', async (of) => {
  const settings = { inference_endpoint: { url: 'http://127.0.0.1:9/v1', model: 'm', dims: 3 } };
  const withSettings = (chosen: object): string =>
    lines({ quarry: { format: 1, settings: chosen } }, { end: {} });
  const writer = writers[of] ?? '';
  const refused = await as(writer, 'POST', '/_memory/w/_import', withSettings(settings));
  expect(refused.json).toMatchObject({ status: 403, error: { type: 'security_exception' } });
  expect(refused.json.error.reason).toContain(
    'the import chooses settings [inference_endpoint] for namespace [w], which needs the privilege [manage]',
  );
  expect((await as(admin, 'GET', '/_memory/w')).json.exists).toBe(false);

  const memory = { memory: { id: 'm', document: { text: 'written' } } };
  expect((await as(writer, 'POST', '/_memory/w/_import', lines(memory))).status).toBe(200);
  await as(admin, 'PUT', '/_memory/w', { detect: true });
  const same = await as(writer, 'POST', '/_memory/w/_import', withSettings({ detect: true }));
  expect(same.json).toMatchObject({ namespace: 'w' });
  const other = await as(writer, 'POST', '/_memory/w/_import', withSettings({ detect: false }));
  expect(other.status).toBe(403);
  await as(admin, 'DELETE', '/_memory/w');
});
