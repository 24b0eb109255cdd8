// The link graph over real HTTP and the real engine: an asserted link is visible to the next
// request, results about the past survive flush, merge and restart, and one of several concurrent
// writers wins.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulk, type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-graph-'));
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function link(brain: string, src: string, dst: string, rest: object = {}): Promise<string> {
  const reply = await server.call('POST', `/_graph/${brain}/link`, {
    src,
    dst,
    type: 't',
    ...rest,
  });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json.edge_id;
}

function ego(brain: string, node: string, query = ''): Promise<Reply> {
  return server.call('GET', `/_graph/${brain}/ego?node=${encodeURIComponent(node)}${query}`);
}

async function targets(brain: string, node: string, query = ''): Promise<string[]> {
  const reply = await ego(brain, node, query);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.links.map(({ dst }: { dst: string }) => dst).sort();
}

describe('a link', () => {
  test('has the documented id', async () => {
    const body = { src: 'note-alpha', type: 'wikilink', dst: 'note-beta', valid_at: 1753600000000 };
    const first = await server.call('POST', '/_graph/ids/link', body);
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({
      brain: 'ids',
      edge_id: 'bef814a75bd3d914c3e561f610154304',
      created: true,
      link: { state: 'live', asserted: true, evidence: null, detector: null },
    });
    const again = { ...body, valid_at: '2025-07-27T09:06:40+02:00' };
    const second = await server.call('POST', '/_graph/ids/link', again);
    expect(second.status).toBe(200);
    expect(second.json).toEqual({ ...first.json, created: false });
  });

  test('is seen by the very next request, and so is its end', async () => {
    for (let i = 0; i < 10; i++) {
      const edge = await link('fresh', 'a', `b${i}`);
      expect(await targets('fresh', 'a')).toContain(`b${i}`);
      await server.call('DELETE', `/_graph/fresh/link/${edge}`);
      expect(await targets('fresh', 'a')).not.toContain(`b${i}`);
    }
  });

  test('ends once', async () => {
    const edge = await link('ends', 'a', 'b', { valid_at: 1000 });
    const path = `/_graph/ends/link/${edge}`;
    const first = await server.call('DELETE', `${path}?invalid_at=1970-01-01T00:00:02Z`);
    expect(first.json).toMatchObject({ brain: 'ends', edge_id: edge, invalidated: true });
    expect(first.json.invalid_at).toBe(2000);
    const second = await server.call('DELETE', path, { invalid_at: 3000 });
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject({ invalidated: false, already_invalid_at: 2000 });
    const again = { src: 'a', dst: 'b', type: 't', valid_at: 1000 };
    const asserted = await server.call('POST', '/_graph/ends/link', again);
    expect(asserted.json).toMatchObject({
      created: false,
      invalid_at: 2000,
      link: { state: 'retired' },
    });
  });

  test('lives in half-open intervals of both clocks', async () => {
    const edge = await link('times', 'a', 'b', { valid_at: -1000 });
    await server.call('DELETE', `/_graph/times/link/${edge}?invalid_at=1000`);
    const at = async (query: string): Promise<number> =>
      (await targets('times', 'a', query)).length;
    expect([await at('&as_of=-1001'), await at('&as_of=-1000')]).toEqual([0, 1]);
    expect([await at('&as_of=999'), await at('&as_of=1000')]).toEqual([1, 0]);
    expect(await at('')).toBe(0);
    expect(await at('&include_expired=true')).toBe(1);
    // In 1970 the link was not recorded yet.
    expect(await at('&as_of=999&known_at=999')).toBe(0);
    const shown = (await ego('times', 'a', '&include_expired=true')).json.links[0];
    expect(shown).toMatchObject({ state: 'retired', invalid_at: 1000 });
    expect(await at(`&as_of=5000&known_at=${shown.expired_at}`)).toBe(0);
    expect(await at(`&as_of=5000&known_at=${shown.expired_at - 1}`)).toBeLessThanOrEqual(1);
  });

  test('is made and ended by one of many', async () => {
    const body = { src: 'a', dst: 'b', type: 't', valid_at: 1000 };
    const made = await Promise.all(
      Array.from({ length: 30 }, () => server.call('POST', '/_graph/race/link', body)),
    );
    expect(
      made
        .map(({ status }) => status)
        .sort()
        .slice(-2),
    ).toEqual([200, 201]);
    const edge = made[0]?.json.edge_id;
    const ended = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        server.call('DELETE', `/_graph/race/link/${edge}?invalid_at=${2000 + i}`),
      ),
    );
    const won = ended.filter(({ json }) => json.invalidated);
    expect(won).toHaveLength(1);
    for (const { json } of ended.filter(({ json }) => !json.invalidated)) {
      expect(json.already_invalid_at).toBe(won[0]?.json.invalid_at);
    }
  });

  test('by bulk, before any other, is a link like any other', async () => {
    const index = '.svc-memory-bulk-edges';
    const edge = (src: string, dst: string, rest: object): string[] => [
      JSON.stringify({ create: { _index: index, _id: `${src}-${dst}` } }),
      JSON.stringify({ src, dst, type: 'cites', valid_at: 1000, ...rest }),
    ];
    await bulk(server, '/_bulk', [
      ...edge('a', 'b', { confidence: 0.5 }),
      ...edge('a', 'c', { evidence: { quote: 'see c', source: 'a', offset: 3 } }),
      ...edge('c', 'd', { valid_at: '1970-01-01T00:00:02Z', detector: 'wiki@1' }),
    ]);
    const { json } = await ego('bulk', 'a', '&hops=2');
    expect(json.links).toMatchObject([
      { dst: 'c', confidence: 1, weight: 1, asserted: false, evidence: { quote: 'see c' }, hop: 1 },
      { dst: 'b', confidence: 0.5, asserted: true, evidence: null, created_at: null, hop: 1 },
      { dst: 'd', valid_at: 2000, detector: 'wiki@1', hop: 2 },
    ]);
    const ended = await server.call('DELETE', '/_graph/bulk/link/a-b');
    expect(ended.json.invalidated).toBe(true);
    expect(await targets('bulk', 'a')).toEqual(['c']);
  });
});

describe('ego', () => {
  test('takes types by commas and repeated', async () => {
    for (const type of ['x', 'y', 'z']) await link('types', 'a', type, { type });
    expect(await targets('types', 'a', '&types=x,y')).toEqual(['x', 'y']);
    expect(await targets('types', 'a', '&types=x&types=z')).toEqual(['x', 'z']);
    expect(await targets('types', 'a', '&types=')).toEqual(['x', 'y', 'z']);
    expect(await targets('types', 'a', '&types=none')).toEqual([]);
  });

  test('orders by strength, then time, then id, at every limit', async () => {
    await link('order', 'a', 'weak', { confidence: 0.2 });
    await link('order', 'a', 'old', { valid_at: 1000 });
    await link('order', 'a', 'new', { valid_at: 2000 });
    await link('order', 'a', 'half', { weight: 0.5 });
    const all = (await ego('order', 'a')).json.links;
    expect(all.map(({ dst }: { dst: string }) => dst)).toEqual(['new', 'old', 'half', 'weak']);
    const two = (await ego('order', 'a', '&limit=2')).json;
    expect(two.links).toEqual(all.slice(0, 2));
    expect(two.not_shown).toMatchObject({ links: 2, by_type: { t: 2 }, reasons: { limit: 2 } });
  });

  test('shows nodes of the index that the brain names', async () => {
    const reply = await server.call('PUT', '/_graph/named', { nodes_index: 'notes' });
    expect(reply.json).toMatchObject({ acknowledged: true, nodes_index_exists: false });
    expect((await ego('named', 'n1')).json).toMatchObject({ exists: false, links: [] });
    await server.call('PUT', '/notes/_doc/n1', { title: 'One', body: 'x'.repeat(300) });
    const { json } = await ego('named', 'n1');
    expect(json).toMatchObject({ exists: true, nodes: { n1: { title: 'One' } } });
    expect(json.nodes.n1.preview).toHaveLength(200);
    expect((await ego('named', 'n1', '&include_nodes=false')).json).toMatchObject({
      exists: true,
      nodes: {},
    });
  });

  test('takes ids of any text', async () => {
    const node = 'a/b?c=d&e "ü" 🙂, __proto__';
    await link('texts', node, '__proto__', { type: 'a,b' });
    const { json } = await ego('texts', node);
    expect(json.nodes).toHaveProperty(['__proto__']);
    expect(json.links[0]).toMatchObject({ src: node, dst: '__proto__', type: 'a,b' });
  });
});

test('overview follows what is asserted and retired', async () => {
  const none = await server.call('GET', '/_graph/whole/overview');
  expect(none.status).toBe(200);
  expect(none.json).toMatchObject({ exists: false, links: { live: 0 } });
  const edge = await link('whole', 'a', 'b');
  await link('whole', 'a', 'c', { type: 'cites' });
  const two = (await server.call('GET', '/_graph/whole/overview?top=1')).json;
  expect(two).toMatchObject({
    exists: true,
    links: { live: 2, retired: 0 },
    nodes: { linked: 3, missing: 3 },
    hubs: [{ id: 'a', degree: 2, in: 0, out: 2 }],
    not_shown: { hubs: 2, types: 1 },
  });
  await server.call('DELETE', `/_graph/whole/link/${edge}`);
  const one = (await server.call('GET', '/_graph/whole/overview')).json;
  expect(one.links).toMatchObject({ live: 1, retired: 1 });
});

test('the answers are the same after flush, merge and restart', async () => {
  const brain = 'lasting';
  for (let i = 0; i < 60; i++) {
    const edge = await link(brain, `n${i % 7}`, `m${(i * 3) % 11}`, {
      valid_at: 1000 + i,
      confidence: (i % 5) / 5,
      type: `t${i % 3}`,
    });
    if (i % 4 === 0)
      await server.call('DELETE', `/_graph/${brain}/link/${edge}?invalid_at=${2000 + i}`);
    if (i % 20 === 0) await server.call('POST', `/.svc-memory-${brain}-edges/_flush`);
  }
  const answers = async (): Promise<string> => {
    const all: unknown[] = [];
    for (const at of [1010, 1059, 2000, 2020, 5000]) {
      for (const query of ['&hops=2', '&direction=in', '&include_expired=true&limit=3']) {
        const { took: _took, ...rest } = (await ego(brain, 'n1', `${query}&as_of=${at}`)).json;
        all.push(rest);
      }
      const seen = await server.call('GET', `/_graph/${brain}/overview?as_of=${at}`);
      all.push(seen.json);
    }
    return JSON.stringify(all);
  };
  const before = await answers();
  await server.call('POST', `/.svc-memory-${brain}-edges/_flush`);
  expect(await answers()).toBe(before);
  await server.call('POST', `/.svc-memory-${brain}-edges/_forcemerge?max_num_segments=1`);
  expect(await answers()).toBe(before);
  await server.kill('SIGKILL');
  server = await startServer({ dataDir });
  expect(await answers()).toBe(before);
});
