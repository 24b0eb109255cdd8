// Shares equal parts between index entries, because ten thousand namespaces may be created from one
// template.

import type { Json, JsonObject } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { quote } from '../../base/json-text.js';
import { isSpelledDouble } from '../../base/spelled-doubles.js';
import type { IndexEntry } from './catalog.js';

/** Distinct values that are cached per part; further ones are not shared. */
const REMEMBERED = 256;

export class SharedParts {
  readonly #settings = new Pool<Pick<IndexEntry, 'settings' | 'behaviour'>>();
  readonly #aliases = new Pool<IndexEntry['aliases']>();
  readonly #embedders = new Pool<IndexEntry['embedders']>();
  readonly #semantic = new Pool<IndexEntry['semantic']>();

  /** An equal entry that uses the parts of earlier entries where they are equal. */
  share(entry: IndexEntry): IndexEntry {
    const { name, uuid, number, shards, creationDate, state, hidden } = entry;
    const { aliases, embedders, semantic } = entry;
    const { settings, behaviour } = this.#settings.share(
      () => textOf([hidden, entry.settings]),
      entry,
    );
    // Written out, because an object made by spreads takes twice the memory.
    return {
      name,
      uuid,
      number,
      shards,
      creationDate,
      state,
      hidden,
      settings,
      behaviour,
      aliases: this.#aliases.share(() => textOf(aliases), aliases),
      embedders: this.#embedders.share(() => textOf(embedders), embedders),
      semantic: this.#semantic.share(() => textOf(semantic), semantic),
    };
  }
}

class Pool<T extends object> {
  readonly #recent = new BoundedMap<string, T>(REMEMBERED);
  /** Values that entries share: entries that were read together mostly have the same ones. */
  readonly #shared = new WeakSet<T>();

  share(keyOf: () => string, value: T): T {
    if (this.#shared.has(value)) return value;
    const key = keyOf();
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    this.#recent.set(key, value);
    this.#shared.add(value);
    return value;
  }
}

/**
 * A string that is equal for equal values and different for all others, for any value of an entry.
 * It distinguishes what JSON does not: integers and doubles, numbers that a script parameter spells
 * as a fraction, the sign of zero, and maps and sets by their content.
 */
export function textOf(value: unknown): string {
  if (value instanceof Map) return `Map${textOf([...value])}`;
  if (value instanceof Set) return `Set${textOf([...value])}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const holder = value as JsonObject | readonly Json[];
  const members = Object.entries(holder).map(([name, member]) => {
    const spelled = isSpelledDouble(holder, name) ? 'd' : '';
    return `${quote(name)}:${textOf(member)}${spelled}`;
  });
  return Array.isArray(value) ? `[${members.join()}]` : `{${members.join()}}`;
}
