// Changes of the catalog of indexes. Each has three steps:
//   prepare  the engine and the reader of descriptions check what it would come to; may refuse, writes nothing
//   record   the engine makes it durable
//   swap     the catalog shows it; cannot fail
// A change of several indexes is prepared for all of them, is one record of the engine (native/core/engine/change_record.h),
// and one step of the catalog on every thread.
import type { JsonObject } from '../../backend/index.js';
import type { TaskRunner } from '../shards/pools.js';
import { type Catalog, type IndexEntry, type ReadIndex, readEntry, readIndex } from './catalog.js';
import { jsonText } from './json-text.js';

export type IndexChange =
  /** A whole spec, as Engine::create_index takes it. `restore`: of the copy that was prepared under that number. */
  | { readonly create: JsonObject; readonly restore?: number }
  /** Members of the spec other than mappings. */
  | { readonly of: IndexEntry; readonly members: JsonObject }
  /** Merged into the mapping. */
  | { readonly of: IndexEntry; readonly mappings: JsonObject }
  | Drop;

interface Drop {
  readonly drop: IndexEntry;
}

/** The number and uuid of an index that is not there yet. */
const UNBORN = { number: 0, uuid: '' };

export interface CatalogChangesOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  /** The engine refuses its requests from now on: its description is on disk and cannot be read. */
  readonly putOutOfService: (index: number, reason: string) => void;
}

/** One change at a time: the caller sees to that. */
export class CatalogChanges {
  readonly #options: CatalogChangesOptions;

  constructor(options: CatalogChangesOptions) {
    this.#options = options;
  }

  /** The entries that the changes came to, in their order; those of dropped indexes are left out. */
  async apply(changes: readonly IndexChange[]): Promise<readonly IndexEntry[]> {
    for (const change of changes) await this.#prepare(change);
    const [only, another] = changes;
    if (only === undefined) return [];
    const isOwnRecord = another === undefined && !('drop' in only);
    return isOwnRecord ? this.#recordOne(only) : this.#recordAll(changes);
  }

  async #prepare(change: IndexChange): Promise<void> {
    const { tasks } = this.#options;
    if ('drop' in change) return;
    if ('create' in change) {
      readEntry(jsonText({ ...change.create, ...UNBORN }));
      return;
    }
    const members = 'members' in change ? jsonText(change.members) : '';
    const mappings = 'mappings' in change ? jsonText(change.mappings) : '';
    readEntry(await tasks.run('checkChange', { index: change.of.number, members, mappings }));
  }

  /** The description of an index on disk is its record. */
  async #recordOne(change: Exclude<IndexChange, Drop>): Promise<readonly IndexEntry[]> {
    const { tasks } = this.#options;
    if ('create' in change) {
      const { restore } = change;
      const spec = jsonText(change.create);
      const made =
        restore === undefined
          ? tasks.run('createIndex', { spec })
          : tasks.run('finishRestore', { restore, spec });
      return this.#swap([await made], []);
    }
    const index = change.of.number;
    const changed =
      'members' in change
        ? tasks.run('putSpec', { index, members: jsonText(change.members) })
        : tasks.run('putMapping', { index, mappings: jsonText(change.mappings) });
    return this.#swap([await changed], []);
  }

  /** What is dropped is there until nobody finds it any more: whoever resolved its name before the swap resolves it anew. */
  async #recordAll(changes: readonly IndexChange[]): Promise<readonly IndexEntry[]> {
    const { tasks } = this.#options;
    const text = jsonText(changes.map(printed));
    const lines = await tasks.run('changeIndexes', { changes: text });
    const dropped = changes.flatMap((change) => ('drop' in change ? [change.drop.name] : []));
    const entries = this.#swap(
      lines.split('\n').filter((line) => line !== ''),
      dropped,
    );
    if (dropped.length > 0) {
      // The record stands: what fails here is done by the next change, or by the next start.
      await tasks.run('finishChanges', {}).catch(() => {});
    }
    return entries;
  }

  /** Shows indexes as the engine describes them. */
  #swap(descriptions: readonly string[], removed: readonly string[]): readonly IndexEntry[] {
    const { catalog, putOutOfService } = this.#options;
    const read: readonly ReadIndex[] = descriptions.map(readIndex);
    for (const { entry, damage } of read) {
      if (damage !== undefined) putOutOfService(entry.number, damage);
    }
    catalog.change(read, removed);
    return read.map(({ entry }) => entry);
  }
}

/** As Engine::change_indexes takes it. */
function printed(change: IndexChange): JsonObject {
  if ('drop' in change) return { drop: change.drop.number };
  if ('create' in change) {
    const { create, restore } = change;
    return restore === undefined ? { create } : { restore, spec: create };
  }
  const { of, ...members } = change;
  return { index: of.number, ...members };
}
