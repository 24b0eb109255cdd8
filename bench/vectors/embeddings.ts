// A set of the shared folder as documents: float16 rows whose numbers are rounded to six digits, as
// clients send them, an integer for filters, and the exact nearest vectors in double precision.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Embeddings {
  readonly dims: number;
  readonly rows: Float32Array;
  readonly count: number;
}

const HEAD_BYTES = 8;
const DIGITS = 6;

export function readEmbeddings(folder: string, file: string, limit: number): Embeddings {
  const bytes = readFileSync(join(folder, file));
  const dims = bytes.readInt32LE(4);
  const count = Math.min(bytes.readInt32LE(0), limit);
  const rows = new Float32Array(count * dims);
  for (let i = 0; i < rows.length; i++) {
    const value = halfToNumber(bytes.readUInt16LE(HEAD_BYTES + 2 * i));
    rows[i] = Number(value.toPrecision(DIGITS));
  }
  return { dims, rows, count };
}

function halfToNumber(half: number): number {
  const exponent = (half >> 10) & 31;
  const mantissa = half & 1023;
  const size = exponent === 0 ? mantissa * 2 ** -24 : (mantissa + 1024) * 2 ** (exponent - 25);
  return (half & 0x8000) === 0 ? size : -size;
}

/** The numbers of one row as the content of a JSON array. */
export function toJson({ rows, dims }: Embeddings, row: number): string {
  const numbers = Array.from(rows.subarray(row * dims, (row + 1) * dims), (value) =>
    Number(value.toPrecision(DIGITS)),
  );
  return `[${numbers.join(',')}]`;
}

/**
 * A seeded permutation of 0 .. count - 1: documents with a rank below x are a random share of all.
 */
export function drawRanks(count: number): Uint32Array {
  const ranks = Uint32Array.from({ length: count }, (_, i) => i);
  let state = 5;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (i + 1));
    const kept = ranks[i] ?? 0;
    ranks[i] = ranks[other] ?? 0;
    ranks[other] = kept;
  }
  return ranks;
}

const TIE = 2e-7;

/** Cosines of the probes with all rows, computed for one probe at a time. */
export class NearestVectors {
  readonly #base: Embeddings;
  readonly #probes: Embeddings;
  readonly #lengths: Float64Array;
  readonly #ranks: Uint32Array;

  constructor(base: Embeddings, probes: Embeddings, ranks: Uint32Array) {
    this.#base = base;
    this.#probes = probes;
    this.#ranks = ranks;
    this.#lengths = Float64Array.from({ length: base.count }, (_, row) =>
      Math.sqrt(dot(base, row, base, row)),
    );
  }

  /** The cosine of the k-th nearest row among those with a rank below each limit. */
  kth(probe: number, k: number, limits: readonly number[]): readonly number[] {
    const cosines = this.#cosines(probe);
    return limits.map((limit) => {
      const best: number[] = [];
      for (let row = 0; row < cosines.length; row++) {
        const cosine = cosines[row] ?? 0;
        if ((this.#ranks[row] ?? 0) >= limit) continue;
        if (best.length === k && cosine <= (best[0] ?? 0)) continue;
        if (best.length === k) best.shift();
        const at = best.findIndex((other) => other > cosine);
        best.splice(at < 0 ? best.length : at, 0, cosine);
      }
      return best.length < k ? -1 : (best[0] ?? -1);
    });
  }

  /** The number of rows in `found` that reach `kth` and pass the limit. */
  hits(probe: number, found: readonly number[], kth: number, limit: number): number {
    const reached = [...new Set(found)].filter(
      (row) => (this.#ranks[row] ?? limit) < limit && this.#cosine(probe, row) >= kth - TIE,
    );
    return reached.length;
  }

  #cosines(probe: number): Float64Array {
    return Float64Array.from({ length: this.#base.count }, (_, row) => this.#cosine(probe, row));
  }
  #cosine(probe: number, row: number): number {
    const length = Math.sqrt(dot(this.#probes, probe, this.#probes, probe));
    return dot(this.#probes, probe, this.#base, row) / (length * (this.#lengths[row] ?? 1));
  }
}

function dot(a: Embeddings, i: number, b: Embeddings, j: number): number {
  const { dims } = a;
  let sum = 0;
  for (let d = 0; d < dims; d++) sum += (a.rows[i * dims + d] ?? 0) * (b.rows[j * dims + d] ?? 0);
  return sum;
}
