// Percentiles over many shards: all values while they are few, t-digest centroids above (Dunning
// and Ertl 2019). The formulas are the same as in native/core/query/aggs/frame/value_sketch.cc,
// which orders buckets by them.
import type { PartHeader } from '../../wire/agg-reader.js';
import type { ByteReader } from '../../wire/byte-reader.js';

export interface SketchColumns {
  readonly exact: Uint8Array;
  /** Index of each owner's first point. */
  readonly starts: readonly number[];
  readonly points: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly means: Float64Array;
  readonly weights: Float64Array;
}

export function readSketchColumns(reader: ByteReader, { owners }: PartHeader): SketchColumns {
  const exact = reader.align(8).bytes(owners);
  const points = reader.align(8).uint32s(owners);
  const min = reader.align(8).doubles(owners);
  const max = reader.align(8).doubles(owners);
  const starts: number[] = [];
  let all = 0;
  for (const count of points) {
    starts.push(all);
    all += count;
  }
  const means = reader.align(8).doubles(all);
  const weights = reader.align(8).doubles(all);
  return { exact, starts, points, min, max, means, weights };
}

export interface Point {
  readonly mean: number;
  weight: number;
}

/** The union of sketches. */
export class Ranks {
  readonly #points: Point[] = [];
  #exact = true;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #total = 0;
  #sorted = true;

  add(columns: SketchColumns, owner: number): void {
    const start = columns.starts[owner] ?? 0;
    const count = columns.points[owner] ?? 0;
    if (count === 0) return;
    if (columns.exact[owner] === 0) this.#exact = false;
    this.#min = Math.min(this.#min, columns.min[owner] ?? this.#min);
    this.#max = Math.max(this.#max, columns.max[owner] ?? this.#max);
    for (let at = start; at < start + count; at++) {
      const weight = columns.weights[at] ?? 0;
      this.#points.push({ mean: columns.means[at] ?? 0, weight });
      this.#total += weight;
    }
    this.#sorted = false;
  }

  get isEmpty(): boolean {
    return this.#points.length === 0;
  }

  /**
   * The value at rank percent / 100 * (n - 1), counted from 0; linear between the closest ranks.
   */
  percentile(percent: number): number | null {
    if (this.isEmpty) return null;
    const rank = (Math.min(100, Math.max(0, percent)) / 100) * (this.#total - 1);
    // A centroid of n values covers n ranks and is placed in their middle.
    let before = 0;
    let lastRank = 0;
    let lastMean = this.#min;
    for (const { mean, weight } of this.ascending()) {
      const first = this.#exact ? before : before + (weight - 1) / 2;
      if (rank <= first) {
        if (first <= lastRank) return mean;
        return lastMean + ((mean - lastMean) * (rank - lastRank)) / (first - lastRank);
      }
      before += weight;
      lastRank = this.#exact ? before - 1 : first;
      lastMean = mean;
      if (rank <= lastRank) return lastMean;
    }
    const rest = this.#total - 1 - lastRank;
    if (rest <= 0) return this.#max;
    return lastMean + ((this.#max - lastMean) * (rank - lastRank)) / rest;
  }

  /** Percentage of values that are not larger. */
  percentileRank(value: number): number | null {
    if (this.isEmpty) return null;
    const below = this.#points.reduce(
      (sum, { mean, weight }) => sum + (mean <= value ? weight : 0),
      0,
    );
    return (100 * below) / this.#total;
  }

  /** The median distance of the values from their median. */
  medianAbsoluteDeviation(): number | null {
    const median = this.percentile(50);
    if (median === null) return null;
    const distances = new Ranks();
    distances.#exact = this.#exact;
    for (const { mean, weight } of this.#points) {
      const distance = Math.abs(mean - median);
      distances.#points.push({ mean: distance, weight });
      distances.#total += weight;
      distances.#min = Math.min(distances.#min, distance);
      distances.#max = Math.max(distances.#max, distance);
    }
    distances.#sorted = false;
    return distances.percentile(50);
  }

  get total(): number {
    return this.#total;
  }

  ascending(): readonly Point[] {
    if (!this.#sorted) this.#points.sort((a, b) => a.mean - b.mean);
    this.#sorted = true;
    return this.#points;
  }
}
