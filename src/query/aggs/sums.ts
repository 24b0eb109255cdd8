// Sums over many shards that keep small numbers next to large ones.

/** Kahan-Babuska summation: the error of each addition is carried along. */
export class CompensatedSum {
  #sum = 0;
  #delta = 0;

  add(value: number): this {
    if (!Number.isFinite(value)) {
      this.#sum += value;
      return this;
    }
    if (!Number.isFinite(this.#sum)) return this;
    const corrected = value + this.#delta;
    const next = this.#sum + corrected;
    this.#delta = corrected - (next - this.#sum);
    this.#sum = next;
    return this;
  }
  /** Adds a sum that was computed elsewhere, with its error. */
  addSum(sum: number, delta: number): this {
    return this.add(sum).add(delta);
  }
  get value(): number {
    return this.#sum + (Number.isFinite(this.#sum) ? this.#delta : 0);
  }
}

export function sumOf(values: Iterable<number>): number {
  const sum = new CompensatedSum();
  for (const value of values) sum.add(value);
  return sum.value;
}
