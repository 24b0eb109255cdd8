// The documents of the nested suite, from a fixed seed: parents with five children of words and
// numbers, parents with five passages and a vector each, and one parent with 5,000 children.
import { type Corpus, toCorpus } from '../peers/server-load.ts';
import { type Random, seeded } from '../tools/seeded.ts';

export const CHILDREN = 5;
export const MANY_CHILDREN = 5000;
const OTHERS = 2000;
export const PEOPLE = 200;
export const WORDS = 3000;
export const MOST_N = 1000;
export const DIMS = Number(process.env['BENCH_DIMS'] ?? 64);
/** Passages are near one of these many topics, as those of texts are. */
const TOPICS = 400;
const SPREAD = 0.5;

const INTEGER = { type: 'integer' };
const KEYWORD = { type: 'keyword' };

const CHILD = {
  type: 'nested',
  properties: { who: KEYWORD, stars: INTEGER, price: { type: 'double' }, text: { type: 'text' } },
};

const WORD_MAPPINGS = {
  properties: { tag: KEYWORD, n: INTEGER, title: { type: 'text' }, c: CHILD },
};

const VECTOR_MAPPINGS = {
  properties: {
    rank: INTEGER,
    p: {
      type: 'nested',
      properties: {
        v: {
          type: 'dense_vector',
          dims: DIMS,
          similarity: 'cosine',
          index_options: { type: 'hnsw' },
        },
      },
    },
  },
};

export interface Child {
  readonly who: string;
  readonly stars: number;
  readonly price: number;
  readonly text: string;
}

export interface Parent {
  readonly tag: string;
  readonly n: number;
  readonly title: string;
  readonly c: readonly Child[];
}

/** Early words are frequent, late ones rare. */
export const wordOf = (next: Random): string => `w${Math.floor(next() ** 2 * WORDS)}`;

const words = (next: Random, count: number): string =>
  Array.from({ length: count }, () => wordOf(next)).join(' ');

function makeChild(next: Random): Child {
  return {
    who: `p${Math.floor(next() * PEOPLE)}`,
    stars: Math.floor(next() * 10),
    price: Math.floor(next() * 100_000) / 100,
    text: words(next, 8),
  };
}

function makeParent(next: Random, children: number): Parent {
  return {
    tag: `t${Math.floor(next() * 20)}`,
    n: Math.floor(next() * MOST_N),
    title: words(next, 6),
    c: Array.from({ length: children }, () => makeChild(next)),
  };
}

export function makeParents(count: number): readonly Parent[] {
  const next = seeded(39);
  return Array.from({ length: count }, () => makeParent(next, CHILDREN));
}

const numbered = (all: readonly object[]): readonly (readonly [string, string])[] =>
  all.map((one, i) => [String(i), JSON.stringify(one)]);

export function wordCorpus(parents: readonly Parent[]): Corpus {
  return toCorpus('nested', WORD_MAPPINGS, numbered(parents));
}

/** One parent with many children, and others with two. */
export function manyChildren(): readonly Parent[] {
  const next = seeded(5000);
  return Array.from({ length: OTHERS + 1 }, (_, i) =>
    makeParent(next, i === OTHERS / 2 ? MANY_CHILDREN : 2),
  );
}

export function manyCorpus(parents: readonly Parent[]): Corpus {
  return toCorpus('nested_many', WORD_MAPPINGS, numbered(parents));
}

export interface Passages {
  /** Of all children in order, CHILDREN for each parent, DIMS numbers each, unit length. */
  readonly vectors: Float32Array;
  /** A permutation: `rank < count * share` matches that share of the parents. */
  readonly ranks: Uint32Array;
  readonly probes: readonly Float32Array[];
}

/** Near a normal distribution: the sum of some uniform ones. */
const bell = (next: Random): number => (next() + next() + next() + next() - 2) * Math.sqrt(3);

function unit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

export function makePassages(parents: number, probes: number): Passages {
  const next = seeded(64);
  const topics = Array.from({ length: TOPICS }, () =>
    Float32Array.from({ length: DIMS }, () => bell(next)),
  );
  const near = (): Float32Array => {
    const topic = topics[Math.floor(next() * TOPICS)] ?? new Float32Array(DIMS);
    return unit(topic.map((value) => value + SPREAD * bell(next)));
  };
  const vectors = new Float32Array(parents * CHILDREN * DIMS);
  for (let row = 0; row < parents * CHILDREN; row++) vectors.set(near(), row * DIMS);
  const ranks = Uint32Array.from({ length: parents }, (_, i) => i);
  for (let i = parents - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [ranks[i], ranks[j]] = [ranks[j] ?? 0, ranks[i] ?? 0];
  }
  return { vectors, ranks, probes: Array.from({ length: probes }, near) };
}

export const numbersOf = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => value.toFixed(5)).join(',')}]`;

export function passageCorpus({ vectors, ranks }: Passages): Corpus {
  const documents = Array.from(ranks, (rank, parent): readonly [string, string] => {
    const passages = Array.from({ length: CHILDREN }, (_, i) => {
      const row = parent * CHILDREN + i;
      return `{"v":${numbersOf(vectors.subarray(row * DIMS, (row + 1) * DIMS))}}`;
    });
    return [String(parent), `{"rank":${rank},"p":[${passages.join(',')}]}`];
  });
  return toCorpus('nested_passages', VECTOR_MAPPINGS, documents);
}

/** The `k` best parents among those with a rank below `limit`, by the best of their passages. */
export function nearestParents(
  { vectors, ranks, probes }: Passages,
  probe: number,
  limit: number,
  k: number,
): readonly string[] {
  const query = probes[probe] ?? new Float32Array(DIMS);
  const best: { readonly parent: number; readonly score: number }[] = [];
  for (let parent = 0; parent < ranks.length; parent++) {
    if ((ranks[parent] ?? 0) >= limit) continue;
    let score = -2;
    for (let row = parent * CHILDREN; row < (parent + 1) * CHILDREN; row++) {
      let product = 0;
      for (let i = 0; i < DIMS; i++) product += (query[i] ?? 0) * (vectors[row * DIMS + i] ?? 0);
      if (product > score) score = product;
    }
    if (best.length === k && score <= (best[k - 1]?.score ?? -2)) continue;
    const at = best.findIndex((one) => one.score < score);
    best.splice(at < 0 ? best.length : at, 0, { parent, score });
    if (best.length > k) best.pop();
  }
  return best.map(({ parent }) => String(parent));
}
