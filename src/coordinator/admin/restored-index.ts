// The spec of an index that is created from a copy: the copied one under its new name, with the
// settings and aliases that the restore requests.
import type { IndexRestore, JsonObject } from '../../backend/index.js';
import { patternMatcher } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { type AliasTable, printAliasTable, readAliasTable } from '../catalog/aliases.js';
import type { IndexEntry } from '../catalog/catalog.js';
import { checkAliasName } from '../catalog/index-names.js';
import { createSettings, nest, readSettings, type Settings } from '../catalog/settings.js';
import { settingRow } from '../catalog/settings-table.js';

export interface RestoredIndex {
  readonly aliases: AliasTable;
  readonly shards: number;
  /** The argument of Engine::create_index. */
  readonly spec: JsonObject;
}

/**
 * Throws illegal_argument_exception for settings that are unknown or malformed,
 * snapshot_restore_exception for fixed ones.
 */
export function restoredIndex(restore: IndexRestore): RestoredIndex {
  const { name, description } = restore;
  const settings = restoredSettings(restore);
  const aliases = restoredAliases(restore);
  const shards = Number(description['number_of_shards']);
  const spec = {
    ...description,
    name,
    state: 'open',
    settings: nest(settings),
    aliases: printAliasTable(aliases),
  };
  return { aliases, shards, spec };
}

function restoredSettings({ description, settings, ignoredSettings }: IndexRestore): Settings {
  const kept = new Map(readSettings((description['settings'] ?? {}) as JsonObject));
  for (const pattern of ignoredSettings) {
    const matches = patternMatcher(pattern.startsWith('index.') ? pattern : `index.${pattern}`);
    // Elasticsearch also reports this setting, whether a pattern or its name was given.
    if (matches('index.number_of_shards')) throw fixed('remove', 'index.number_of_shards');
    for (const key of [...kept.keys()]) {
      if (!matches(key)) continue;
      if (!isChangeable(key)) throw fixed('remove', key);
      kept.delete(key);
    }
  }
  for (const [key, value] of createSettings(settings)) {
    if (!isChangeable(key)) throw fixed('modify', key);
    kept.set(key, value);
  }
  return kept;
}

/** Settings that determine the content of the copied files cannot change. */
function isChangeable(key: string): boolean {
  return settingRow(key)?.scope === 'dynamic';
}

function fixed(what: 'modify' | 'remove', key: string): QuarryError {
  return new QuarryError(
    'snapshot_restore_exception',
    `cannot ${what} setting [${key}] on restore`,
    { status: 400 },
  );
}

function restoredAliases({ description, renameAlias }: IndexRestore): AliasTable {
  if (renameAlias === null) return new Map();
  const table = readAliasTable((description['aliases'] ?? {}) as JsonObject);
  const renamed = new Map(
    [...table].map(([alias, properties]) => [renameAlias(alias), properties]),
  );
  for (const alias of renamed.keys()) checkAliasName(alias);
  return renamed;
}

/**
 * Throws unless the index can be replaced by a restored one: it must be closed and have the same
 * number of shards.
 */
export function checkReplaceable(present: IndexEntry, copied: string, shards: number): void {
  const { name } = present;
  if (present.state === 'open') {
    throw new QuarryError(
      'snapshot_restore_exception',
      `cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or ` +
        'delete the existing index or restore the index under a different name by providing a rename pattern and replacement name',
      { status: 400 },
    );
  }
  if (present.shards === shards) return;
  throw new QuarryError(
    'snapshot_restore_exception',
    `cannot restore index [${name}] with [${present.shards}] shards from a snapshot of index [${copied}] with [${shards}] shards`,
    { status: 400 },
  );
}
