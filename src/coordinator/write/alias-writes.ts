// Writing single documents through aliases with a filter: what the alias shows of the document decides, and what was judged is what
// is changed. Costs a read, and a search where there is a document; other names come past here for one look-up.
import type { Access, Refresh, WriteOperation, WriteResult } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, DocumentPlace } from '../catalog/catalog.js';
import {
  type AliasOperation,
  decide,
  needsPresence,
  type PresenceOptions,
  presencesOf,
} from './alias-presence.js';

export interface AliasWritesOptions extends PresenceOptions {
  readonly catalog: Catalog;
  /** As it is, whatever an alias shows. */
  readonly write: (operation: WriteOperation, refresh: Refresh) => Promise<WriteResult>;
}

/** Times that a document is judged which others change meanwhile. */
const TRIES = 16;

export class AliasWrites {
  readonly #options: AliasWritesOptions;

  constructor(options: AliasWritesOptions) {
    this.#options = options;
  }

  write(
    operation: WriteOperation,
    refresh: Refresh,
    access: Access | undefined,
  ): Promise<WriteResult> {
    const { catalog, write } = this.#options;
    const place = filteredPlace(catalog, operation.index, operation.routing);
    if (place === undefined) return write(operation, refresh);
    const alone = aloneOf(catalog, place, access);
    return this.#judged({ operation, place, alone }, refresh);
  }

  async #judged(one: AliasOperation, refresh: Refresh): Promise<WriteResult> {
    const { operation } = one;
    const { write } = this.#options;
    refuseBlocked(one.place.entry, operation.op === 'delete' ? 'delete_document' : 'write');
    if (!needsPresence(one)) return write(operation, refresh);
    for (let left = TRIES; ; left--) {
      const [presence] = await presencesOf([one], this.#options);
      if (presence === undefined) throw new Error('the engine answered no document for one read');
      if (presence instanceof QuarryError) throw presence;
      const decision = decide(one, presence);
      if (decision.kind === 'refuse') throw decision.error;
      if (decision.kind === 'answer') return decision.result;
      const { conditions } = decision;
      if (conditions === undefined) return write(operation, refresh);
      const { retryOnConflict: _retries, ...rest } = operation;
      try {
        const result = await write({ ...rest, ...conditions }, refresh);
        return { ...result, op: operation.op };
      } catch (error) {
        if (!isConflict(error) || left === 0) throw error;
        // A document that is there is what a create conflicts with.
        if (operation.op === 'create' && presence.state === 'visible') throw error;
      }
    }
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof QuarryError && error.type === 'version_conflict_engine_exception';
}

/** Where a write to `name` goes, if that is an alias with a filter; undefined for every other name. */
export function filteredPlace(
  catalog: Catalog,
  name: string,
  routing: string | undefined,
): DocumentPlace | undefined {
  // Most names are those of indexes, which need no table of aliases.
  if (catalog.index(name) !== undefined || !catalog.isAlias(name)) return undefined;
  const place = catalog.writeTarget(name, routing);
  return place?.filter === undefined ? undefined : place;
}

/** `access`, where it sees of the index only what filters of aliases show. */
export function aloneOf(
  catalog: Catalog,
  { entry }: DocumentPlace,
  access: Access | undefined,
): Access | undefined {
  return catalog.filteredBy(entry, access) === undefined ? undefined : access;
}
