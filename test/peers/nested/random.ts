// Random choices from a seed, the same ones in every run.

export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  /** A whole number from 0, below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** Whether something happens that happens once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make);
  }
}
