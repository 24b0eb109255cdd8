// What comes for the second time: only that is worth keeping where most comes once. What is kept of things that come once dies just
// old enough to be costly, as the collector has moved it to the old generation by then.

/**
 * Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient Cache Admission Policy" (2017), section 3.4.2: the doorkeeper, here a table of
 * hashes in which newer ones take the places of older ones.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;

  /** `slots`: a power of two; what came so many others ago is mostly forgotten, as are things of a cache of about that size. */
  constructor(slots: number) {
    this.#hashes = new Int32Array(slots);
  }

  /** Whether these bytes came before, of late. Rarely true of some that did not, so that it decides about keeping and nothing else. */
  knows(bytes: Uint8Array, seed = 0): boolean {
    const hash = hashOf(bytes, seed);
    const slot = (hash ^ (hash >>> 15)) & (this.#hashes.length - 1);
    if (this.#hashes[slot] === hash) return true;
    this.#hashes[slot] = hash;
    return false;
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  // Never what an empty slot holds.
  return hash === 0 ? 1 : hash;
}
