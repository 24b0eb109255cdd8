// The official, unmodified clients perform typical operations with the built service: Elasticsearch
// 8 and 9, OpenSearch.
import { Client as Client8 } from '@elastic/elasticsearch';
import { Client as OpenSearch } from '@opensearch-project/opensearch';
import { Client as Client9 } from 'elasticsearch9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const DOCUMENTS = [
  { id: '1', title: 'Green apples', price: 3, tags: ['fruit', 'fresh'] },
  { id: '2', title: 'Red apples and pears', price: 5, tags: ['fruit'] },
  { id: '3', title: 'Blue paint', price: 12, tags: ['colour'] },
];
const MAPPINGS = {
  properties: {
    title: { type: 'text' as const, fields: { raw: { type: 'keyword' as const } } },
    price: { type: 'integer' as const },
    tags: { type: 'keyword' as const },
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

type Elastic = Client8;

describe.each([
  ['8', (node: string) => new Client8({ node })],
  ['9', (node: string) => new Client9({ node }) as unknown as Elastic],
])('@elastic/elasticsearch %s', (version, connect) => {
  const index = `shop-es${version}`;
  let client: Elastic;
  beforeAll(() => {
    client = connect(server.base);
  });
  afterAll(async () => {
    await client.close();
  });

  test('greets', async () => {
    expect(await client.ping()).toBe(true);
    expect((await client.info()).tagline).toBe('You Know, for Search');
    expect((await client.cluster.health()).number_of_nodes).toBe(1);
  });

  test('creates an index and reads it back', async () => {
    const created = await client.indices.create({
      index,
      mappings: MAPPINGS,
      settings: { number_of_shards: 2, number_of_replicas: 0 },
    });
    expect(created.acknowledged).toBe(true);
    expect(await client.indices.exists({ index })).toBe(true);
    expect(await client.indices.exists({ index: 'nobody' })).toBe(false);
    const mapping = await client.indices.getMapping({ index });
    expect(mapping[index]?.mappings.properties?.['price']).toEqual({ type: 'integer' });
    const settings = await client.indices.getSettings({ index });
    expect(settings[index]?.settings?.index?.number_of_shards).toBe('2');
  });

  test('writes through the bulk helper and single calls', async () => {
    const result = await client.helpers.bulk({
      datasource: DOCUMENTS.slice(0, 2),
      onDocument: ({ id }) => ({ index: { _index: index, _id: id } }),
      refreshOnCompletion: true,
    });
    expect(result.successful).toBe(2);
    expect(result.failed).toBe(0);
    const third = await client.index({
      index,
      id: '3',
      document: DOCUMENTS[2],
      refresh: 'wait_for',
    });
    expect(third.result).toBe('created');
    await expect(client.create({ index, id: '3', document: {} })).rejects.toMatchObject({
      statusCode: 409,
    });
  });

  test('searches, counts and gets', async () => {
    const found = await client.search({ index, query: { match: { title: 'apples' } } });
    expect(found.hits.hits.map((hit) => hit._id)).toEqual(['1', '2']);
    expect(found.hits.total).toEqual({ value: 2, relation: 'eq' });
    const sorted = await client.search({
      index,
      query: { range: { price: { gte: 5 } } },
      sort: [{ price: { order: 'desc' } }],
      _source: ['title'],
    });
    expect(sorted.hits.hits.map((hit) => hit._source)).toEqual([
      { title: 'Blue paint' },
      { title: 'Red apples and pears' },
    ]);
    expect((await client.count({ index, query: { term: { tags: 'fruit' } } })).count).toBe(2);
    const got = await client.get({ index, id: '1' });
    expect(got._source).toEqual(DOCUMENTS[0]);
    const many = await client.mget({ index, ids: ['1', '9'] });
    expect(many.docs.map((doc) => 'found' in doc && doc.found)).toEqual([true, false]);
    const multi = await client.msearch({
      searches: [
        { index },
        { query: { match_all: {} } },
        { index },
        { query: { match: { title: 'paint' } } },
      ],
    });
    expect(multi.responses.map((one) => 'hits' in one && one.hits.hits.length)).toEqual([3, 1]);
  });

  test('updates with compare-and-set and deletes', async () => {
    const before = await client.get({ index, id: '1' });
    const updated = await client.update({
      index,
      id: '1',
      doc: { price: 4 },
      if_seq_no: before._seq_no ?? 0,
      if_primary_term: before._primary_term ?? 1,
    });
    expect(updated.result).toBe('updated');
    await expect(
      client.update({
        index,
        id: '1',
        doc: { price: 9 },
        if_seq_no: before._seq_no ?? 0,
        if_primary_term: before._primary_term ?? 1,
      }),
    ).rejects.toMatchObject({ statusCode: 409 });
    expect((await client.delete({ index, id: '1' })).result).toBe('deleted');
    expect(await client.exists({ index, id: '1' })).toBe(false);
    expect((await client.indices.delete({ index })).acknowledged).toBe(true);
  });

  test('finds neighbours', async () => {
    const vectors = `${index}-vectors`;
    await client.indices.create({
      index: vectors,
      mappings: {
        properties: {
          emb: {
            type: 'dense_vector',
            dims: 2,
            index: true,
            similarity: 'cosine',
            index_options: { type: 'hnsw', m: 16, ef_construction: 100 },
          },
          tag: { type: 'keyword' },
        },
      },
    });
    const documents = [
      { id: 'a', emb: [1, 0], tag: 'x' },
      { id: 'b', emb: [0, 1], tag: 'y' },
      { id: 'c', emb: [1, 1], tag: 'y' },
    ];
    await client.helpers.bulk({
      datasource: documents,
      onDocument: ({ id }) => ({ index: { _index: vectors, _id: id } }),
      refreshOnCompletion: true,
    });
    const knn = { field: 'emb', query_vector: [1, 0], k: 2, num_candidates: 10 };
    const near = await client.search({ index: vectors, knn, _source: false });
    expect(near.hits.hits.map((hit) => hit._id)).toEqual(['a', 'c']);
    const filter = [{ term: { tag: 'y' } }];
    const filtered = await client.search({ index: vectors, knn: { ...knn, boost: 2, filter } });
    expect(filtered.hits.hits.map((hit) => hit._id)).toEqual(['c', 'b']);
    const both = await client.search({
      index: vectors,
      query: { term: { tag: 'x' } },
      knn: [knn, knn],
    });
    expect(both.hits.total).toEqual({ value: 2, relation: 'eq' });
    const clause = await client.search({ index: vectors, query: { knn } });
    expect(clause.hits.hits.map((hit) => hit._id)).toEqual(['a', 'c']);
    const standard = { query: { term: { tag: 'y' } } };
    const fused = await client.search({
      index: vectors,
      retriever: {
        rrf: { retrievers: [{ standard }, { knn }], rank_constant: 20, rank_window_size: 50 },
      },
      size: 2,
    });
    expect(fused.hits.hits.map((hit) => hit._id)).toEqual(['c', 'a']);
    expect(fused.hits.hits[0]?._score).toBeCloseTo(1 / 22 + 1 / 22, 6);
    expect((await client.indices.delete({ index: vectors })).acknowledged).toBe(true);
  });

  test('reads the error of a bad query', async () => {
    await client.indices.create({ index });
    await expect(
      client.search({ index, query: { nosuchquery: {} } as never }),
    ).rejects.toMatchObject({
      statusCode: 400,
    });
    await client.indices.delete({ index });
    await expect(client.search({ index })).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('@opensearch-project/opensearch', () => {
  const index = 'shop-os';
  let client: OpenSearch;
  beforeAll(() => {
    client = new OpenSearch({ node: server.base });
  });
  afterAll(async () => {
    await client.close();
  });

  test('creates, writes, searches, deletes', async () => {
    await client.indices.create({ index, body: { mappings: MAPPINGS } });
    const body = DOCUMENTS.flatMap((document) => [
      { index: { _index: index, _id: document.id } },
      document,
    ]);
    const bulk = await client.bulk({ body, refresh: true });
    expect(bulk.body.errors).toBe(false);
    const found = await client.search({
      index,
      body: {
        query: {
          bool: { must: [{ match: { title: 'apples' } }], filter: [{ term: { tags: 'fresh' } }] },
        },
      },
    });
    expect(found.body.hits.hits.map((hit) => hit._id)).toEqual(['1']);
    const queries = [{ match: { title: 'apples' } }, { term: { tags: 'fresh' } }];
    const fused = await client.search({ index, body: { query: { hybrid: { queries } } } });
    // The mean of the best score of both lists, and of the worst score of one.
    expect(fused.body.hits.hits.map((hit) => [hit._id, hit._score])).toEqual([
      ['1', 1],
      ['2', 0],
    ]);
    const got = await client.get({ index, id: '2' });
    expect(got.body._source).toEqual(DOCUMENTS[1]);
    const cat = await client.cat.indices({ index, format: 'json' });
    expect(cat.body[0]?.['docs.count']).toBe('3');
    await client.delete({ index, id: '2', refresh: true });
    expect((await client.count({ index })).body.count).toBe(2);
    await client.indices.delete({ index });
  });
});
