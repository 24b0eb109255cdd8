// The _cat tables of a running server: all tables, column aliases and patterns, sorting, units,
// formats.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.call('PUT', '/books', {
    settings: { number_of_shards: 2, number_of_replicas: 1 },
    aliases: { shelf: { filter: { term: { year: 1969 } } } },
  });
  await server.call('PUT', '/shut', { settings: { number_of_replicas: 0 } });
  await server.call('POST', '/shut/_close');
  await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'Left', year: 1969 });
  const component = {
    template: {
      settings: { index: { number_of_shards: 1, refresh_interval: '5s' } },
      mappings: { properties: { a: { type: 'keyword' } } },
      aliases: { x: {} },
    },
    version: 2,
    _meta: { by: 'me' },
  };
  await server.call('PUT', '/_component_template/comp', component);
  const template = { index_patterns: ['logs-*'], priority: 10, version: 3, composed_of: ['comp'] };
  await server.call('PUT', '/_index_template/tpl', template);
  await server.call('PUT', '/_template/old', { index_patterns: ['old-*'], order: 1 });
});
afterAll(() => server?.stop());

const get = (path: string, headers?: Record<string, string>): Promise<Reply> =>
  server.call('GET', path, undefined, headers);

test('every table that is listed has help, text and rows', async () => {
  const [cat, ...tables] = (await get('/_cat')).text.trim().split('\n');
  expect(cat).toBe('=^.^=');
  expect(tables.length).toBeGreaterThan(30);
  for (const path of tables.map((table) => table.replace('{index}', 'books'))) {
    if (path.includes('{')) continue;
    const help = await get(`${path}?help`);
    expect(help.text, path).toMatch(/^\S+ +\| \S* *\| .+\n/);
    const head = (await get(`${path}?v`)).text.split('\n')[0];
    expect(head, path).not.toBe('');
    expect((await get(`${path}?format=json`)).json, path).toBeInstanceOf(Array);
  }
});

describe.each([
  ['/_cat/templates', ['old [old-*] 1  ', 'tpl [logs-*] 10 3 [comp]']],
  ['/_cat/templates/o*', ['old [old-*] 1  ']],
  ['/_cat/component_templates', ['comp 2 1 1 2 1 [tpl]']],
  ['/_cat/pending_tasks', []],
  ['/_cat/plugins', []],
  ['/_cat/fielddata/title', []],
  ['/_cat/aliases?h=alias,index,filter', ['shelf books *']],
  [
    '/_cat/shards?h=index,shard,prirep,state,docs&s=index,shard,prirep',
    [
      'books 0 p STARTED 1',
      'books 0 r UNASSIGNED ',
      'books 1 p STARTED 0',
      'books 1 r UNASSIGNED ',
      'shut 0 p STARTED ',
    ],
  ],
  ['/_cat/segments?h=index,shard,prirep,segment,docs.count,searchable', ['books 0 p _0 1 true']],
  [
    '/_cat/recovery/books?h=index,shard,type,stage',
    ['books 0 empty_store done', 'books 1 empty_store done'],
  ],
  ['/_cat/recovery?active_only=true', []],
  ['/_cat/allocation?h=shards,node.role', ['3 dim', '2 ']],
  ['/_cat/nodes?h=master,role', ['* dim']],
  ['/_cat/indices/books?h=health,s,i,p,r,dc,sc', ['yellow open books 2 1 1 1']],
  ['/_cat/indices?h=index&s=docs.count:desc', ['shut', 'books']],
  ['/_cat/indices/books?h=index,iito,pri.indexing.index_total', ['books 1 1']],
  ['/_cat/health?h=status,unassign,unassign.pri&ts=false', ['yellow 2 0']],
])('%s', (path, rows) => {
  const squeeze = (line: string): string => line.trim().replace(/ +/g, ' ');

  test('as text', async () => {
    const lines = (await get(path)).text.split('\n').filter((line) => line.trim() !== '');
    expect(lines.map(squeeze)).toEqual(rows.map(squeeze));
  });

  test('as YAML and JSON the same', async () => {
    const join = path.includes('?') ? '&' : '?';
    const json = await get(`${path}${join}format=json`);
    const yaml = await get(`${path}${join}format=yaml`);
    expect(yaml.headers.get('content-type')).toBe('application/yaml');
    expect(parse(yaml.text)).toEqual(json.json);
    expect(json.json).toHaveLength(rows.length);
  });
});

test('columns are found by patterns on all of their names', async () => {
  const [row] = (await get('/_cat/indices/books?format=json&h=docs*,creation*,ss')).json;
  expect(Object.keys(row)).toEqual([
    'docs.count',
    'docs.deleted',
    'creation.date',
    'creation.date.string',
    'ss',
  ]);
  const [other] = (await get('/_cat/indices/books?format=json&h=storeS*')).json;
  expect(Object.keys(other)).toEqual(['store.size']);
});

test('bytes and times in the unit that was asked for', async () => {
  const columns = 'ram.max,uptime';
  const human = (await get(`/_cat/nodes?h=${columns}&format=json`)).json[0];
  expect(human['ram.max']).toMatch(/^\d+(\.\d)?(mb|gb|tb)$/);
  expect(human.uptime).toMatch(/^\d+(\.\d)?(s|m|h|d)$/);
  const plain = (await get(`/_cat/nodes?h=${columns}&format=json&bytes=b&time=ms`)).json[0];
  expect(Number(plain['ram.max'])).toBeGreaterThan(2 ** 20);
  expect(plain.uptime).toMatch(/^\d+$/);
});

test.each([
  ['/_cat/indices?s=index:sideways', 'in the order [sideways], expected [asc] or [desc]'],
  ['/_cat/tasks?time=years', 'Unknown value for time: [years]'],
  ['/_cat/indices?format=cbor', 'format [cbor] is not supported, ask for [json] or [yaml]'],
])('%s is refused', async (path, reason) => {
  const reply = await get(path);
  expect(reply.status).toBe(400);
  expect(reply.json.error.reason).toContain(reason);
});

describe('YAML', () => {
  test('of any answer, by format or Accept', async () => {
    const path = '/books/_search?filter_path=hits.hits._source,hits.total';
    const { json } = await get(path);
    const byFormat = await get(`${path}&format=yaml`);
    const byAccept = await get(path, { accept: 'application/yaml' });
    expect(parse(byFormat.text)).toEqual(json);
    expect(byAccept.text).toBe(byFormat.text);
    expect(byAccept.headers.get('content-type')).toBe('application/yaml');
  });

  test('of errors, and JSON where format asks for it', async () => {
    const missing = await get('/nobody?format=yaml');
    expect(missing.status).toBe(404);
    expect(parse(missing.text).error.type).toBe('index_not_found_exception');
    const json = await get('/books/_count?format=json', { accept: 'application/yaml' });
    expect(json.json.count).toBe(1);
  });
});
