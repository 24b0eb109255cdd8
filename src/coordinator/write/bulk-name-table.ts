// The index names of a bulk body: resolved to index numbers for the engine, or to the error that
// each of their items gets.
import type { Access } from '../../backend/index.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import type { BulkName } from '../../wire/ops-writer.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, DocumentPlace, IndexEntry } from '../catalog/catalog.js';

export class NameTable {
  readonly #catalog: Catalog;
  readonly #requireAlias: boolean;
  readonly #access: Access | undefined;
  readonly #takesFiltered: boolean;
  #namesFiltered = false;
  readonly #targets = new Map<string, DocumentPlace>();
  readonly #refusals = new Map<string, QuarryError>();
  /** By number, at the time of the request: an index may be dropped before the reply is read. */
  readonly #entries = new Map<number, IndexEntry>();

  /**
   * `access`: of the client; absent: everything. `takesFiltered`: the visibility through aliases
   * with filters was checked before; otherwise their names get no row.
   */
  constructor(catalog: Catalog, requireAlias: boolean, access?: Access, takesFiltered = false) {
    this.#access = access;
    this.#takesFiltered = takesFiltered;
    this.#catalog = catalog;
    this.#requireAlias = requireAlias;
  }

  /** Adds the names that exist and ignores the others; the names need not occur in the body. */
  offer(names: readonly string[]): void {
    for (const name of names) this.#find(name);
  }

  /**
   * Ensures that `name` has a row: its index, created with `create` if that is given, or an error.
   */
  async require(
    name: string,
    create: ((name: string) => Promise<void>) | undefined,
  ): Promise<void> {
    const found = this.#find(name);
    if (found === 'filtered') this.#namesFiltered = true;
    if (found !== 'missing') return;
    try {
      if (create === undefined) throw indexNotFound(name);
      await create(name);
      if (this.#find(name) === 'missing') throw indexNotFound(name);
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      this.#refusals.set(name, error);
    }
  }

  rows(refusedType: number): readonly BulkName[] {
    const found = [...this.#targets].map(([name, { entry, routing }]) => ({
      name,
      index: entry.number,
      ...(routing === undefined ? {} : { routing }),
    }));
    const refused = [...this.#refusals].map(([name, error]) => ({
      name,
      errorType: refusedType,
      reason: error.message,
    }));
    return [...found, ...refused];
  }

  /** True if the body contains the name of an alias with a filter, which has no row. */
  get namesFiltered(): boolean {
    return this.#namesFiltered;
  }
  known(): Iterable<string> {
    return this.#targets.keys();
  }
  /** Names with the index that each writes to. */
  *targets(): Iterable<readonly [string, IndexEntry]> {
    for (const [name, { entry }] of this.#targets) yield [name, entry];
  }
  entries(): ReadonlyMap<number, IndexEntry> {
    return this.#entries;
  }
  refusal(name: string): QuarryError | undefined {
    return this.#refusals.get(name);
  }

  /** Looks the name up again; an error counts as found. */
  #find(name: string): 'found' | 'missing' | 'filtered' {
    this.#targets.delete(name);
    this.#refusals.delete(name);
    try {
      if (this.#access?.allows(name) === false) throw this.#access.refusal(name);
      if (this.#requireAlias) requireAlias(this.#catalog, name);
      const target = this.#catalog.writeTarget(name);
      if (target === undefined) return 'missing';
      refuseBlocked(target.entry, 'write');
      if (target.filter !== undefined && !this.#takesFiltered) return 'filtered';
      this.#targets.set(name, target);
      this.#entries.set(target.entry.number, target.entry);
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      this.#refusals.set(name, error);
    }
    return 'found';
  }
}

/** Throws index_not_found_exception unless `name` is an alias. */
export function requireAlias(catalog: Catalog, name: string): void {
  if (catalog.isAlias(name)) return;
  throw new QuarryError(
    'index_not_found_exception',
    `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    { extra: { index_uuid: '_na_', index: name } },
  );
}
