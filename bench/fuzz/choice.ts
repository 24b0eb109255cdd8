// Pseudo-random choices from one seed.
import { type Random, seeded } from '../tools/seeded.ts';

export class Choice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** An integer from 0, less than `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** The members of an object, or none of them. */
  maybe<T extends object>(share: number, make: () => T): T | object {
    return this.chance(share) ? make() : {};
  }

  /** At least `least` items, at most `most`. */
  several<T>(least: number, most: number, make: () => T): readonly T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }

  shuffled<T>(list: readonly T[]): readonly T[] {
    const keyed = list.map((item) => [this.#random(), item] as const);
    return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
  }
}
