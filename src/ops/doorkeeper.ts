// Admission filter for caches: only a repeated key is worth caching if most keys occur once. Cache
// entries for keys that occur once would be promoted to the old generation of the garbage collector
// and die there, where collecting them is expensive.

/**
 * The doorkeeper of Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient Cache Admission Policy"
 * (2017), section 3.4.2, here as a table of hashes in which newer hashes overwrite older ones.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;

  /**
   * `slots` must be a power of two. A key is mostly forgotten after about as many other keys, which
   * suits a cache of about that size.
   */
  constructor(slots: number) {
    this.#hashes = new Int32Array(slots);
  }

  /**
   * Whether these bytes were seen recently; remembers them if not. False positives are possible but
   * rare, so the result may only decide about caching.
   */
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
  // 0 marks an empty slot.
  return hash === 0 ? 1 : hash;
}
