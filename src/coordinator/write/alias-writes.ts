// Writes single documents through aliases with a filter: the visibility of the document decides,
// and the write is conditional on the version that was checked. It costs a read, and a search if
// the document exists; for other names it costs one lookup.
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
  /** Writes without regard to the filters of aliases. */
  readonly write: (operation: WriteOperation, refresh: Refresh) => Promise<WriteResult>;
}

/** Attempts at a document that concurrent writers change. */
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
        // The document exists, so that the conflict is the result of the create.
        if (operation.op === 'create' && presence.state === 'visible') throw error;
      }
    }
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof QuarryError && error.type === 'version_conflict_engine_exception';
}

/**
 * The target of a write to `name` if that is an alias with a filter; undefined for any other name.
 */
export function filteredPlace(
  catalog: Catalog,
  name: string,
  routing: string | undefined,
): DocumentPlace | undefined {
  // Most names are indexes, for which the table of aliases is not needed.
  if (catalog.index(name) !== undefined || !catalog.isAlias(name)) return undefined;
  const place = catalog.writeTarget(name, routing);
  return place?.filter === undefined ? undefined : place;
}

/** `access` if it sees the index only through filters of aliases, else undefined. */
export function aloneOf(
  catalog: Catalog,
  { entry }: DocumentPlace,
  access: Access | undefined,
): Access | undefined {
  return catalog.filteredBy(entry, access) === undefined ? undefined : access;
}
