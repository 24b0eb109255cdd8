// Plans the aliases of the two indexes of a rollover.
import type { Rollover } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { AliasProperties, AliasTable } from '../catalog/aliases.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';

export interface RolloverPlan {
  readonly old: IndexEntry;
  readonly oldAliases: AliasTable;
  /** The properties of the alias on the new index. */
  readonly properties: AliasProperties;
}

/** A declared write index keeps the alias for searches; an implied one loses it. */
export function planRollover({ alias, from }: Rollover, catalog: Catalog): RolloverPlan {
  const old = catalog.writeIndex(alias);
  const before = old?.aliases.get(alias);
  if (old === undefined || before === undefined || old.name !== from) {
    const now = old === undefined ? 'none' : `[${old.name}]`;
    throw new QuarryError(
      'illegal_argument_exception',
      `the write index of rollover target [${alias}] was [${from}] and is ${now} by now, send the request again`,
    );
  }
  const { is_write_index: declared, ...properties } = before;
  const oldAliases = new Map(old.aliases);
  if (declared !== true) {
    oldAliases.delete(alias);
    return { old, oldAliases, properties };
  }
  oldAliases.set(alias, { ...properties, is_write_index: false });
  return { old, oldAliases, properties: { ...properties, is_write_index: true } };
}
