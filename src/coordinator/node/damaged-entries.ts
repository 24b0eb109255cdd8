// Everything of this node that is unreadable, by name: indexes, aliases whose filter is no longer a
// valid query, and entries of the lists that are stored next to the indexes. For the log at the
// start, health, and `quarry doctor`.
import type { Access, DamagedEntry, JsonObject } from '../../backend/index.js';
import type { AliasProperties } from '../catalog/aliases.js';
import type { Catalog } from '../catalog/catalog.js';
import type { DamageReport } from '../catalog/damage.js';

export interface DamagedEntriesOptions {
  readonly catalog: Catalog;
  /** The current report. */
  readonly damage: () => DamageReport;
  /** Throws for a filter that is no valid query. */
  readonly checkFilter: (filter: JsonObject) => void;
  readonly lists: readonly { damaged(): readonly DamagedEntry[] }[];
}

export class DamagedEntries {
  readonly #options: DamagedEntriesOptions;
  /** Results for filters that were checked already, because health is requested often. */
  readonly #refusals = new WeakMap<AliasProperties, string | false>();

  constructor(options: DamagedEntriesOptions) {
    this.#options = options;
  }

  /** `access`: restricts the list to what its owner may see. */
  list(access?: Access): readonly DamagedEntry[] {
    const lists = access === undefined ? this.#options.lists : [];
    return [...this.#ofIndexes(access), ...lists.flatMap((list) => list.damaged())];
  }

  #ofIndexes(access: Access | undefined): readonly DamagedEntry[] {
    const { catalog, damage } = this.#options;
    const report = damage();
    const found: DamagedEntry[] = [];
    for (const { name, number, aliases } of catalog.indexes()) {
      const isSeen = access?.allows(name) ?? true;
      const [first] = isSeen ? report.of(number) : [];
      if (first !== undefined) {
        const reason = `${first.reason}: restore it from a snapshot, or delete it`;
        found.push({ kind: 'index', name, reason });
      }
      for (const [alias, properties] of aliases) {
        const why = (access?.allows(alias) ?? true) && this.#refusalOf(properties);
        if (typeof why !== 'string') continue;
        const of = isSeen ? ` of index [${name}]` : '';
        const reason = `the filter of alias [${alias}]${of} is no query (${why}): put the alias again, or remove it`;
        found.push({ kind: 'alias', name: alias, reason });
      }
    }
    return found;
  }

  #refusalOf(properties: AliasProperties): string | false {
    const { filter } = properties;
    if (filter === undefined) return false;
    const known = this.#refusals.get(properties);
    if (known !== undefined) return known;
    let why: string | false = false;
    try {
      this.#options.checkFilter(filter);
    } catch (error) {
      why = (error as Error).message;
    }
    this.#refusals.set(properties, why);
    return why;
  }
}
