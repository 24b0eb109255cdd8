// Random mappings, documents, queries, sorts and aggregations compared with a naive engine
// (oracle/): the same hits, order, totals, scores and buckets, on one shard and several, after
// updates and deletes, before and after a merge; in pages through from, search_after, scroll and a
// point in time; collapsed and rescored. PROPERTY_RUNS and PROPERTY_SEED choose the cases.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import { type Aggregation, aggregationFor } from './oracle/buckets.ts';
import { anyOf, type Clause, clauseFor, KEYWORDS } from './oracle/clauses.ts';
import { inOrder, type Key, sortFor } from './oracle/orders.ts';
import { type Doc, type Mapping, TYPES, type Values, World } from './oracle/world.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 12 : 6));
const PATIENCE_MS = 600_000;
/** Tolerance of scores, which are floats summed in another order. */
const CLOSE = 1e-4;
const MOST = 60;

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly unknown[];
}
interface Ask {
  readonly query: Clause;
  readonly sort: readonly Key[];
  readonly agg: Aggregation;
  readonly page: { readonly from: number; readonly size: number };
  readonly second: Clause;
}
interface Case {
  readonly mapping: Mapping;
  readonly shards: number;
  readonly docs: readonly Values[];
  /** By document number: its new values, or null for a deletion. */
  readonly changes: readonly (readonly [number, Values | null])[];
  readonly asks: readonly Ask[];
}

const mappings = fc
  .array(fc.constantFrom(...TYPES), { minLength: 2, maxLength: 5 })
  .map(
    (types): Mapping =>
      new Map([
        ...types.map((type, i) => [`f${i}`, type] as const),
        ['n', 'long'],
        ['g', 'keyword'],
      ]),
  );

function valuesFor(mapping: Mapping): fc.Arbitrary<Values> {
  const fields = [...mapping].filter(([field]) => field.startsWith('f'));
  const lists = fields.map(([, type]) => fc.array(anyOf(type), { maxLength: 3 }));
  const group = fc.option(fc.constantFrom(...KEYWORDS), { nil: undefined, freq: 4 });
  return fc.tuple(fc.tuple(...lists), group).map(([given, g]) => {
    const values = new Map(fields.map(([field], i) => [field, given[i] ?? []] as const));
    return g === undefined ? values : new Map([...values, ['g', [g]]]);
  });
}

const cases: fc.Arbitrary<Case> = mappings.chain((mapping) => {
  const values = valuesFor(mapping);
  const query = clauseFor(mapping);
  return fc.record({
    mapping: fc.constant(mapping),
    shards: fc.constantFrom(1, 2, 3),
    docs: fc.array(values, { minLength: 1, maxLength: 40, size: 'max' }),
    changes: fc.array(fc.tuple(fc.nat(45), fc.option<Values>(values, { freq: 2 })), {
      maxLength: 15,
    }),
    asks: fc.array(
      fc.record({
        query,
        sort: sortFor(mapping),
        agg: aggregationFor(mapping, query),
        page: fc.record({ from: fc.nat(12), size: fc.integer({ min: 1, max: 12 }) }),
        second: query,
      }),
      { minLength: 2, maxLength: 4 },
    ),
  });
});

let server: TestServer;
let number = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

async function ask(path: string, body: object) {
  const reply = await server.call('POST', path, body);
  expect(reply.status, reply.text).toBe(200);
  // Sort values of missing numbers are the largest integers, which JavaScript numbers cannot
  // represent exactly.
  return JSON.parse(reply.text.replaceAll(/(?<=[[,])-?\d{17,}(?=[\],])/g, '"$&"'));
}
const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ _id }) => _id);
const names = (docs: readonly Doc[]): readonly string[] => docs.map(({ id }) => id);

/** Writes to the naive engine and returns the lines of a bulk. */
function write(world: World, id: string, values: Values | null): readonly string[] {
  if (values === null) {
    world.delete(id);
    return [JSON.stringify({ delete: { _id: id } })];
  }
  const { n } = world.put(id, new Map([...values, ['n', []]]));
  world.put(id, new Map([...values, ['n', [n + 1]]]));
  const source = Object.fromEntries([...values].filter(([, list]) => list.length > 0));
  return [JSON.stringify({ index: { _id: id } }), JSON.stringify({ ...source, n: n + 1 })];
}

/** By relevance: each score is correct, and scores do not increase. */
async function checkScores(index: string, world: World, { query }: Ask, found: readonly Doc[]) {
  const { hits } = await ask(`/${index}/_search`, { query: query.dsl, size: MOST, _source: false });
  expect([...idsOf(hits.hits)].sort()).toEqual([...names(found)].sort());
  let last = Number.POSITIVE_INFINITY;
  for (const { _id, _score } of hits.hits as readonly Hit[]) {
    const doc = found.find(({ id }) => id === _id) as Doc;
    const wanted = query.score(world, doc);
    const score = _score ?? Number.NaN;
    expect(Math.abs(score - wanted), `${_id}: ${score}, not ${wanted}`).toBeLessThan(
      CLOSE * Math.max(1, wanted),
    );
    expect(score).toBeLessThanOrEqual(last);
    last = score;
  }
}

/**
 * The same list as one page, in pages, by search_after, through a scroll and through a point in
 * time.
 */
async function checkPages(index: string, { query, sort, page }: Ask, wanted: readonly Doc[]) {
  const keys = sort.map(({ dsl }) => dsl);
  const body = { query: query.dsl, sort: keys, _source: false };
  const whole = await ask(`/${index}/_search`, { ...body, size: MOST, track_total_hits: true });
  expect(whole.hits.total).toEqual({ value: wanted.length, relation: 'eq' });
  expect(
    idsOf(whole.hits.hits),
    `${JSON.stringify(body)} of ${index}: ${JSON.stringify(whole.hits.hits)}`,
  ).toEqual(names(wanted));
  const part = await ask(`/${index}/_search`, { ...body, ...page });
  expect(idsOf(part.hits.hits)).toEqual(names(wanted.slice(page.from, page.from + page.size)));

  const { size } = page;
  const unique = [...keys, { n: 'asc' }];
  expect(await behind(`/${index}/_search`, { ...body, sort: unique, size })).toEqual(names(wanted));
  const { id } = await ask(`/${index}/_pit?keep_alive=1m`, {});
  const pinned = { ...body, size, pit: { id, keep_alive: '1m' } };
  expect(await behind('/_search', pinned)).toEqual(names(wanted));
  await server.call('DELETE', '/_pit', { id });

  const seen: string[] = [];
  let batch = await ask(`/${index}/_search?scroll=1m`, { ...body, size });
  for (; batch.hits.hits.length > 0; ) {
    seen.push(...idsOf(batch.hits.hits));
    batch = await ask('/_search/scroll', { scroll: '1m', scroll_id: batch._scroll_id });
  }
  expect(seen).toEqual(names(wanted));
  await server.call('DELETE', '/_search/scroll', { scroll_id: batch._scroll_id });
}

async function behind(path: string, body: object): Promise<readonly string[]> {
  const seen: string[] = [];
  let after: object = {};
  for (;;) {
    const { hits } = (await ask(path, { ...body, ...after })).hits as { hits: readonly Hit[] };
    const last = hits.at(-1);
    if (last === undefined) return seen;
    seen.push(...idsOf(hits));
    after = { search_after: last.sort };
  }
}

async function checkCollapsed(index: string, { query, sort, page }: Ask, wanted: readonly Doc[]) {
  const groups = new Set<string>();
  const first = wanted.filter((doc) => {
    const group = String(doc.values.get('g')?.[0] ?? '');
    return !groups.has(group) && groups.add(group);
  });
  const sorted = sort.map(({ dsl }) => dsl);
  const body = { query: query.dsl, sort: sorted, collapse: { field: 'g' }, ...page };
  const { hits } = await ask(`/${index}/_search`, body);
  expect(idsOf(hits.hits)).toEqual(names(first.slice(page.from, page.from + page.size)));
  expect(hits.total.value).toBe(wanted.length);
}

/** All hits are in the window, so that no tie at its edge matters. */
async function checkRescored(
  index: string,
  world: World,
  { query, second }: Ask,
  found: readonly Doc[],
) {
  const rescore = {
    window_size: MOST,
    query: { rescore_query: second.dsl, query_weight: 0.5, rescore_query_weight: 2 },
  };
  const { hits } = await ask(`/${index}/_search`, { query: query.dsl, rescore, size: MOST });
  expect(hits.hits).toHaveLength(found.length);
  for (const { _id, _score } of hits.hits as readonly Hit[]) {
    const doc = found.find(({ id }) => id === _id) as Doc;
    const more = second.matches(world, doc) ? 2 * second.score(world, doc) : 0;
    const wanted = 0.5 * query.score(world, doc) + more;
    expect(Math.abs((_score ?? Number.NaN) - wanted)).toBeLessThan(CLOSE * Math.max(1, wanted));
  }
}

/**
 * Sums in another order differ in their last digits, and an error bound depends on what each shard
 * cut off.
 */
function close(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(10));
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, close(member)]));
}

async function check(index: string, world: World, requested: Ask, whole: boolean): Promise<void> {
  const found = world.docs.filter((doc) => requested.query.matches(world, doc));
  await checkPages(index, requested, inOrder(world, found, requested.sort));
  await checkCollapsed(index, requested, inOrder(world, found, requested.sort));
  const body = { size: 0, query: requested.query.dsl, aggs: { a: requested.agg.dsl } };
  const { aggregations } = await ask(`/${index}/_search`, body);
  expect(close(aggregations.a)).toEqual(close(requested.agg.expect(world, found)));
  if (!whole) return;
  await checkScores(index, world, requested, found);
  await checkRescored(index, world, requested, found);
}

async function run({ mapping, shards, docs, changes, asks }: Case): Promise<void> {
  const index = `run-${number++}`;
  const properties = Object.fromEntries([...mapping].map(([field, type]) => [field, { type }]));
  const settings = { number_of_shards: shards, refresh_interval: '-1' };
  const created = await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
  expect(created.status, created.text).toBe(200);
  const world = new World(mapping);
  const lines = docs.flatMap((values, i) => write(world, `d${i}`, values));
  await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  for (const one of asks) await check(index, world, one, true);
  const later = changes
    .filter(([i, values]) => values !== null || world.has(`d${i}`))
    .flatMap(([i, values]) =>
      values === null && !world.has(`d${i}`) ? [] : write(world, `d${i}`, values),
    );
  if (later.length > 0) await bulk(server, `/${index}/_bulk?refresh=true`, later);
  // Deleted documents count in term statistics until a merge removes them.
  for (const one of asks) await check(index, world, one, later.length === 0);
  await ask(`/${index}/_forcemerge?max_num_segments=1`, {});
  await ask(`/${index}/_refresh`, {});
  for (const one of asks) await check(index, world, one, true);
  await server.call('DELETE', `/${index}`);
}

test(
  'random searches of random documents give what a naive engine gives',
  async () => {
    await fc.assert(fc.asyncProperty(cases, run), {
      numRuns: RUNS,
      endOnFailure: true,
    });
  },
  PATIENCE_MS,
);
