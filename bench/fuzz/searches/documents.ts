// The indexes that random searches run on, and their random documents. A small vocabulary, in which
// few words are frequent, makes most clauses match something.
import type { Choice } from '../choice.ts';

export type Members = Readonly<Record<string, unknown>>;

const WORDS =
  `alpha beta gamma delta running runner runs house houses mouse quick brown foxes jumped over lazy
  dog the a and not search engine engines memory graph vector index shard node cluster river rivers
  café naïve Straße über 東京 日本 один два 2024 3.14 foo-bar foo_bar x-ray wi-fi O'Neil don't U.S.A.
  e-mail user@example.com http://example.com/a/b C++ C# .NET 10km`.split(/\s+/);
const KEYWORDS: readonly [string, ...string[]] = [
  'red',
  'green',
  'blue',
  'Red',
  'light blue',
  'dark-red',
  'grün',
  '',
  'a',
  'aa',
  'ab',
  'b1',
  'b2',
  'z',
];
export const DIMS = 8;
/** Ids of documents end before this number. */
const IDS = 3000;

export function word(choice: Choice): string {
  const place = choice.below(1000) / 1000;
  return WORDS[Math.floor(place ** 2 * WORDS.length)] ?? '';
}

export function words(choice: Choice, least: number, most: number): string {
  return choice.several(least, most, () => word(choice)).join(' ');
}

export function keyword(choice: Choice): string {
  return choice.pick(KEYWORDS);
}

export function documentId(choice: Choice): string {
  return `d${choice.below(IDS)}`;
}

export function vector(choice: Choice): readonly number[] {
  return Array.from({ length: DIMS }, () => (choice.below(200) - 100) / 100 || 0.01);
}

const VECTOR = { type: 'dense_vector', dims: DIMS };

/** Fields that Elasticsearch has as well. */
const SHARED_FIELDS = {
  t: {
    type: 'text',
    fields: {
      k: { type: 'keyword', ignore_above: 40 },
      e: { type: 'text', analyzer: 'english' },
    },
  },
  s: { type: 'text', term_vector: 'with_positions_offsets' },
  k: { type: 'keyword' },
  tags: { type: 'keyword' },
  n: { type: 'long' },
  i: { type: 'integer' },
  f: { type: 'double' },
  h: { type: 'half_float' },
  d: { type: 'date' },
  d2: { type: 'date', format: 'yyyy-MM-dd||epoch_millis' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
  r: { type: 'integer_range' },
  dr: { type: 'date_range' },
  fl: { type: 'flattened' },
  o: { properties: { p: { type: 'keyword' }, q: { type: 'integer' } } },
};
const NESTED_FIELDS = { a: { type: 'keyword' }, x: { type: 'integer' }, c: { type: 'text' } };

export const SHARED_MAPPING = {
  properties: { ...SHARED_FIELDS, ne: { type: 'nested', properties: NESTED_FIELDS } },
};

export const MAPPING = {
  properties: {
    ...SHARED_FIELDS,
    v: { ...VECTOR, similarity: 'cosine' },
    vl: { ...VECTOR, similarity: 'l2_norm', index_options: { type: 'int8_hnsw' } },
    st: { type: 'semantic_text' },
    sug: { type: 'completion' },
    rf: { type: 'rank_feature' },
    say: { type: 'search_as_you_type' },
    ver: { type: 'version' },
    ip2: { type: 'ip_range' },
    ul: { type: 'unsigned_long' },
    sf: { type: 'scaled_float', scaling_factor: 100 },
    dn: { type: 'date_nanos' },
    wc: { type: 'wildcard' },
    ne: {
      type: 'nested',
      properties: {
        ...NESTED_FIELDS,
        v: VECTOR,
        deep: { type: 'nested', properties: { y: { type: 'integer' }, k: { type: 'keyword' } } },
      },
    },
  },
};

/** Settings of the indexes by name: of one shard, of three, in an order, and without documents. */
export const INDEXES: Readonly<Record<string, Members>> = {
  x1: { number_of_shards: 1 },
  x3: { number_of_shards: 3 },
  xs: { number_of_shards: 1, 'sort.field': ['k', 'n'], 'sort.order': ['asc', 'desc'] },
  xe: { number_of_shards: 2 },
};
export const WRITTEN: readonly [string, ...string[]] = ['x1', 'x3', 'xs'];

export const ALIASES = {
  actions: [
    { add: { index: 'x1', alias: 'xa', filter: { term: { b: true } } } },
    { add: { index: 'x3', alias: 'xa' } },
  ],
};

/** A document of `SHARED_MAPPING`. */
export function sharedDocument(choice: Choice): Members {
  const chance = (share: number, name: string, value: () => unknown): object =>
    choice.maybe(share, () => ({ [name]: value() }));
  const range = (): Members => {
    const gte = choice.below(50);
    return { gte, lt: gte + 1 + choice.below(20) };
  };
  const dates = (): Members => ({
    gte: `2021-0${1 + choice.below(9)}`,
    lte: `2022-0${1 + choice.below(9)}`,
  });
  const nested = (): Members => ({
    a: keyword(choice),
    x: choice.below(20),
    c: words(choice, 1, 4),
  });
  return {
    ...chance(0.95, 't', () => sometimesSeveral(choice, () => words(choice, 1, 20))),
    ...chance(0.8, 's', () => words(choice, 1, 30)),
    ...chance(0.9, 'k', () => keyword(choice)),
    ...chance(0.8, 'tags', () => choice.several(0, 3, () => keyword(choice))),
    ...chance(0.9, 'n', () => long(choice)),
    ...chance(0.8, 'i', () => sometimesSeveral(choice, () => choice.below(50))),
    ...chance(0.8, 'f', () => double(choice)),
    ...chance(0.7, 'h', () => choice.below(1000) / 8),
    ...chance(0.9, 'd', () => date(choice)),
    ...chance(0.5, 'd2', () =>
      choice.chance(0.5) ? date(choice).slice(0, 10) : Date.parse(date(choice)),
    ),
    ...chance(0.7, 'b', () => choice.chance(0.5)),
    ...chance(0.7, 'ip', () => address(choice)),
    ...chance(0.5, 'r', range),
    ...chance(0.4, 'dr', dates),
    ...chance(0.5, 'fl', () => ({
      a: keyword(choice),
      b: { c: String(choice.below(5)), d: [1, 2] },
    })),
    ...chance(0.7, 'o', () => ({ p: keyword(choice), q: choice.below(9) })),
    ...chance(0.6, 'ne', () => choice.several(0, 3, nested)),
  };
}

/** A document of `MAPPING`. */
export function randomDocument(choice: Choice): Members {
  const shared = sharedDocument(choice);
  const chance = (share: number, name: string, value: () => unknown): object =>
    choice.maybe(share, () => ({ [name]: value() }));
  const deep = (): Members => ({ y: choice.below(9), k: keyword(choice) });
  const nested = (one: Members): Members => ({
    ...one,
    ...chance(0.5, 'v', () => vector(choice)),
    ...chance(0.4, 'deep', () => choice.several(1, 2, deep)),
  });
  const ne = shared['ne'] as readonly Members[] | undefined;
  return {
    ...shared,
    ...(ne === undefined ? {} : { ne: ne.map(nested) }),
    ...chance(0.7, 'v', () => vector(choice)),
    ...chance(0.5, 'vl', () => vector(choice)),
    ...chance(0.2, 'st', () => words(choice, 5, 5)),
    ...chance(0.5, 'sug', () => ({
      input: [word(choice), words(choice, 2, 2)],
      weight: choice.below(20),
    })),
    ...chance(0.5, 'rf', () => choice.below(100) / 10 + 0.1),
    ...chance(0.5, 'say', () => words(choice, 4, 4)),
    ...chance(0.4, 'ver', () => choice.pick(['1.2.3', '1.10.0-beta', '2.0'])),
    ...chance(0.4, 'ip2', () => `10.0.0.0/${8 + choice.below(20)}`),
    ...chance(0.5, 'ul', () => choice.pick([1, 2n ** 63n, 2n ** 64n - 1n, 7])),
    ...chance(0.5, 'sf', () => choice.below(1000) / 100),
    ...chance(0.5, 'dn', () => `2022-01-0${1 + choice.below(8)}T01:02:03.123456789Z`),
    ...chance(0.5, 'wc', () => keyword(choice)),
  };
}

function sometimesSeveral<T>(choice: Choice, make: () => T): T | readonly T[] {
  return choice.chance(0.2) ? [make(), make()] : make();
}

function long(choice: Choice): number | bigint {
  if (choice.chance(0.95)) return choice.below(100) - 20;
  return choice.pick([2n ** 53n + 1n, -1, 0, -(2n ** 63n), 2n ** 63n - 1n]);
}

function double(choice: Choice): number {
  if (choice.chance(0.9)) return choice.below(10_000) / 100;
  return choice.pick([0, 1e-300, 1.5e300, 0.1]);
}

function date(choice: Choice): string {
  return new Date(1.6e12 + choice.below(1.2e11)).toISOString();
}

function address(choice: Choice): string {
  if (choice.chance(0.2)) return choice.pick(['::1', '2001:db8::1', 'fe80::1']);
  return `10.0.${choice.below(4)}.${choice.below(256)}`;
}
