// Parts of index entries that many indexes have alike are kept once: ten thousand namespaces are made from one template.
import type { IndexEntry } from './catalog.js';

type Parts = Pick<IndexEntry, 'settings' | 'behaviour'>;

/** Different settings that are remembered; more are only kept twice. */
const REMEMBERED = 256;
const NO_ALIASES: IndexEntry['aliases'] = new Map();

export class SharedParts {
  readonly #recent = new Map<string, Parts>();

  /** The same entry, on the parts of an earlier one where they are equal. */
  share(entry: IndexEntry): IndexEntry {
    const { settings, behaviour } = this.#partsOf(entry);
    const aliases = entry.aliases.size === 0 ? NO_ALIASES : entry.aliases;
    return { ...entry, settings, behaviour, aliases };
  }

  #partsOf(entry: IndexEntry): Parts {
    const key = `${entry.hidden}${JSON.stringify([...entry.settings])}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const { settings, behaviour } = entry;
    if (this.#recent.size >= REMEMBERED) this.#recent.clear();
    this.#recent.set(key, { settings, behaviour });
    return entry;
  }
}
