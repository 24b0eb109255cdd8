// The shard of a routing value, for searches that are restricted by one. The core places documents
// by the same hash (native/core/base/routing_hash.cc); test/golden/wire/routing.json tests both.

/** Maximum number of hash slots; the slots of a shard are a power of two. */
const MOST_SLOTS = 1024;

/**
 * The shard of `routing` among `shards` (1 or more): Murmur3 (x86, 32 bit, seed 0) of its UTF-16
 * units, folded to a shard.
 */
export function shardOfRouting(routing: string, shards: number): number {
  if (shards <= 1) return 0;
  let factor = 1;
  while (shards * factor * 2 <= MOST_SLOTS) factor *= 2;
  const slots = shards * factor;
  const slot = ((murmur3(routing) % slots) + slots) % slots;
  return Math.floor(slot / factor);
}

/** The hash as a signed number. */
function murmur3(text: string): number {
  const even = text.length & ~1;
  let hash = 0;
  for (let i = 0; i < even; i += 2) {
    hash ^= scramble(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    hash = (Math.imul(rotate(hash, 13), 5) + 0xe6546b64) | 0;
  }
  if (even < text.length) hash ^= scramble(text.charCodeAt(even));
  hash ^= text.length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scramble(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
