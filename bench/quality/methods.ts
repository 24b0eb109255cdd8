// The compared search methods, as search bodies over one index: `text` with the standard analyzer,
// `text.meaning` a semantic_text with the english analyzer, and, if a model is available,
// `text.model`.

export interface Method {
  readonly name: string;
  readonly body: (query: string) => object;
  /** Needs the field with the embeddings of a real model. */
  readonly model?: true;
}

/**
 * Nearest vectors that a fusion gets; the reference values were measured over complete lists, which
 * this approximates.
 */
const DEPTH = 1000;

const words = (field: string) => (query: string) => ({ match: { [field]: query } });
const meaning = (field: string) => (query: string) => ({ semantic: { field, query, k: DEPTH } });

function hybrid(
  fusion: 'rrf' | 'linear',
  field: string,
  weights: readonly [number, number],
): (query: string) => object {
  return (query) => ({
    query: {
      hybrid: {
        fusion,
        queries: [
          { query: words('text.meaning')(query), weight: weights[0] },
          { query: meaning(field)(query), weight: weights[1] },
        ],
      },
    },
  });
}

export const METHODS: readonly Method[] = [
  { name: 'BM25, standard', body: (query) => ({ query: words('text')(query) }) },
  { name: 'BM25, english', body: (query) => ({ query: words('text.meaning')(query) }) },
  { name: 'svc-lex-1', body: (query) => ({ query: meaning('text.meaning')(query) }) },
  { name: 'rrf', body: hybrid('rrf', 'text.meaning', [1, 1]) },
  { name: 'linear 0.5/0.5', body: hybrid('linear', 'text.meaning', [0.5, 0.5]) },
  { name: 'linear 0.7/0.3', body: hybrid('linear', 'text.meaning', [0.7, 0.3]) },
  {
    name: 'MiniLM',
    model: true,
    body: (query) => ({ query: meaning('text.model')(query) }),
  },
  { name: 'rrf with MiniLM', model: true, body: hybrid('rrf', 'text.model', [1, 1]) },
  {
    name: 'linear 0.5/0.5 with MiniLM',
    model: true,
    body: hybrid('linear', 'text.model', [0.5, 0.5]),
  },
];

/** nDCG@10 that the design measured offline; undefined if it did not. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'BM25, english': { cranfield: 0.384, medline: 0.68, cisi: 0.408, cacm: 0.495 },
  'svc-lex-1': { cranfield: 0.36, medline: 0.694, cisi: 0.383, cacm: 0.344 },
  rrf: { cranfield: 0.376, medline: 0.691, cisi: 0.407, cacm: 0.445 },
  'linear 0.5/0.5': { cranfield: 0.386, medline: 0.706, cisi: 0.422, cacm: 0.46 },
  'linear 0.7/0.3': { cranfield: 0.389, medline: 0.697, cisi: 0.416, cacm: 0.483 },
  MiniLM: { cranfield: 0.391, medline: 0.802, cisi: 0.421, cacm: 0.404 },
  'rrf with MiniLM': { cranfield: 0.424, medline: 0.799, cisi: 0.453, cacm: 0.544 },
  'linear 0.5/0.5 with MiniLM': { cranfield: 0.425, medline: 0.78, cisi: 0.451, cacm: 0.56 },
};

/** Minimum values of a real model (linear 0.5/0.5). */
export const MODEL_FLOORS: Readonly<Record<string, number>> = {
  cranfield: 0.41,
  medline: 0.76,
  cisi: 0.44,
  cacm: 0.54,
};
