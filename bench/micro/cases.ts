// The measured work of the TypeScript side: compiling queries, wire codecs, merging and fusing
// lists, JSON, and rendering answers. Every case verifies its result before it is timed.
import { deepEqual, equal } from 'node:assert/strict';
import type { JsonObject, SearchResult } from '../../src/backend/index.ts';
import { seeded } from '../tools/seeded.ts';
import type { FruitIndex } from './fruit-index.ts';
import type { Modules } from './modules.ts';

export interface MicroCase {
  readonly name: string;
  /** Verifies the work with the modules of one side and returns it. */
  readonly of: (modules: Modules) => () => unknown;
}

export function microCases(index: FruitIndex): readonly MicroCase[] {
  return [
    ...compileCases(index),
    ...wireCases(index),
    ...listCases(index),
    ...jsonCases(),
    ...renderingCases(index),
  ];
}

const PAGE = 100;

/** Bodies with the condition that exactly their hits fulfil, and the size of their page. */
function compileCases(index: FruitIndex): readonly MicroCase[] {
  const bodies: Readonly<Record<string, [body: JsonObject, expected: readonly string[]]>> = {
    match: [{ query: { match: { title: 'green apples' } } }, idsOf(index, isGreen).slice(0, 10)],
    filtered: [
      {
        query: {
          bool: {
            must: [{ match: { title: { query: 'green apples', operator: 'and' } } }],
            filter: [{ term: { kind: 'fruit' } }, { range: { price: { gte: 3, lt: 9 } } }],
          },
        },
        sort: [{ price: 'desc' }, '_score'],
        _source: ['title', 'price'],
        size: 20,
      },
      // The prices of green fruits that are not nuts are 3, 6 and 9.
      idsOf(index, (i) => isGreen(i) && i % 4 !== 0 && i % 12 === 6).slice(0, 20),
    ],
    'terms of 100': [
      { query: { terms: { tag: Array.from({ length: 100 }, (_, i) => `tag-${i}`) } }, size: 100 },
      idsOf(index, (i) => i < 100),
    ],
  };
  return Object.entries(bodies).map(([name, [body, expected]]) => ({
    name: `compile: ${name}`,
    of: ({ searchBody, limits }) => {
      const context = { opcodes: index.opcodes, nowMs: 0, limits: limits.DEFAULT_LIMITS };
      const work = () => searchBody.compileSearch(body, context).plan;
      deepEqual(index.ids(work()), expected);
      return work;
    },
  }));
}

function isGreen(id: number): boolean {
  return id % 3 === 0;
}

function idsOf({ fruits }: FruitIndex, matches: (id: number) => boolean): readonly string[] {
  return fruits.flatMap((_, id) => (matches(id) ? [String(id)] : []));
}

const SORTED = { query: { match_all: {} }, sort: [{ price: 'desc' }, { tag: 'asc' }], size: PAGE };

function wireCases(index: FruitIndex): readonly MicroCase[] {
  const reply = index.search(index.plan(SORTED));
  const rendered = index.search(index.plan(SORTED, true));
  const operations = index.operations();
  const expectedIds = index.ids(index.plan(SORTED));
  return [
    {
      name: 'wire: read 100 hits with 2 sort values',
      of: ({ hitsReader }) => {
        const work = () => {
          const [hits] = hitsReader.readSearchReply(reply).shards;
          if (hits?.ok !== true) throw new Error('no hits');
          const [leg] = hits.legs;
          return { total: hits.total, sort: leg?.sort.map((column) => column.json(0)) };
        };
        deepEqual(work(), { total: index.fruits.length, sort: ['11', '"tag-107"'] });
        return work;
      },
    },
    {
      name: 'wire: read 100 documents',
      of: ({ hitsReader, fetchReader }) => {
        const { fetch } = hitsReader.readSearchReply(reply);
        if (fetch === undefined) throw new Error('no page');
        const work = () => fetchReader.readFetchReply(fetch);
        const page = work();
        deepEqual(page.ok && page.documents.map(({ id }) => id), expectedIds);
        return work;
      },
    },
    {
      name: 'wire: read a page of JSON',
      of: ({ hitsReader, fetchReader }) => {
        const work = () => {
          const { fetch } = hitsReader.readSearchReply(rendered);
          if (fetch === undefined) throw new Error('no page');
          return fetchReader.readRenderedPage(fetch, (_, reason) => new Error(reason)).text;
        };
        equal(parseHits(work()).length, PAGE);
        return work;
      },
    },
    {
      name: 'wire: write 1000 operations',
      of: ({ opsWriter, itemsReader }) => {
        const work = () => opsWriter.writeOperations(operations);
        const written = itemsReader.readItems(index.write(work()));
        deepEqual(
          written.ok && written.items.map(({ id, result }) => `${id} ${result}`),
          operations.map(({ id }) => `${id} updated`),
        );
        return work;
      },
    },
    {
      name: 'wire: read 1000 items',
      of: ({ opsWriter, itemsReader }) => {
        const items = index.write(opsWriter.writeOperations(operations));
        const work = () => itemsReader.readItems(items);
        const read = work();
        deepEqual(
          read.ok && read.items.map(({ id }) => id),
          operations.map(({ id }) => id),
        );
        return work;
      },
    },
  ];
}

const LISTS = 5;

/** Two rankings of the same 1000 documents; the second one is shuffled. */
function rankings() {
  const random = seeded(1);
  const hits = Array.from({ length: 1000 }, (_, i) => ({
    index: 'fruits',
    id: String(i),
    score: 1000 - i,
  }));
  const shuffled = hits
    .map((hit) => ({ hit, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ hit }, i) => ({ ...hit, score: 1 / (i + 1) }));
  return [
    { hits, weight: 1 },
    { hits: shuffled, weight: 0.5 },
  ];
}

function listCases(index: FruitIndex): readonly MicroCase[] {
  const lists = rankings();
  const positions = lists.map(({ hits }) => new Map(hits.map(({ id }, i) => [id, i])));
  /** The best ten, by the definition of a fused score. */
  const fusedIds = (share: (list: number, position: number) => number): readonly string[] =>
    Array.from({ length: 1000 }, (_, i) => String(i))
      .map((id) => ({
        id,
        score: lists.reduce((sum, _, at) => sum + share(at, positions[at]?.get(id) ?? 0), 0),
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ id }) => id);
  const reply = index.search(index.plan(SORTED));
  return [
    {
      name: `merge: ${LISTS} lists of 100 by 2 keys`,
      of: ({ hitsReader, merge }) => {
        const [hits] = hitsReader.readSearchReply(reply).shards;
        const leg = hits?.ok === true ? hits.legs[0] : undefined;
        if (leg === undefined) throw new Error('no hits');
        const all = Array.from({ length: LISTS }, (_, i) => ({
          indexName: `fruits-${i}`,
          hits: leg,
        }));
        const order = [true, false].map((descending) => ({ descending, missingFirst: false }));
        const work = () => merge.mergeRanked(all, order, 0, PAGE);
        // Equal lists: each hit is taken from every list before the next one.
        const expected = Array.from({ length: PAGE }, (_, i) => ({
          list: i % LISTS,
          hit: Math.floor(i / LISTS),
        }));
        deepEqual(work(), expected);
        return work;
      },
    },
    {
      name: 'fuse: rrf of 2 lists of 1000',
      of: ({ rrf }) => {
        const work = () => rrf.rrf(lists, 60);
        const expected = fusedIds((at, position) => (lists[at]?.weight ?? 0) / (61 + position));
        deepEqual(bestIds(work()), expected);
        return work;
      },
    },
    {
      name: 'fuse: linear of 2 lists of 1000',
      of: ({ linear }) => {
        const work = () => linear.linear(lists);
        const expected = fusedIds((at, position) => {
          const scores = lists[at]?.hits.map(({ score }) => score) ?? [];
          const [best = 0, worst = 0] = [scores[0], scores.at(-1)];
          const scaled = ((scores[position] ?? 0) - worst) / (best - worst);
          return (lists[at]?.weight ?? 0) * scaled;
        });
        deepEqual(bestIds(work()), expected);
        return work;
      },
    },
  ];
}

function bestIds(fused: readonly { readonly hit: { readonly id: string } }[]): readonly string[] {
  return fused.slice(0, 10).map(({ hit }) => hit.id);
}

function jsonCases(): readonly MicroCase[] {
  const random = seeded(2);
  const vector = Array.from({ length: 384 }, () => Math.fround(random() - 0.5));
  const bodies = {
    'a query': { query: { bool: { must: [{ match: { title: 'green "apples"' } }] } }, size: 20 },
    'a vector of 384': { knn: { field: 'v', query_vector: vector, k: 10, num_candidates: 100 } },
  };
  const parsing = Object.entries(bodies).map(([name, body]) => ({
    name: `json: parse ${name}`,
    of: ({ json }: Modules) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const work = () => json.parseObject(bytes);
      deepEqual(work(), body);
      return work;
    },
  }));
  const printed = { took: 3, hits: Array.from({ length: 20 }, (_, n) => ({ n, text: `"${n}"` })) };
  return [
    ...parsing,
    {
      name: 'json: print an answer',
      of: ({ json }) => {
        const work = () => json.toJson(printed);
        deepEqual(JSON.parse(work()), printed);
        return work;
      },
    },
  ];
}

/** Fewer than the hits after which a cooperative task may yield, so that it never does. */
const RENDERED = 50;

function renderingCases(index: FruitIndex): readonly MicroCase[] {
  const { fruits } = index;
  const result: SearchResult = {
    tookMs: 1,
    timedOut: false,
    shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    total: { value: fruits.length, relation: 'eq' },
    maxScore: 1.5,
    hits: [],
  };
  const hits = fruits.slice(0, RENDERED).map((fruit, id) => ({
    index: 'fruits',
    id: String(id),
    score: 1.5,
    source: Buffer.from(JSON.stringify(fruit)),
  }));
  const shown = hits.map(({ index, id }, i) => ({
    _index: index,
    _id: id,
    _score: 1.5,
    _source: fruits[i],
  }));
  const results = {
    'the core wrote': { ...result, hitsJson: Buffer.from(JSON.stringify(shown).slice(1, -1)) },
    'of documents': { ...result, hits },
  };
  return Object.entries(results).map(([name, one]) => ({
    name: `render: ${RENDERED} hits ${name}`,
    of: ({ reply }) => {
      const work = () => reply.searchReply(one, { totalAsInt: false, nodeId: 'node' });
      const text = work();
      if (text instanceof Promise) throw new Error('the answer is not there at once');
      deepEqual(JSON.parse(String(text)).hits.hits, shown);
      return work;
    },
  }));
}

function parseHits(text: Uint8Array): readonly unknown[] {
  return JSON.parse(`[${Buffer.from(text)}]`) as unknown[];
}
