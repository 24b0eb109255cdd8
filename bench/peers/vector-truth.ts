// Vectors of the shared folder, or generated ones without it, and the exact nearest vectors by a
// loop over all rows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../tools/seeded.ts';
import { type Embeddings, readEmbeddings } from '../vectors/embeddings.ts';

const DIMS = 128;
const CLUSTERS = 200;

export function readVectors(
  shared: string,
  rows: number,
  probes: number,
): { readonly base: Embeddings; readonly probes: Embeddings } {
  const folder = join(shared, 'vector');
  if (!existsSync(join(folder, 'neural.base.f16bin')))
    return { base: makeEmbeddings(rows, 1), probes: makeEmbeddings(probes, 2) };
  return {
    base: readEmbeddings(folder, 'neural.base.f16bin', rows),
    probes: readEmbeddings(folder, 'neural.query.f16bin', probes),
  };
}

/** Clusters that are the same for every seed; `seed` draws the rows. */
export function makeEmbeddings(count: number, seed: number): Embeddings {
  const centers = seeded(99);
  const places = Float32Array.from({ length: CLUSTERS * DIMS }, () => centers() - 0.5);
  const random = seeded(seed);
  const rows = new Float32Array(count * DIMS);
  for (let row = 0; row < count; row++) {
    const cluster = Math.floor(random() * CLUSTERS);
    for (let d = 0; d < DIMS; d++)
      rows[row * DIMS + d] = (places[cluster * DIMS + d] ?? 0) + 0.8 * (random() - 0.5);
  }
  return { dims: DIMS, rows, count };
}

export function rowOf({ rows, dims }: Embeddings, row: number): Float32Array {
  return rows.subarray(row * dims, (row + 1) * dims);
}

/** Row numbers of the k with the highest cosine, best first. */
export function nearest(
  base: Embeddings,
  probes: Embeddings,
  probe: number,
  k: number,
): readonly string[] {
  const query = rowOf(probes, probe);
  const scored = Array.from({ length: base.count }, (_, row) => {
    const other = rowOf(base, row);
    let [dot, length] = [0, 0];
    for (let d = 0; d < base.dims; d++) {
      const value = other[d] ?? 0;
      dot += value * (query[d] ?? 0);
      length += value * value;
    }
    return { row, cosine: dot / Math.sqrt(length) };
  });
  scored.sort((a, b) => b.cosine - a.cosine);
  return scored.slice(0, k).map(({ row }) => String(row));
}
