// Values by keys that were used of late: at least `most` of them, at most twice as many.

/** Two generations: what is used moves to the young one; when that is full, the old one is forgotten. */
export class Recent<V> {
  readonly #most: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    const found = this.#young.get(key);
    if (found !== undefined) return found;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
