// Semantic clauses in the coordinator: for which fields texts are embedded remotely, when, and the
// use of the results.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { remoteEmbedders, semanticFields } from '../../src/coordinator/catalog/semantic-fields.ts';
import { Searcher } from '../../src/coordinator/search/search.ts';
import { Gate } from '../../src/coordinator/shards/gate.ts';
import type { QueryText } from '../../src/embed/query-embedder.ts';
import { QuarryError } from '../../src/errors.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { description, FakePool, toError } from './fake-pool.ts';
import { fakeScopes } from './fake-scopes.ts';
import { fetchReply, searchReply } from './replies.ts';

const field = (embedder: string) => ({ type: 'semantic_text', dims: 2, embedder });
const mappings = {
  properties: {
    title: { type: 'text', fields: { meaning: field('mini@a') } },
    body: field('mini@a'),
    note: field('svc-lex-1'),
    place: { properties: { story: field('big@b') } },
    other: { type: 'alias', path: 'place.story' },
    far: { type: 'alias', path: 'title' },
  },
};

describe('the embedders of fields', () => {
  test.each([
    ['body', ['mini@a']],
    ['title.meaning', ['mini@a']],
    ['place.story', ['big@b']],
    ['other', ['big@b']],
    ['note', []],
    ['title', []],
    ['far', []],
    ['place', []],
    ['nosuch', []],
  ])('%s: %s', (name, embedders) => {
    expect(remoteEmbedders(semanticFields(mappings), name)).toEqual(embedders);
  });

  test('of fields that templates may make are those of the templates', () => {
    const fields = semanticFields({
      ...mappings,
      dynamic_templates: [
        { texts: { match: '*_text', mapping: field('late@c') } },
        { own: { match: '*_own', mapping: field('svc-lex-1') } },
        { deep: { mapping: { type: 'text', fields: { m: field('deep@d') } } } },
      ],
    });
    expect(remoteEmbedders(fields, 'new_text')).toEqual(['late@c', 'deep@d']);
    expect(remoteEmbedders(fields, 'body')).toEqual(['mini@a']);
    expect(remoteEmbedders(fields, 'note')).toEqual([]);
  });
});

function world(fail?: QuarryError) {
  const pool = new FakePool({
    search: ({ shards }) => {
      const legs = { scores: [0.5], seqNos: [1n] };
      const samples = Array.from({ length: shards.length / 2 }, (_, i) => ({
        index: shards[2 * i] ?? 0,
        shard: shards[2 * i + 1] ?? 0,
        ...legs,
        moreLegs: [legs],
      }));
      return searchReply(samples);
    },
    fetch: ({ fetches }) =>
      fetches.map(({ index, docs }) =>
        fetchReply([...docs].map((doc) => ({ id: `${index}-${doc}` }))),
      ),
  });
  const catalog = new Catalog();
  const remote = JSON.parse(description('remote', 1)) as JsonObject;
  catalog.change([readIndex(JSON.stringify({ ...remote, mappings }))], []);
  catalog.change([readIndex(description('plain', 2))], []);
  const requested: (readonly QueryText[])[] = [];
  const searcher = new Searcher({
    maxBuckets: () => 65_536,
    dateTable: () => new ArrayBuffer(0),
    catalog,
    fanOut: { pool },
    scopes: fakeScopes(pool),
    gate: new Gate({ what: 'searches', setting: 'x', limit: () => 10, onRefusal: () => {} }),
    opcodes: readOpcodes(),
    toError,
    metrics: new Metrics(),
    queryEmbedder: {
      vectorsOf: async (requests) => {
        requested.push(requests);
        if (fail !== undefined) throw fail;
        return requests.map((_, i) => Float32Array.of(i + 0.25));
      },
    },
    nowMs: () => 0,
    version: () => 0,
  });
  const sent = () => pool.named('search').map(({ plan }) => Buffer.from(plan));
  return { searcher, requested, sent };
}

const like = (name: string, query = 'fox') => ({ semantic: { field: name, query } });
const vector = (value: number) => Buffer.from(Float32Array.of(value).buffer);

describe('a search', () => {
  test('embeds each text once for each embedder, before it asks a shard', async () => {
    const { searcher, requested, sent } = world();
    const queries = [like('body'), like('other'), like('title.meaning'), like('body', 'dog')];
    await searcher
      .prepare({ index: 'remote,plain', body: { query: { dis_max: { queries } } } })
      .run(undefined);
    expect(requested).toEqual([
      [
        { embedder: 'mini@a', text: 'fox' },
        { embedder: 'big@b', text: 'fox' },
        { embedder: 'mini@a', text: 'dog' },
      ],
    ]);
    // Nearest vectors are searched first, over two shards.
    expect(sent()).toHaveLength(2);
    for (const value of [0.25, 1.25, 2.25]) expect(sent()[0]?.includes(vector(value))).toBe(true);
  });

  test('asks nobody where the built-in embedder does', async () => {
    const { searcher, requested } = world();
    await searcher.prepare({ index: 'remote,plain', body: { query: like('note') } }).run(undefined);
    await searcher.prepare({ index: 'plain', body: { query: like('body') } }).run(undefined);
    await searcher
      .prepare({ index: 'remote', body: { query: { match: { body: 'fox' } } } })
      .run(undefined);
    expect(requested).toEqual([]);
  });

  test('of one shard carries the vectors, too', async () => {
    const { searcher, sent } = world();
    await searcher.prepare({ index: 'remote', body: { query: like('body') } }).run(undefined);
    expect(sent().map((plan) => plan.includes(vector(0.25)))).toEqual([true]);
  });

  test('finds lists with them, also within filters of lists', async () => {
    const { searcher, requested, sent } = world();
    const hybrid = { queries: [like('body'), { bool: { must: [like('place.story')] } }] };
    await searcher.prepare({ index: 'remote', body: { query: { hybrid } } }).run(undefined);
    expect(requested).toHaveLength(1);
    for (const value of [0.25, 1.25]) expect(sent()[0]?.includes(vector(value))).toBe(true);
  });

  test('counts with them', async () => {
    const { searcher, requested, sent } = world();
    await searcher.count({ index: 'remote', body: { query: like('body') } });
    expect(requested).toHaveLength(1);
    expect(sent()[0]?.includes(vector(0.25))).toBe(true);
  });

  test('fails where a text has no vector, and asks no shard', async () => {
    const { searcher, sent } = world(new QuarryError('inference_exception', 'the service is down'));
    const search = searcher
      .prepare({ index: 'remote', body: { query: like('body') } })
      .run(undefined);
    await expect(search).rejects.toMatchObject({ type: 'inference_exception', status: 502 });
    expect(sent()).toEqual([]);
  });
});
