// An inverted index of numbers under numbers (the places of each word), in typed arrays, because a
// brain has millions of them. Places are appended first; the first lookup sorts them, so that the
// places of a word are contiguous. More may be added afterwards.
import type { Counters } from './counters.js';

/** Greater than every place. */
export const EVERY = 0xffff_ffff;

export class Places {
  readonly #most: number;
  readonly #groups: number;
  /** Open addressing: pairs of a word and its entry + 1 (0: free), adjacent in memory. */
  #table = new Int32Array(2048);
  /** By entry: how often the word was added, and a bit for each group in which it was added. */
  #totals = new Uint32Array(512);
  #inGroups = new Uint8Array(512);
  #entries = 0;
  /** The pairs in the order of addition: entry * groups + group, and the place. */
  #lists = new Uint32Array(1024);
  #added = new Uint32Array(1024);
  #pairs = 0;
  /** The start of each list in `#sorted`; undefined: pairs were added since the last sort. */
  #starts: Uint32Array | undefined;
  #sorted = new Uint32Array(0);
  /**
   * A Bloom filter with one hash: the bit of every word in several places is set; other words may
   * share it.
   */
  #several = new Uint8Array(1);

  /** A word in more than `most` places has no list. Each place is in one of `groups`, at most 8. */
  constructor(most: number, groups = 1) {
    this.#most = most;
    this.#groups = groups;
  }

  /** Number of distinct words. */
  get size(): number {
    return this.#entries;
  }
  /** Number of a word, for the calls below; -1 when it was never added. */
  entryOf(word: number): number {
    return (this.#table[this.#slotOf(word) + 1] ?? 0) - 1;
  }
  /** Number of a word, which is added if it is new. */
  enter(word: number): number {
    const slot = this.#slotOf(word);
    const there = this.#table[slot + 1] ?? 0;
    if (there > 0) return there - 1;
    const entry = this.#entries++;
    this.#table[slot] = word;
    this.#table[slot + 1] = entry + 1;
    if (entry === this.#totals.length) this.#grow();
    if (this.#entries * 4 > this.#table.length) this.#rehash();
    return entry;
  }
  add(entry: number, place: number, group = 0): void {
    this.#starts = undefined;
    const total = (this.#totals[entry] ?? 0) + 1;
    this.#totals[entry] = total;
    this.#inGroups[entry] = (this.#inGroups[entry] ?? 0) | (1 << group);
    if (total > this.#most) return;
    if (this.#pairs === this.#lists.length) {
      this.#lists = grown(this.#lists);
      this.#added = grown(this.#added);
    }
    this.#lists[this.#pairs] = entry * this.#groups + group;
    this.#added[this.#pairs] = place;
    this.#pairs++;
  }

  /** False: the word is in at most one place. Does not read the hash table. */
  maybeSeveral(word: number): boolean {
    if (this.#starts === undefined) this.#sort();
    const bit = bitOf(word) & (this.#several.length * 8 - 1);
    return ((this.#several[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
  /** The word is in more than `most` places and has no list. */
  isEverywhere(entry: number): boolean {
    return (this.#totals[entry] ?? 0) > this.#most;
  }
  /** Number of places in the lists of all groups. */
  count(entry: number): number {
    return this.isEverywhere(entry) ? 0 : (this.#totals[entry] ?? 0);
  }
  /** The places of a group, in the order of addition; a view that is valid until the next add(). */
  of(entry: number, group = 0): Uint32Array {
    const starts = this.#starts ?? this.#sort();
    const list = entry * this.#groups + group;
    return this.#sorted.subarray(starts[list], starts[list + 1]);
  }
  /** True if `place` is in the list of the group. */
  has(entry: number, place: number, group = 0): boolean {
    const starts = this.#starts ?? this.#sort();
    const list = entry * this.#groups + group;
    const last = starts[list + 1] ?? 0;
    for (let at = starts[list] ?? 0; at < last; at++) if (this.#sorted[at] === place) return true;
    return false;
  }
  /**
   * Counts each place below `end`. The places must have been added in ascending order unless `end`
   * is EVERY.
   */
  countInto(counters: Counters, entry: number, group = 0, end = EVERY): void {
    if (((this.#inGroups[entry] ?? 0) & (1 << group)) === 0) return;
    const starts = this.#starts ?? this.#sort();
    const list = entry * this.#groups + group;
    const first = starts[list] ?? 0;
    let last = starts[list + 1] ?? 0;
    while (last > first && (this.#sorted[last - 1] ?? 0) >= end) last--;
    counters.addAll(this.#sorted, first, last);
  }

  /** The slot of the word in the table, or the free slot where it would be inserted. */
  #slotOf(word: number): number {
    const table = this.#table;
    const mask = table.length - 2;
    let slot = (Math.imul(word, 0x9e3779b1) >>> 7) & mask;
    while ((table[slot + 1] ?? 0) > 0 && table[slot] !== word) slot = (slot + 2) & mask;
    return slot;
  }
  #rehash(): void {
    const old = this.#table;
    this.#table = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const slot = this.#slotOf(old[at] ?? 0);
      this.#table[slot] = old[at] ?? 0;
      this.#table[slot + 1] = old[at + 1] ?? 0;
    }
  }
  #grow(): void {
    this.#totals = grown(this.#totals);
    const groups = new Uint8Array(this.#totals.length);
    groups.set(this.#inGroups);
    this.#inGroups = groups;
  }
  #markSeveral(): void {
    let words = 0;
    for (let entry = 0; entry < this.#entries; entry++) if ((this.#totals[entry] ?? 0) > 1) words++;
    let bytes = 128;
    while (bytes < words * 2) bytes *= 2;
    this.#several = new Uint8Array(bytes);
    for (let at = 0; at < this.#table.length; at += 2) {
      const entry = (this.#table[at + 1] ?? 0) - 1;
      if (entry < 0 || (this.#totals[entry] ?? 0) < 2) continue;
      const bit = bitOf(this.#table[at] ?? 0) & (bytes * 8 - 1);
      this.#several[bit >> 3] = (this.#several[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  #sort(): Uint32Array {
    this.#markSeveral();
    const lists = this.#entries * this.#groups;
    const starts = new Uint32Array(lists + 2);
    for (let pair = 0; pair < this.#pairs; pair++) {
      const list = this.#lists[pair] ?? 0;
      if (!this.isEverywhere(Math.floor(list / this.#groups)))
        starts[list + 2] = (starts[list + 2] ?? 0) + 1;
    }
    for (let list = 2; list <= lists + 1; list++)
      starts[list] = (starts[list] ?? 0) + (starts[list - 1] ?? 0);
    this.#sorted = new Uint32Array(starts[lists + 1] ?? 0);
    // `starts` is one list ahead: filling a list moves its start to its end, which is where the
    // next list begins.
    for (let pair = 0; pair < this.#pairs; pair++) {
      const list = this.#lists[pair] ?? 0;
      if (this.isEverywhere(Math.floor(list / this.#groups))) continue;
      const at = starts[list + 1] ?? 0;
      this.#sorted[at] = this.#added[pair] ?? 0;
      starts[list + 1] = at + 1;
    }
    this.#starts = starts;
    return starts;
  }
}

function bitOf(word: number): number {
  return Math.imul(word, 0x85ebca6b) >>> 4;
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
