// Random histories (index, update, delete, bulk, refresh, flush, merge, restart, kill) compared
// with the naive model: the same documents by id, and the same hits, order and totals by query.
// PROPERTY_RUNS and PROPERTY_SEED set the number and the choice of histories.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { type Doc, Model, type Query, toDsl } from './model.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 12 : 5));
const PATIENCE_MS = 600_000;
const WORDS = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'antler', 'beetle'];
const KINDS = ['red', 'green', 'blue'];

const id = fc.integer({ min: 0, max: 30 }).map((n) => `doc-${n}`);
const word = fc.constantFrom(...WORDS);
const doc: fc.Arbitrary<Doc> = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  kind: fc.constantFrom(...KINDS),
  rank: fc.integer({ min: 0, max: 9 }),
  tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
});
const leaf: fc.Arbitrary<Query> = fc.oneof(
  fc.constant<Query>({ kind: 'all' }),
  fc.record({
    kind: fc.constant('term' as const),
    field: fc.constant('kind' as const),
    value: fc.constantFrom(...KINDS),
  }),
  fc.record({
    kind: fc.constant('term' as const),
    field: fc.constant('tags' as const),
    value: fc.constantFrom('a', 'b', 'z'),
  }),
  fc.record({
    kind: fc.constant('match' as const),
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    and: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('phrase' as const),
    words: fc.array(word, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('range' as const),
    low: fc.integer({ min: 0, max: 9 }),
    high: fc.integer({ min: 0, max: 10 }),
  }),
  fc.record({
    kind: fc.constant('prefix' as const),
    value: fc.constantFrom('a', 'ant', 'be', 'x'),
  }),
);
const query: fc.Arbitrary<Query> = fc.oneof(
  leaf,
  leaf.map((inner): Query => ({ kind: 'not', query: inner })),
  fc.tuple(leaf, leaf).map(([left, right]): Query => ({ kind: 'both', left, right })),
);

type Step =
  | { readonly do: 'index'; readonly id: string; readonly doc: Doc }
  | { readonly do: 'update'; readonly id: string; readonly part: Partial<Doc> }
  | { readonly do: 'delete'; readonly id: string }
  | {
      readonly do: 'bulk';
      readonly items: readonly { readonly id: string; readonly doc: Doc | null }[];
    }
  | {
      readonly do: 'search';
      readonly query: Query;
      readonly descending: boolean;
      readonly from: number;
    }
  | { readonly do: 'get'; readonly id: string }
  | { readonly do: 'refresh' | 'flush' | 'merge' | 'restart' | 'kill' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('index' as const), id, doc }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      id,
      part: fc.record({ rank: fc.integer({ min: 0, max: 9 }) }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      items: fc.array(fc.record({ id, doc: fc.option(doc, { freq: 4 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('search' as const),
      query,
      descending: fc.boolean(),
      from: fc.integer({ min: 0, max: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('get' as const), id }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'refresh' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'flush' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'merge' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'restart' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'kill' }) },
);

let server: TestServer;
let number = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

async function restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await server.kill(signal);
  server = await startServer({ dataDir: server.dataDir });
}

async function run(index: string, model: Model, one: Step): Promise<void> {
  switch (one.do) {
    case 'index': {
      const reply = await server.call('PUT', `/${index}/_doc/${one.id}`, one.doc);
      expect([200, 201]).toContain(reply.status);
      model.index(one.id, one.doc);
      return;
    }
    case 'update': {
      const reply = await server.call('POST', `/${index}/_update/${one.id}`, { doc: one.part });
      expect(reply.status).toBe(model.update(one.id, one.part) ? 200 : 404);
      return;
    }
    case 'delete': {
      const reply = await server.call('DELETE', `/${index}/_doc/${one.id}`);
      expect(reply.status).toBe(model.delete(one.id) ? 200 : 404);
      return;
    }
    case 'bulk': {
      const lines = one.items.flatMap((item) =>
        item.doc === null
          ? [JSON.stringify({ delete: { _id: item.id } })]
          : [JSON.stringify({ index: { _id: item.id } }), JSON.stringify(item.doc)],
      );
      await bulk(server, `/${index}/_bulk`, lines);
      for (const item of one.items) {
        if (item.doc === null) model.delete(item.id);
        else model.index(item.id, item.doc);
      }
      return;
    }
    case 'get': {
      const reply = await server.call('GET', `/${index}/_doc/${one.id}`);
      expect(reply.json._source).toEqual(model.get(one.id));
      return;
    }
    case 'search':
      return search(index, model, one.query, one.descending, one.from);
    case 'refresh':
      await server.call('POST', `/${index}/_refresh`);
      model.refresh();
      return;
    case 'flush':
      // A flush also makes documents searchable; an explicit refresh before it keeps the model's
      // state equal.
      await server.call('POST', `/${index}/_refresh`);
      model.refresh();
      expect((await server.call('POST', `/${index}/_flush`)).status).toBe(200);
      return;
    case 'merge':
      await server.call('POST', `/${index}/_refresh`);
      model.refresh();
      expect((await server.call('POST', `/${index}/_forcemerge?max_num_segments=1`)).status).toBe(
        200,
      );
      return;
    case 'restart':
    case 'kill':
      await restart(one.do === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await server.call('POST', `/${index}/_refresh`);
      model.refresh();
      return;
  }
}

async function search(
  index: string,
  model: Model,
  requested: Query,
  descending: boolean,
  from: number,
): Promise<void> {
  const expected = model.search(requested, descending);
  const reply = await server.call('POST', `/${index}/_search`, {
    query: toDsl(requested),
    sort: [{ rank: descending ? 'desc' : 'asc' }],
    track_total_hits: true,
    from,
    size: 8,
    _source: false,
  });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.hits.total).toEqual({ value: expected.length, relation: 'eq' });
  expect(reply.json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(
    expected.slice(from, from + 8),
  );
}

test(
  'random histories give what the model gives',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(1, 2, 5),
        async (steps, shards) => {
          const index = `run-${number++}`;
          const created = await server.call('PUT', `/${index}`, {
            settings: { number_of_shards: shards, refresh_interval: '-1' },
            mappings: {
              properties: {
                text: { type: 'text' },
                kind: { type: 'keyword' },
                rank: { type: 'integer' },
                tags: { type: 'keyword' },
              },
            },
          });
          expect(created.status, created.text).toBe(200);
          const model = new Model();
          for (const one of steps) await run(index, model, one);
          await server.call('POST', `/${index}/_refresh`);
          model.refresh();
          await search(index, model, { kind: 'all' }, false, 0);
          await server.call('DELETE', `/${index}`);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  PATIENCE_MS,
);
