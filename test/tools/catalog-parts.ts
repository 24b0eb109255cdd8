// Reads the catalog of a service, to compare it before and after a restart.
import type { JsonObject } from '../../src/backend/index.ts';
import { parseExact } from '../../src/base/exact-json.ts';

type Call = (
  method: string,
  path: string,
) => Promise<{ readonly status: number; readonly text: string }>;

const ALL = 'expand_wildcards=all';
export const SETTINGS = `/_all/_settings?${ALL}`;
export const ALIASES = `/_all/_alias?${ALL}`;
const PARTS = [
  SETTINGS,
  ALIASES,
  `/_all/_mapping?${ALL}`,
  '/_index_template',
  '/_component_template',
  '/_template',
  '/_inference',
  '/_snapshot',
];

export async function readCatalogPart(call: Call, path: string): Promise<JsonObject> {
  const { status, text } = await call('GET', path);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text.slice(0, 2000)}`);
  return parseExact(text) as JsonObject;
}

/** Responses by path. */
export async function readCatalog(call: Call): Promise<JsonObject> {
  const parts: Record<string, JsonObject> = {};
  for (const path of PARTS) parts[path] = await readCatalogPart(call, path);
  return parts;
}
