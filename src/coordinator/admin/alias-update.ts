// Checks an `_aliases` request against the catalog: what the client is allowed to change, and which
// changes the indexes allow.
import type { AliasAction, IndexOptions, JsonObject } from '../../backend/index.js';
import { type AliasChanges, planAliasActions } from '../catalog/aliases.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog } from '../catalog/catalog.js';
import { isObject } from './index-sections.js';

/** Throws before anything is changed. */
export function planUpdate(
  actions: readonly AliasAction[],
  catalog: Catalog,
  checkFilter: (filter: JsonObject) => void,
  access: IndexOptions['access'],
): AliasChanges {
  for (const action of actions) {
    if (!('add' in action)) continue;
    const { alias, properties } = action.add;
    if (access?.allows(alias) === false) throw access.refusal(alias);
    const filter = properties['filter'];
    if (isObject(filter) && Object.keys(filter).length > 0) checkFilter(filter);
  }
  const plan = planAliasActions(actions, {
    resolve: (expression) =>
      catalog
        .resolve(expression, { expandWildcards: ['open', 'closed'], ignoreAliases: true, access })
        .map(({ index }) => index.name),
    allows: (alias) => access?.allows(alias) ?? true,
    tables: () => catalog.aliasTables(),
  });
  for (const name of plan.removedIndexes) refuse(catalog, name, 'delete_index');
  for (const name of plan.tables.keys()) refuse(catalog, name, 'change_index');
  return plan;
}

function refuse(catalog: Catalog, name: string, access: 'delete_index' | 'change_index'): void {
  const entry = catalog.index(name);
  if (entry !== undefined) refuseBlocked(entry, access);
}
