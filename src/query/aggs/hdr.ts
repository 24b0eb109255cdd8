// Percentiles of an HdrHistogram: values are put into bins whose width is proportional to the
// value. The formulas are the same as in native/core/query/aggs/metrics/hdr_bins.cc, which orders
// buckets by them.
import type { Ranks } from './sketch.js';

/** Value in the plan for no binning: values are kept as they are. */
export const NO_BINS = 255;
/**
 * Leading mantissa bits that distinguish bins, by significant digits: half of the smallest power of
 * two that is at least 2 * 10^digits.
 */
const MANTISSA_BITS = [0, 4, 7, 10, 14, 17];

export class HdrBins {
  readonly mantissaBits: number;

  /** `digits`: 0 to 5. */
  constructor(digits: number) {
    this.mantissaBits = MANTISSA_BITS[digits] ?? 0;
  }

  width(lowest: number): number {
    return lowest === 0 ? 0 : 2 ** (exponentOf(lowest) - this.mantissaBits);
  }
  /** The lower bound of the bin that contains `value`. */
  lowest(value: number): number {
    const width = this.width(value);
    return width === 0 ? 0 : Math.floor(value / width) * width;
  }
}

const BITS = new DataView(new ArrayBuffer(8));
const EXPONENT_BIAS = 1023;

/** The exponent of a positive number to base 2. */
function exponentOf(value: number): number {
  BITS.setFloat64(0, value);
  return ((BITS.getUint16(0) >> 4) & 0x7ff) - EXPONENT_BIAS;
}

/** Values that are rounded down to the lower bounds of their bins. */
export class HdrRanks {
  readonly #ranks: Ranks;
  readonly #bins: HdrBins;

  constructor(ranks: Ranks, bins: HdrBins) {
    this.#ranks = ranks;
    this.#bins = bins;
  }

  /**
   * The largest value equivalent to the one at the nearest rank, to the precision of the smallest
   * bin.
   */
  percentile(percent: number): number | null {
    const points = this.#ranks.ascending();
    const smallest = this.#bins.width(points.find(({ mean }) => mean > 0)?.mean ?? 0);
    const rank = Math.max(1, Math.floor((percent / 100) * this.#ranks.total + 0.5));
    let reached = 0;
    for (const { mean, weight } of points) {
      reached += weight;
      if (reached >= rank) return mean === 0 ? 0 : mean + this.#bins.width(mean) - smallest;
    }
    return null;
  }

  /** Percentage of values that are not above the bin of `value`. */
  percentileRank(value: number): number | null {
    return this.#ranks.percentileRank(value <= 0 ? value : this.#bins.lowest(value));
  }
}
