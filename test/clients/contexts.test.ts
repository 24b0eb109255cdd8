// State that outlasts a request, with the official, unmodified clients: scroll helpers, points in
// time, operations by query, tasks.
import { Client as Client8 } from '@elastic/elasticsearch';
import { Client as OpenSearch } from '@opensearch-project/opensearch';
import { Client as Client9 } from 'elasticsearch9';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

const DOCUMENTS = 25;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});
beforeEach(async () => {
  await server.call('DELETE', '/*');
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `${JSON.stringify({ index: { _id: `${n}` } })}\n${JSON.stringify({ n })}\n`,
  );
  await server.call('POST', '/shop/_bulk?refresh=true', lines.join(''), {
    'content-type': 'application/x-ndjson',
  });
});

const ALL = Array.from({ length: DOCUMENTS }, (_, n) => n);

interface Item {
  readonly n: number;
}

describe.each([
  ['8', (node: string) => new Client8({ node })],
  ['9', (node: string) => new Client9({ node }) as unknown as Client8],
])('@elastic/elasticsearch %s', (_version, connect) => {
  let client: Client8;
  beforeAll(() => {
    client = connect(server.base);
  });
  afterAll(async () => {
    await client.close();
  });

  test('scrolls through documents and searches by its helpers', async () => {
    const found: number[] = [];
    const request = { index: 'shop', size: 4, sort: ['n:asc'] };
    for await (const { n } of client.helpers.scrollDocuments<Item>(request)) found.push(n);
    expect(found).toEqual(ALL);
    const pages: number[] = [];
    for await (const page of client.helpers.scrollSearch<Item>({ index: 'shop', size: 10 })) {
      pages.push(page.documents.length);
      if (pages.length === 2) await page.clear();
    }
    expect(pages).toEqual([10, 10]);
  });

  test('pages through a point in time', async () => {
    const { id } = await client.openPointInTime({ index: 'shop', keep_alive: '1m' });
    const found: number[] = [];
    for (let after: never | undefined; ; ) {
      const page = await client.search<Item>({
        pit: { id, keep_alive: '1m' },
        size: 6,
        sort: [{ n: 'asc' }, { _shard_doc: 'asc' }] as never,
        ...(after === undefined ? {} : { search_after: after }),
      });
      if (page.hits.hits.length === 0) break;
      found.push(...page.hits.hits.map((hit) => hit._source?.n ?? -1));
      after = page.hits.hits.at(-1)?.sort as never;
    }
    expect(found).toEqual(ALL);
    const closed = await client.closePointInTime({ id });
    expect(closed).toEqual({ succeeded: true, num_freed: 1 });
    await expect(client.search({ pit: { id } })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('deletes, updates and copies what a query finds', async () => {
    const copied = await client.reindex({
      source: { index: 'shop' },
      dest: { index: 'copy' },
      refresh: true,
    });
    expect(copied).toMatchObject({ created: DOCUMENTS, failures: [] });
    const removed = await client.deleteByQuery({
      index: 'copy',
      query: { range: { n: { gte: 20 } } },
      refresh: true,
    });
    expect(removed.deleted).toBe(5);
    const updated = await client.updateByQuery({
      index: 'copy',
      script: { source: 'ctx._source.n *= params.by', params: { by: 2 } },
      refresh: true,
    });
    expect(updated.updated).toBe(20);
    const top = await client.search<Item>({ index: 'copy', sort: [{ n: 'desc' }], size: 1 });
    expect(top.hits.hits[0]?._source?.n).toBe(38);
    const one = await client.update({
      index: 'copy',
      id: '1',
      script: { source: 'ctx._source.n = params.n', params: { n: 7 } },
    });
    expect(one.result).toBe('updated');
  });

  test('waits for a task', async () => {
    const { task = '' } = await client.reindex({
      source: { index: 'shop' },
      dest: { index: 'copy' },
      wait_for_completion: false,
    });
    const ended = await client.tasks.get({ task_id: String(task), wait_for_completion: true });
    expect(ended.completed).toBe(true);
    expect(ended.response).toMatchObject({ created: DOCUMENTS });
    expect((await client.tasks.list()).nodes).toEqual({});
  });
});

describe('@opensearch-project/opensearch', () => {
  let client: OpenSearch;
  beforeAll(() => {
    client = new OpenSearch({ node: server.base });
  });
  afterAll(async () => {
    await client.close();
  });

  test('scrolls, and searches a point in time', async () => {
    const found: number[] = [];
    const request = { index: 'shop', size: 7, sort: ['n:asc'], body: {} };
    for await (const item of client.helpers.scrollDocuments(request)) {
      found.push((item as unknown as Item).n);
    }
    expect(found).toEqual(ALL);
    const { body: opened } = await client.createPit({ index: ['shop'], keep_alive: '1m' });
    const pit = { id: String(opened.pit_id), keep_alive: '1m' };
    const { body: page } = await client.search({ body: { pit, size: 3 } });
    expect(page.hits.hits).toHaveLength(3);
    const { body: closed } = await client.deletePit({ body: { pit_id: [pit.id] } });
    expect(closed.pits?.[0]?.successful).toBe(true);
    const { body: removed } = await client.deleteByQuery({
      index: 'shop',
      body: { query: { match_all: {} } },
      refresh: true,
    });
    expect(removed).toMatchObject({ deleted: DOCUMENTS });
  });
});
