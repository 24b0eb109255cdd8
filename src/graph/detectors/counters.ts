// Counts by small numbers for repeated use: resetting costs time in proportion to what was counted,
// not to the range.

export class Counters {
  #counts = new Uint16Array(1024);
  #touched = new Uint32Array(1024);
  #size = 0;

  /**
   * Increments the counts of the numbers at positions `first` (inclusive) to `last` (exclusive). A
   * count must stay below 65,536 between two drains.
   */
  addAll(numbers: Uint32Array, first = 0, last = numbers.length): void {
    const most = this.#size + last - first;
    if (most > this.#touched.length) {
      const larger = new Uint32Array(most * 2);
      larger.set(this.#touched);
      this.#touched = larger;
    }
    for (let i = first; i < last; i++) {
      const number = numbers[i] ?? 0;
      if (number >= this.#counts.length) this.#grow(number);
      const count = this.#counts[number] ?? 0;
      if (count === 0) this.#touched[this.#size++] = number;
      this.#counts[number] = count + 1;
    }
  }

  /**
   * Calls `take` with the numbers counted at least `least` times; all counts are zero afterwards.
   */
  drain(least: number, take: (number: number, count: number) => void): void {
    for (let i = 0; i < this.#size; i++) {
      const number = this.#touched[i] ?? 0;
      const count = this.#counts[number] ?? 0;
      this.#counts[number] = 0;
      if (count >= least) take(number, count);
    }
    this.#size = 0;
  }

  #grow(number: number): void {
    const larger = new Uint16Array(Math.max(number + 1, this.#counts.length * 2));
    larger.set(this.#counts);
    this.#counts = larger;
  }
}
