// Changes of the catalog of indexes. Each has three steps:
//   prepare  the engine and the reader of descriptions check the result; may throw, writes nothing
//   record   the engine makes the change durable
//   swap     the catalog shows the change; cannot fail
// A change of several indexes is prepared for all of them and is one record of the engine
// (native/core/engine/change_record.h) and one step of the catalog on every thread.
import type { JsonObject } from '../../backend/index.js';
import type { TaskRunner } from '../shards/pools.js';
import { type Catalog, type IndexEntry, type ReadIndex, readEntry, readIndex } from './catalog.js';
import { jsonText } from './json-text.js';

export type IndexChange =
  /** A complete spec for Engine::create_index. `restore`: number of the prepared copy. */
  | { readonly create: JsonObject; readonly restore?: number }
  /** Members of the spec other than mappings. */
  | { readonly of: IndexEntry; readonly members: JsonObject }
  /** Merged into the mapping. */
  | { readonly of: IndexEntry; readonly mappings: JsonObject }
  | Drop;

interface Drop {
  readonly drop: IndexEntry;
}

/** Placeholders for the number and uuid of an index that does not exist yet. */
const UNBORN = { number: 0, uuid: '' };

export interface CatalogChangesOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  /** Makes the engine refuse requests to an index whose description on disk is unreadable. */
  readonly putOutOfService: (index: number, reason: string) => void;
}

/** Makes changes of indexes, wherever they are stored. */
export interface IndexChanges {
  /**
   * Applies the changes and returns the resulting entries in their order, without those of dropped
   * indexes. The caller must ensure that one change runs at a time.
   */
  apply(changes: readonly IndexChange[]): Promise<readonly IndexEntry[]>;
}

export class CatalogChanges implements IndexChanges {
  readonly #options: CatalogChangesOptions;

  constructor(options: CatalogChangesOptions) {
    this.#options = options;
  }

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

  /** A change of one index is recorded in its description on disk. */
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

  /**
   * A dropped index is removed from the engine only after the swap, when its name no longer
   * resolves to it. A request that resolved the name before the swap resolves it again.
   */
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
      // The record is durable: if this step fails, the next change or the next start completes it.
      await tasks.run('finishChanges', {}).catch(() => {});
    }
    return entries;
  }

  /** Publishes the indexes according to the descriptions of the engine. */
  #swap(descriptions: readonly string[], removed: readonly string[]): readonly IndexEntry[] {
    const { catalog, putOutOfService } = this.#options;
    const read: readonly ReadIndex[] = descriptions.map((one) => readIndex(one));
    for (const { entry, damage } of read) {
      if (damage !== undefined) putOutOfService(entry.number, damage);
    }
    catalog.change(read, removed);
    return read.map(({ entry }) => entry);
  }
}

/** The argument of Engine::change_indexes. */
function printed(change: IndexChange): JsonObject {
  if ('drop' in change) return { drop: change.drop.number };
  if ('create' in change) {
    const { create, restore } = change;
    return restore === undefined ? { create } : { restore, spec: create };
  }
  const { of, ...members } = change;
  return { index: of.number, ...members };
}
