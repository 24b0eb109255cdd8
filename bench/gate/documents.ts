// The documents of the gate: texts with a Zipf-like distribution of words, vectors in clusters, and
// long pages; the same in every run.
import { seeded } from '../tools/seeded.ts';

export const TEXTS = 20_000;
export const VECTORS = 6000;
/**
 * A response with all pages must stay below 128 KB, from which on allocators occasionally map and
 * clear new memory, which took 3 to 10 ms.
 */
export const PAGES = 24;
export const DIMS = 64;
const WORDS = 30;
const VOCABULARY = 5000;
const CLUSTERS = 60;
const PAGE_BYTES = 4000;

export const MAPPINGS: Readonly<Record<string, object>> = {
  texts: {
    properties: {
      text: { type: 'text' },
      tag: { type: 'keyword' },
      n: { type: 'integer' },
      at: { type: 'date' },
    },
  },
  vectors: {
    properties: {
      n: { type: 'integer' },
      v: { type: 'dense_vector', dims: DIMS, similarity: 'cosine' },
    },
  },
  pages: { properties: { n: { type: 'integer' }, page: { type: 'text', index: false } } },
};

export const wordOf = (rank: number): string => `w${rank.toString(36)}`;

function textsOf(): readonly object[] {
  const random = seeded(11);
  const word = (): string => wordOf(Math.floor(VOCABULARY * random() ** 3));
  return Array.from({ length: TEXTS }, (_, n) => ({
    text: Array.from({ length: WORDS }, word).join(' '),
    tag: `t${Math.floor(random() ** 2 * 40)}`,
    n,
    at: 1_700_000_000_000 + n * 60_000,
  }));
}

/** `count` rows, followed by the probes, from the same clusters. */
export function vectorsOf(count: number): readonly (readonly number[])[] {
  const random = seeded(12);
  const centers = Array.from({ length: CLUSTERS }, () =>
    Array.from({ length: DIMS }, () => random() - 0.5),
  );
  return Array.from({ length: count }, (_, i) => {
    const center = centers[i % CLUSTERS] ?? [];
    return center.map((value) => Number((value + 0.6 * (random() - 0.5)).toFixed(5)));
  });
}

function pagesOf(): readonly object[] {
  const random = seeded(13);
  return Array.from({ length: PAGES }, (_, n) => {
    let page = '';
    while (page.length < PAGE_BYTES) page += `${wordOf(Math.floor(VOCABULARY * random()))} `;
    return { n, page };
  });
}

/** Bulk bodies by index. */
export function bulksOf(): Readonly<Record<string, readonly string[]>> {
  const vectors = vectorsOf(VECTORS).map((v, n) => ({ n, v }));
  return {
    texts: toBulks(textsOf(), 'texts'),
    vectors: toBulks(vectors, 'vectors'),
    pages: toBulks(pagesOf(), 'pages'),
  };
}

const BATCH = 1000;

export function toBulks(docs: readonly object[], index: string, from = 0): readonly string[] {
  const lines = docs.map(
    (doc, i) => `{"index":{"_index":"${index}","_id":"${from + i}"}}\n${JSON.stringify(doc)}\n`,
  );
  return Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, i) =>
    lines.slice(i * BATCH, (i + 1) * BATCH).join(''),
  );
}
