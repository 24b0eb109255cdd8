// Estimates distinct counts: exact sets of hashes while they are small, HyperLogLog registers above
// (Flajolet et al. 2007; estimator of Ertl 2017, which needs no bias correction tables).
import type { PartHeader } from '../../wire/agg-reader.js';
import type { ByteReader } from '../../wire/byte-reader.js';

/** Hashes, registers, or the exact count of the only shard. */
type Sketch = BigUint64Array | Uint8Array | number;

export interface Sketches {
  readonly precision: number;
  readonly owners: readonly Sketch[];
}

const HASHES = 0;
const EXACT = 2;

export function readSketches(reader: ByteReader, { owners, extra }: PartHeader): Sketches {
  const kinds = reader.align(8).bytes(owners);
  const lengths = reader.align(8).uint32s(owners);
  return {
    precision: extra,
    owners: Array.from(lengths, (length, owner) => {
      if (kinds[owner] === EXACT) return length;
      reader.align(8);
      return kinds[owner] === HASHES ? reader.uint64s(length) : reader.bytes(length);
    }),
  };
}

const HASH_BITS = 64;

/** The union of sketches. */
export class DistinctCounter {
  readonly #threshold: number;
  readonly #hashes = new Set<bigint>();
  #registers: Uint8Array | undefined;
  #precision = 0;
  #counted = 0;

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  add({ precision, owners }: Sketches, owner: number): void {
    this.#precision = precision;
    const sketch = owners[owner];
    if (sketch instanceof BigUint64Array) {
      for (const hash of sketch) this.#addHash(hash);
    } else if (typeof sketch === 'number') {
      this.#counted += sketch;
    } else if (sketch !== undefined) {
      const registers = this.#fold();
      for (const [at, rank] of sketch.entries()) {
        if (rank > (registers[at] ?? 0)) registers[at] = rank;
      }
    }
  }

  count(): number {
    if (this.#registers === undefined) return this.#counted + this.#hashes.size;
    return this.#counted + Math.round(estimate(this.#registers, this.#precision));
  }

  #addHash(hash: bigint): void {
    if (this.#registers === undefined) {
      this.#hashes.add(hash);
      if (this.#hashes.size > this.#threshold) this.#fold();
      return;
    }
    const shift = BigInt(HASH_BITS - this.#precision);
    const register = Number(hash >> shift);
    const rest = BigInt.asUintN(HASH_BITS, hash << BigInt(this.#precision));
    const zeros = rest === 0n ? HASH_BITS : HASH_BITS - rest.toString(2).length;
    const rank = Math.min(HASH_BITS - this.#precision, zeros) + 1;
    if (rank > (this.#registers[register] ?? 0)) this.#registers[register] = rank;
  }

  /** Moves the hashes into registers; afterwards only registers are used. */
  #fold(): Uint8Array {
    if (this.#registers !== undefined) return this.#registers;
    this.#registers = new Uint8Array(2 ** this.#precision);
    const hashes = [...this.#hashes];
    this.#hashes.clear();
    for (const hash of hashes) this.#addHash(hash);
    return this.#registers;
  }
}

/** Ertl 2017, algorithm 6: the improved raw estimator. */
export function estimate(registers: Uint8Array, precision: number): number {
  const ranks = HASH_BITS - precision;
  const size = registers.length;
  const counts = new Array<number>(ranks + 2).fill(0);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;
  let sum = size * tau((size - (counts[ranks + 1] ?? 0)) / size);
  for (let rank = ranks; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0));
  sum += size * sigma((counts[0] ?? 0) / size);
  return (size * size) / (2 * Math.LN2) / sum;
}

function sigma(start: number): number {
  if (start === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z] = [start, 1, start];
  for (let before = Number.NaN; before !== z; ) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(start: number): number {
  if (start === 0 || start === 1) return 0;
  let [x, y, z] = [start, 1, 1 - start];
  for (let before = Number.NaN; before !== z; ) {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
