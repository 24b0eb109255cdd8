// The catalog as the next start reads it: the metadata of each index and the other lists, read from
// the data folder of a running service with the code of the start.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DamagedEntry, JsonObject } from '../../src/backend/index.ts';
import { parseExact, printExact } from '../../src/base/exact-json.ts';
import { templateFile } from '../../src/coordinator/admin/template-store.ts';
import { printAliasTable } from '../../src/coordinator/catalog/aliases.ts';
import { readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { printSettings } from '../../src/coordinator/catalog/settings.ts';
import { LocalSearchTemplates } from '../../src/coordinator/search/search-templates.ts';
import { EndpointRegistry } from '../../src/embed/registry.ts';
import { Repositories } from '../../src/snapshot/repositories.ts';

export interface StoredCatalog {
  /** By index name, as GET /_all/_settings and GET /_all/_alias print them. */
  readonly settings: JsonObject;
  readonly aliases: JsonObject;
  /** Entries that a start could not read. */
  readonly damaged: readonly DamagedEntry[];
}

/** Length of the checksum after the JSON, including its line feed. */
const CHECKSUM = 9;

function description(folder: string): string {
  const text = readFileSync(join(folder, 'META'), 'utf8');
  const { spec, number, uuid, mappings } = parseExact(text.slice(0, -CHECKSUM)) as JsonObject;
  return printExact({ ...(spec as JsonObject), number, uuid, mappings });
}

export async function storedCatalog(dataDir: string): Promise<StoredCatalog> {
  const settings: Record<string, JsonObject> = {};
  const aliases: Record<string, JsonObject> = {};
  const damaged: DamagedEntry[] = [];
  for (const folder of readdirSync(join(dataDir, 'indices'))) {
    const { entry, damage } = readIndex(description(join(dataDir, 'indices', folder)));
    const { name } = entry;
    if (damage !== undefined) damaged.push({ kind: 'index', name, reason: damage });
    settings[name] = { settings: printSettings(entry.settings, entry) };
    aliases[name] = { aliases: printAliasTable(entry.aliases) };
  }
  const lists = [
    templateFile(join(dataDir, 'templates.json')),
    new LocalSearchTemplates(join(dataDir, 'search-templates.json')),
    new EndpointRegistry(join(dataDir, 'inference.json')),
    new Repositories(join(dataDir, 'repositories.json')),
  ];
  for (const list of lists) {
    await list.load();
    damaged.push(...list.damaged());
  }
  return { settings, aliases, damaged };
}
