// /mcp with keys: no tool, resource, completion or hint shows more to a key than REST does, and the
// audit log contains the requests of tools.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../cli/run.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { type Caller, overHttp } from './clients.ts';

const SECRET = 'zanzibar';
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-rights-'));
const auditFile = join(dataDir, 'audit.log');
let server: TestServer;
let caller: Caller;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

beforeAll(async () => {
  const admin = makeKey(dataDir, '--name', 'admin');
  const names = ['--indices', 'a*,.svc-memory-a*', '--privileges', 'read,write'];
  const aKey = makeKey(dataDir, '--name', 'a', ...names);
  const args = ['--auth.enabled', '--audit.file', auditFile];
  server = await startServer({ dataDir, args });
  const mapping = { text: { type: 'semantic_text' }, at: { type: 'dense_vector', dims: 2 } };
  for (const index of ['a1', 'b1']) {
    const made = { mappings: { properties: mapping } };
    expect((await server.call('PUT', `/${index}`, made, bearer(admin))).status).toBe(200);
    const text = index === 'a1' ? 'apples' : SECRET;
    const path = `/${index}/_doc/1?refresh=true`;
    const written = await server.call(
      'PUT',
      path,
      { text, word: SECRET, at: [1, 0] },
      bearer(admin),
    );
    expect(written.status, written.text).toBe(201);
  }
  for (const [name, text] of [
    ['a', 'apples'],
    ['b', SECRET],
  ] as const) {
    for (const id of ['1', '2']) {
      const stored = { id, text: `${text} ${id}` };
      const written = await server.call('POST', `/_memory/${name}`, stored, bearer(admin));
      expect(written.status, written.text).toBe(201);
    }
    const link = { src: '1', dst: '2', type: SECRET };
    await server.call('POST', `/_graph/${name}/link`, link, bearer(admin));
  }
  caller = await overHttp(server.base, 'modern', bearer(aKey));
});
afterAll(async () => {
  await caller?.close();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const VECTOR = { field: 'at', query_vector: [1, 0] };
const MEANING = { field: 'text', query: SECRET };
const QUERIES = { queries: [{ query: { match: { text: SECRET } } }] };
const FOREIGN = { terms: { word: { index: 'b1', id: '1', path: 'word' } } };

test.each<[string, Record<string, unknown>]>([
  ['svc_search', { index: 'b1' }],
  ['svc_search', { index: 'a1,b1' }],
  ['svc_search', { index: '.svc-memory-b' }],
  ['svc_search', { index: 'a1', query: FOREIGN }],
  ['svc_search', { index: 'a1', query: { graph: { brain: 'b', seeds: ['1'] } } }],
  ['svc_search', { index: 'a1', aggs: { x: { filter: FOREIGN } } }],
  ['svc_semantic_search', { index: 'b1', ...MEANING }],
  ['svc_semantic_search', { index: 'a1', ...MEANING, filter: FOREIGN }],
  ['svc_vector_search', { index: 'b1', ...VECTOR }],
  ['svc_vector_search', { index: 'a1', ...VECTOR, filter: FOREIGN }],
  ['svc_hybrid_search', { index: 'b1', ...QUERIES }],
  ['svc_memory_store', { namespace: 'b', text: 'x' }],
  ['svc_memory_recall', { namespace: 'b', query: SECRET }],
  ['svc_memory_recall', { namespace: 'a', query: 'x', filter: FOREIGN }],
  ['svc_memory_list', { namespace: 'b' }],
  ['svc_memory_audit', { namespace: 'b' }],
  ['svc_memory_get', { namespace: 'b', id: '1' }],
  ['svc_memory_edit', { namespace: 'b', id: '1', text: 'x' }],
  ['svc_memory_forget', { namespace: 'b', id: '1' }],
  ['svc_brain_ego', { brain: 'b', node: '1' }],
  ['svc_brain_link', { brain: 'b', src: '1', dst: '2', type: 'x' }],
  ['svc_brain_unlink', { brain: 'b', edge_id: 'x' }],
  ['svc_brain_overview', { brain: 'b' }],
  ['svc_links_suggest', { brain: 'b' }],
])('%s %j is refused', async (name, args) => {
  const reported = await caller.refused(name, args);
  expect(reported).toContain('security_exception');
  expect(reported).not.toContain(`${SECRET} `);
});

test.each([
  ['svc_search', { index: '*' }],
  ['svc_search', { index: 'a*,b*' }],
  ['svc_search', { index: '_all' }],
])('%s of the pattern %j finds what the key may see', async (name, args) => {
  const { data } = await caller.call(name, args);
  expect(data.hits.map((hit: { index: string }) => hit.index)).toEqual(['a1']);
});

test('hints, completions and resources name nothing else', async () => {
  const near = await caller.refused('svc_search', { index: 'a11' });
  expect(near).toContain('nearest: a1');
  expect(near).not.toContain('b1');
  for (const [uri, argument, expected] of [
    ['svc://index/{index}/{id}', 'index', ['a1']],
    ['svc://memory/{ns}/{id}', 'ns', ['a']],
    ['svc://brain/{brain}/{node}', 'brain', ['a']],
  ] as const) {
    const requested = {
      ref: { type: 'ref/resource' as const, uri },
      argument: { name: argument, value: '' },
    };
    expect((await caller.client.complete(requested)).completion.values).toEqual(expected);
  }
  for (const uri of ['svc://index/b1/1', 'svc://memory/b/1', 'svc://brain/b/1']) {
    await expect(caller.client.readResource({ uri }), uri).rejects.toThrow();
  }
  const own = await caller.client.readResource({ uri: 'svc://memory/a/1' });
  expect(JSON.stringify(own)).toContain('apples 1');
});

test('what tools ask for stands in the audit log, with its key', async () => {
  const lines = readFileSync(auditFile, 'utf8').trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line)).filter(({ key }) => key?.name === 'a');
  const reported = rows.map(({ route, index, outcome }) => `${outcome} ${route} ${index ?? ''}`);
  expect(reported).toContain('allowed /v1/mcp ');
  expect(reported).toContain('allowed /:index/_search *');
  expect(reported).toContain('denied /:index/_search b1');
  expect(reported).toContain('denied /_memory/:namespace b');
});
