// Seeded vectors for tests, and a naive search for the nearest of them in double precision.

export type Similarity = 'cosine' | 'dot_product' | 'l2_norm' | 'max_inner_product';

/** mulberry32: numbers in [0, 1), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Approximately normal, mean 0, deviation 1, which is sufficient for directions. */
function bell(random: () => number): number {
  return random() + random() + random() + random() + random() + random() - 3;
}

/** Vectors around `centres` centres, as 32-bit floats. */
export function clusteredVectors(
  count: number,
  dims: number,
  { seed, centres = 32, spread = 0.5 }: { seed: number; centres?: number; spread?: number },
): readonly (readonly number[])[] {
  const random = randomOf(seed);
  const middles = Array.from({ length: centres }, () =>
    Array.from({ length: dims }, () => bell(random)),
  );
  return Array.from({ length: count }, () => {
    const middle = middles[Math.floor(random() * centres)] ?? [];
    return middle.map((value) => Math.fround(value + spread * bell(random)));
  });
}

export function unit(vector: readonly number[]): readonly number[] {
  const norm = Math.hypot(...vector);
  return vector.map((value) => Math.fround(value / norm));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** `_score` of each similarity. */
export function scoreOf(
  similarity: Similarity,
  query: readonly number[],
  vector: readonly number[],
): number {
  const product = dot(query, vector);
  switch (similarity) {
    case 'cosine':
      return (1 + product / Math.sqrt(dot(query, query) * dot(vector, vector))) / 2;
    case 'dot_product':
      return (1 + product) / 2;
    case 'l2_norm': {
      const difference = query.map((value, i) => value - (vector[i] ?? 0));
      return 1 / (1 + dot(difference, difference));
    }
    case 'max_inner_product':
      return product < 0 ? 1 / (1 - product) : product + 1;
  }
}

export interface NearestVector {
  readonly id: string;
  readonly score: number;
}

/** The k best, best first. */
export function nearest(
  similarity: Similarity,
  query: readonly number[],
  vectors: ReadonlyMap<string, readonly number[]>,
  k: number,
): readonly NearestVector[] {
  const scored = [...vectors].map(([id, vector]) => ({
    id,
    score: scoreOf(similarity, query, vector),
  }));
  return scored.sort((a, b) => b.score - a.score).slice(0, k);
}
