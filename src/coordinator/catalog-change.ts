// Changes of the catalog of indexes. Each has three steps:
//   prepare  the engine and the reader of descriptions check what it would come to; may refuse, writes nothing
//   record   the engine makes it durable
//   swap     the catalog shows it; cannot fail
// A change of several indexes is prepared for all of them before the first is recorded. A record is of one index yet: the
// loop of apply() is the only place that knows, where one record of several indexes takes its place.
import type { JsonObject } from '../backend.js';
import { type Catalog, type IndexEntry, readEntry, readIndex } from './catalog.js';
import { jsonText } from './json-text.js';
import type { TaskRunner } from './pools.js';

export type IndexChange =
  /** A whole spec, as Engine::create_index takes it. `make`: from files that are there already. */
  | { readonly create: JsonObject; readonly make?: (spec: string) => Promise<string> }
  /** Members of the spec other than mappings. */
  | { readonly of: IndexEntry; readonly members: JsonObject }
  /** Merged into the mapping. */
  | { readonly of: IndexEntry; readonly mappings: JsonObject }
  | { readonly drop: IndexEntry };

/** The number and uuid of an index that is not there yet. */
const UNBORN = { number: 0, uuid: '' };

export interface CatalogChangesOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  /** The engine refuses its requests from now on: its description is on disk and cannot be read. */
  readonly putOutOfService: (index: number, reason: string) => void;
}

/** A change that was found good. Answers the entry that it came to, undefined for a dropped one. */
type Record = () => Promise<IndexEntry | undefined>;

/** One change at a time: the caller sees to that. */
export class CatalogChanges {
  readonly #options: CatalogChangesOptions;

  constructor(options: CatalogChangesOptions) {
    this.#options = options;
  }

  /** The entries that the changes came to, in their order; those of dropped indexes are left out. */
  async apply(changes: readonly IndexChange[]): Promise<readonly IndexEntry[]> {
    const records: Record[] = [];
    for (const change of changes) records.push(await this.#prepare(change));
    const entries: IndexEntry[] = [];
    for (const record of records) {
      const entry = await record();
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Shows an index as the engine describes it. */
  swap(description: string): IndexEntry {
    const { entry, damage } = readIndex(description);
    if (damage !== undefined) this.#options.putOutOfService(entry.number, damage);
    this.#options.catalog.put(entry);
    return entry;
  }

  async #prepare(change: IndexChange): Promise<Record> {
    const { tasks } = this.#options;
    if ('drop' in change) return () => this.#drop(change.drop);
    if ('create' in change) {
      const spec = jsonText(change.create);
      readEntry(jsonText({ ...change.create, ...UNBORN }));
      const make = change.make ?? ((text: string) => tasks.run('createIndex', { spec: text }));
      return async () => this.swap(await make(spec));
    }
    const index = change.of.number;
    if ('members' in change) {
      const members = jsonText(change.members);
      readEntry(await tasks.run('checkChange', { index, members, mappings: '' }));
      return async () => this.swap(await tasks.run('putSpec', { index, members }));
    }
    const mappings = jsonText(change.mappings);
    readEntry(await tasks.run('checkChange', { index, members: '', mappings }));
    return async () => this.swap(await tasks.run('putMapping', { index, mappings }));
  }

  /** Out of sight first: no new request finds it, what runs on it is the engine's to finish. */
  async #drop(entry: IndexEntry): Promise<undefined> {
    const { catalog, tasks } = this.#options;
    catalog.remove(entry.name);
    try {
      await tasks.run('dropIndex', { index: entry.number });
    } catch (error) {
      catalog.put(entry);
      throw error;
    }
  }
}
