// Counts by small numbers, for who counts again and again and looks at few of them: clearing costs what was counted.

export class Counters {
  #counts = new Uint32Array(1024);
  #touched: number[] = [];

  add(number: number): void {
    if (number >= this.#counts.length) {
      const larger = new Uint32Array(Math.max(number + 1, this.#counts.length * 2));
      larger.set(this.#counts);
      this.#counts = larger;
    }
    const count = this.#counts[number] ?? 0;
    if (count === 0) this.#touched.push(number);
    this.#counts[number] = count + 1;
  }

  /** Those that were counted at least so often, with their counts; all are zero again afterwards. */
  take(least: number): readonly (readonly [number: number, count: number])[] {
    const taken: (readonly [number, number])[] = [];
    for (const number of this.#touched) {
      const count = this.#counts[number] ?? 0;
      if (count >= least) taken.push([number, count]);
      this.#counts[number] = 0;
    }
    this.#touched = [];
    return taken;
  }
}
