// Computed scores of random documents compared with a naive reference: scripts and functions
// compute the same number for a document, for any number of shards, and with or without deletes and
// a merge.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 40 : 20));
const DOCS = 90;
const PATIENCE_MS = 120_000;
const INDEXES = ['one', 'three'];

interface Doc {
  readonly rank: number;
  readonly price: number;
  readonly kind: string;
}
interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly number[];
  readonly fields?: { readonly a?: readonly number[] };
}

let server: TestServer;
const docs = new Map<string, Doc>();

beforeAll(async () => {
  server = await startServer();
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    const id = `d${(i * 37) % DOCS}`;
    const doc = { rank: (i * 7) % 11, price: ((i * 13) % 40) / 4 + 0.25, kind: `k${i % 3}` };
    docs.set(id, doc);
    lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(doc));
  }
  const gone = ['d3', 'd40', 'd41', 'd77'];
  for (const id of gone) docs.delete(id);
  const deletes = gone.map((id) => JSON.stringify({ delete: { _id: id } }));
  const properties = {
    rank: { type: 'integer' },
    price: { type: 'double' },
    kind: { type: 'keyword' },
  };
  for (const [i, index] of INDEXES.entries()) {
    const settings = { number_of_shards: 1 + 2 * i };
    await server.call('PUT', `/${index}`, { settings, mappings: { properties } });
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
    await bulk(server, `/${index}/_bulk?refresh=true`, deletes);
  }
}, PATIENCE_MS);

afterAll(async () => {
  await server.stop();
}, PATIENCE_MS);

async function hits(index: string, body: object): Promise<readonly Hit[]> {
  const reply = await server.call('POST', `/${index}/_search`, { size: DOCS, ...body });
  expect(reply.status, JSON.stringify(reply.json)).toBe(200);
  return (reply.json as { hits: { hits: readonly Hit[] } }).hits.hits;
}

type Compute = (doc: Doc, score: number) => number;
interface Expr {
  readonly source: string;
  readonly compute: Compute;
}

const fraction = fc
  .integer({ min: 1, max: 400 })
  .map((n): Expr => ({ source: `${(n / 8).toFixed(3)}`, compute: () => n / 8 }));
const fields: readonly Expr[] = [
  { source: "doc['price'].value", compute: (doc) => doc.price },
  { source: "(doc['rank'].value + 0.0)", compute: (doc) => doc.rank },
];
const score: Expr = { source: '_score', compute: (_, known) => known };
const expressions = (values: readonly Expr[]) =>
  fc.letrec<{ expr: Expr }>((tie) => ({
    expr: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...values),
      fraction,
      fc
        .tuple(tie('expr'), fc.constantFrom('+', '*', '-'), tie('expr'))
        .map(([a, sign, b]): Expr => {
          const compute: Compute = (doc, score) => {
            const [x, y] = [a.compute(doc, score), b.compute(doc, score)];
            if (sign === '+') return x + y;
            return sign === '*' ? x * y : x - y;
          };
          return { source: `(${a.source} ${sign} ${b.source})`, compute };
        }),
      tie('expr').map(
        (a): Expr => ({
          source: `Math.sqrt(Math.abs(${a.source}))`,
          compute: (doc, score) => Math.sqrt(Math.abs(a.compute(doc, score))),
        }),
      ),
      fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(
        ([a, b, c]): Expr => ({
          source: `(${a.source} > ${b.source} && doc['kind'].value != 'k1' ? ${c.source} : ${b.source})`,
          compute: (doc, score) =>
            a.compute(doc, score) > b.compute(doc, score) && doc.kind !== 'k1'
              ? c.compute(doc, score)
              : b.compute(doc, score),
        }),
      ),
    ),
  }));
const { expr } = expressions([...fields, score]);
/** Scripts of queries and fields have no score. */
const { expr: unscored } = expressions(fields);

const near = (wanted: number): number => Math.max(Math.abs(wanted) * 1e-6, 1e-6);

describe.each(INDEXES)('computed scores on %s', (index) => {
  test(
    'a sort by a script has the value of the reference',
    async () => {
      const run = fc.asyncProperty(expr, async ({ source, compute }) => {
        const sort = { _script: { type: 'number', script: { source } } };
        const found = await hits(index, { query: { match_all: {} }, sort });
        expect(found.length).toBe(docs.size);
        let last = Number.NEGATIVE_INFINITY;
        for (const { _id, sort: [key = Number.NaN] = [] } of found) {
          // JSON has no negative zero.
          expect(key).toBe(compute(docs.get(_id) as Doc, 1) + 0);
          expect(key).toBeGreaterThanOrEqual(last);
          last = key;
        }
      });
      await fc.assert(run, { numRuns: RUNS });
    },
    PATIENCE_MS,
  );

  test(
    'a script query finds the documents, and a script field has the value, of the reference',
    async () => {
      const run = fc.asyncProperty(unscored, unscored, fc.boolean(), async (a, b, excluded) => {
        const script = { script: { script: { source: `${a.source} < ${b.source}` } } };
        const query = { bool: { [excluded ? 'must_not' : 'filter']: [script] } };
        const script_fields = { a: { script: { source: a.source } } };
        const found = await hits(index, { query, script_fields });
        const wanted = [...docs].filter(
          ([, doc]) => a.compute(doc, 0) < b.compute(doc, 0) !== excluded,
        );
        expect(found.map(({ _id }) => _id).sort()).toEqual(wanted.map(([id]) => id).sort());
        for (const { _id, fields: { a: values = [] } = {} } of found)
          expect(values.map((one) => one + 0)).toEqual([a.compute(docs.get(_id) as Doc, 0) + 0]);
      });
      await fc.assert(run, { numRuns: RUNS });
    },
    PATIENCE_MS,
  );

  const term = (kind: string) => ({ term: { kind } });
  const functions = fc.array(
    fc.oneof(
      fc.record({ weight: fc.integer({ min: 0, max: 9 }), filter: fc.constantFrom('k0', 'k1') }),
      fc.record({ factor: fc.integer({ min: 1, max: 20 }).map((n) => n / 4) }),
    ),
    { minLength: 2, maxLength: 4 },
  );

  test(
    'functions combine as the reference does',
    async () => {
      const modes = fc.constantFrom('multiply', 'sum', 'avg', 'first', 'max', 'min');
      const boosts = fc.constantFrom('multiply', 'replace', 'sum', 'avg', 'max', 'min');
      const run = fc.asyncProperty(functions, modes, boosts, async (list, mode, boost) => {
        const requested = list.map((one) =>
          'factor' in one
            ? { field_value_factor: { field: 'rank', factor: one.factor } }
            : { weight: one.weight, filter: term(one.filter) },
        );
        const query = {
          function_score: { functions: requested, score_mode: mode, boost_mode: boost },
        };
        for (const { _id, _score } of await hits(index, { query })) {
          const doc = docs.get(_id) as Doc;
          const wanted = combined(boost, factorOf(list, mode, doc));
          expect(Math.abs((_score ?? Number.NaN) - wanted)).toBeLessThanOrEqual(near(wanted));
        }
      });
      await fc.assert(run, { numRuns: RUNS });
    },
    PATIENCE_MS,
  );
});

type One = { readonly factor: number } | { readonly weight: number; readonly filter: string };

function factorOf(list: readonly One[], mode: string, doc: Doc): number {
  const matching = list.filter((one) => 'factor' in one || one.filter === doc.kind);
  const values = matching.map((one) => ('factor' in one ? doc.rank * one.factor : one.weight));
  const [first] = values;
  if (first === undefined) return 1;
  const sum = values.reduce((a, b) => a + b, 0);
  const shares = matching.reduce((a, one) => a + ('factor' in one ? 1 : one.weight), 0);
  switch (mode) {
    case 'multiply':
      return values.reduce((a, b) => a * b, 1);
    case 'sum':
      return sum;
    case 'avg':
      return shares === 0 ? 1 : sum / shares;
    case 'first':
      return first;
    default:
      return mode === 'max' ? Math.max(...values) : Math.min(...values);
  }
}

/** With the score of match_all. */
function combined(boost: string, factor: number): number {
  if (boost === 'sum') return 1 + factor;
  if (boost === 'avg') return (1 + factor) / 2;
  if (boost === 'max') return Math.max(1, factor);
  return boost === 'min' ? Math.min(1, factor) : factor;
}
