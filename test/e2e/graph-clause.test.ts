// The `graph` clause in ordinary searches over real HTTP: combined with other clauses, counted, in
// bulk requests, at a given time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
const NODES = '.svc-memory-team';

/** A chain alice - bob - carol - dave; the link between bob and carol ended at 2000. */
beforeAll(async () => {
  server = await startServer();
  const properties = { v: { type: 'dense_vector', dims: 2 }, kind: { type: 'keyword' } };
  const made = await server.call('PUT', `/${NODES}`, { mappings: { properties } });
  expect(made.status, made.text).toBe(200);
  await bulk(
    server,
    `/${NODES}/_bulk?refresh=true`,
    ['alice', 'bob', 'carol', 'dave'].flatMap((_id, i) => [
      JSON.stringify({ index: { _id } }),
      JSON.stringify({ text: `met ${_id}`, kind: i % 2 === 0 ? 'even' : 'odd', v: [1, i] }),
    ]),
  );
  const edges = [];
  for (const [src, dst] of [
    ['alice', 'bob'],
    ['bob', 'carol'],
    ['carol', 'dave'],
  ]) {
    const link = { src, dst, type: 'knows', valid_at: 1000 };
    edges.push((await server.call('POST', '/_graph/team/link', link)).json.edge_id);
  }
  await server.call('DELETE', `/_graph/team/link/${edges[1]}?invalid_at=2000`);
});
afterAll(async () => {
  await server?.stop();
});

async function search(body: object, index = NODES): Promise<string[]> {
  const reply = await server.call('POST', `/${index}/_search`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits.map(({ _id }: { _id: string }) => _id).sort();
}

describe('a graph clause', () => {
  test('finds what is within its hops, now and then', async () => {
    const near = (rest: object): object => ({ query: { graph: { node: 'alice', ...rest } } });
    expect(await search(near({}))).toEqual(['alice', 'bob']);
    expect(await search(near({ hops: 2 }))).toEqual(['alice', 'bob']);
    expect(await search(near({ hops: 2, as_of: 1999 }))).toEqual(['alice', 'bob', 'carol']);
    expect(await search(near({ hops: 2, as_of: '1970-01-01T00:00:02Z' }))).toEqual([
      'alice',
      'bob',
    ]);
    expect(await search(near({ direction: 'in' }))).toEqual(['alice']);
    expect(await search(near({ types: ['likes'] }))).toEqual(['alice']);
  });

  test('goes with words, in bool', async () => {
    const filter = { graph: { node: 'bob', as_of: 1999 } };
    const must_not = { term: { kind: 'odd' } };
    const query = { bool: { must: { match: { text: 'met' } }, filter, must_not } };
    expect(await search({ query })).toEqual(['alice', 'carol']);
    expect(await search({ query: { bool: { must_not: filter } } })).toEqual(['dave']);
  });

  test('narrows neighbours before they are chosen', async () => {
    const filter = { graph: { seeds: ['dave'] } };
    const knn = { field: 'v', query_vector: [1, 0], k: 1, filter };
    expect(await search({ knn })).toEqual(['carol']);
  });

  test('is counted, and asked for with others', async () => {
    const query = { graph: { brain: 'team', seeds: ['alice', 'dave'] } };
    expect((await server.call('POST', `/${NODES}/_count`, { query })).json.count).toBe(4);
    const lines = [{ index: NODES }, { query }, { index: NODES }, { query: { graph: {} } }];
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const { json } = await server.call('POST', '/_msearch', body, headers);
    expect(json.responses[0].hits.total.value).toBe(4);
    expect(json.responses[1]).toMatchObject({ status: 400, error: { type: 'parsing_exception' } });
  });

  test('sees a link at once', async () => {
    await server.call('POST', '/_graph/team/link', { src: 'alice', dst: 'dave', type: 'met' });
    expect(await search({ query: { graph: { node: 'alice', types: ['met'] } } })).toEqual([
      'alice',
      'dave',
    ]);
  });
});

describe('a graph clause narrows', () => {
  const near = { graph: { brain: 'friends', node: 'ann', hops: 2 } };

  beforeAll(async () => {
    for (const id of ['ann', 'bob', 'cid', 'zoe']) {
      const body = { id, text: `${id} likes long walks along the river`, metadata: { who: id } };
      expect((await server.call('POST', '/_memory/friends', body)).status).toBe(201);
    }
    for (const [src, dst] of [
      ['ann', 'bob'],
      ['bob', 'cid'],
    ])
      await server.call('POST', '/_graph/friends/link', { src, dst, type: 'knows' });
    await server.call('POST', '/.svc-memory-friends/_refresh');
  });

  test('every part of a hybrid query', async () => {
    const words = { bool: { must: { match: { text: 'river walks' } }, filter: near } };
    const all = { bool: { filter: [near, { match_all: {} }] } };
    const query = { hybrid: { queries: [{ query: words }, { query: all }] } };
    expect(await search({ query }, '.svc-memory-friends')).toEqual(['ann', 'bob', 'cid']);
  });

  test('meaning, alone and beside words', async () => {
    const meaning = { semantic: { field: 'text', query: 'river walks', k: 10, filter: near } };
    expect((await search({ query: meaning }, '.svc-memory-friends')).sort()).toEqual([
      'ann',
      'bob',
      'cid',
    ]);
    const words = { bool: { must: { match: { text: 'river walks' } }, filter: near } };
    const query = { hybrid: { queries: [{ query: words }, { query: meaning }] } };
    expect((await search({ query }, '.svc-memory-friends')).sort()).toEqual(['ann', 'bob', 'cid']);
    const recalled = { query: 'river walks', filter: { graph: { node: 'ann', hops: 2 } } };
    for (const mode of [{ semantic: true }, { hybrid: true }]) {
      const path = '/_memory/friends/_recall';
      const { json } = await server.call('POST', path, { ...recalled, ...mode });
      const ids = json.hits.map(({ id }: { id: string }) => id).sort();
      expect(ids).toEqual(['ann', 'bob', 'cid']);
    }
  });

  test('recalls, by the namespace of their own', async () => {
    const filter = { bool: { must_not: { graph: { node: 'ann', hops: 2 } } } };
    const body = { query: 'river walks', filter };
    const { json } = await server.call('POST', '/_memory/friends/_recall', body);
    expect(json.hits.map(({ id }: { id: string }) => id)).toEqual(['zoe']);
  });
});

test('a namespace that detects finds the links of a memory as it is stored', async () => {
  await server.call('PUT', '/_memory/notes', { detect: true });
  await server.call('POST', '/_memory/notes', {
    id: 'm1',
    text: 'first',
    metadata: { title: 'Keel' },
  });
  await server.call('POST', '/_memory/notes', { id: 'm2', text: 'This supersedes [[Keel]].' });
  const { json } = await server.call('GET', '/_graph/notes/ego?node=m1');
  expect(json.links).toMatchObject([
    {
      src: 'm2',
      type: 'supersedes',
      detector: 'wiki-links@1',
      evidence: { field: 'text', offset: 5 },
    },
  ]);
  await server.call('DELETE', '/_memory/notes/m2');
  expect((await server.call('GET', '/_graph/notes/ego?node=m1')).json.links).toEqual([]);
});
