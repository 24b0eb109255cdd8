// `stored_fields` of get, mget and searches. Nothing is stored apart from `_source`: what a mapping calls `store: true` is read
// by a search for that one document.
import type {
  FoundDocument,
  GetRequest,
  IndexDescription,
  IndexOptions,
  Json,
  JsonObject,
} from '../backend.js';
import { QuarryError } from '../errors.js';
import { wildcardMatch } from '../wildcard.js';
import { mappedFields } from './index-mappings.js';
import type { ShownDocument } from './reply.js';
import type { ApiDeps } from './routes.js';

export interface StoredFields {
  readonly names: readonly string[];
  /** `_source` is one of the names. */
  readonly source: boolean;
}

/** Undefined stays undefined: `_source` is shown and nothing else. */
export function readStoredFields(names: readonly string[] | undefined): StoredFields | undefined {
  if (names === undefined) return undefined;
  // Metadata is shown without being asked for.
  const fields = names.filter((name) => !name.startsWith('_'));
  return { names: fields, source: names.includes('_source') };
}

/** `found` with the values of those `names` that its index stores. A real-time get first publishes what is unpublished. */
export async function withStoredFields(
  deps: ApiDeps,
  request: GetRequest,
  found: FoundDocument,
  names: readonly string[],
): Promise<ShownDocument> {
  if (!found.found || names.length === 0) return found;
  const [index] = deps.backend.resolve(found.index, {});
  const stored = index === undefined ? [] : storedNames(index, names);
  if (stored.length === 0) return found;
  if (request.realtime !== false) await deps.backend.refresh(found.index, {});
  const { hits } = await deps.backend.search({
    index: found.index,
    body: { query: { ids: { values: [found.id] } }, fields: stored, _source: false, size: 1 },
  });
  const fields = hits[0]?.fields;
  return fields === undefined ? found : { ...found, fields };
}

/** The same search; fields that `stored_fields` names and a mapping stores are asked for in `fields`. */
export function withStoredAsked(
  { backend }: ApiDeps,
  index: string,
  options: IndexOptions,
  body: JsonObject,
): JsonObject {
  const { stored_fields: given, fields = [], pit } = body;
  const patterns = (Array.isArray(given) ? (given as readonly Json[]) : [given]).filter(
    (name): name is string => typeof name === 'string' && !name.startsWith('_'),
  );
  if (patterns.length === 0 || pit !== undefined || !Array.isArray(fields)) return body;
  const stored = backend
    .resolve(index, options)
    .flatMap(({ mappings }) => [...mappedFields(mappings, '')])
    .filter(([name, field]) => field['store'] === true && patterns.some(named(name)))
    .map(([name]) => name);
  return stored.length === 0
    ? body
    : { ...body, fields: [...(fields as readonly Json[]), ...new Set(stored)] };
}

function named(name: string): (pattern: string) => boolean {
  return (pattern) => wildcardMatch(pattern, name);
}

function storedNames(index: IndexDescription, names: readonly string[]): readonly string[] {
  const fields = new Map<string, JsonObject>(mappedFields(index.mappings, ''));
  const prefixes = [...fields.keys()];
  for (const name of names) {
    if (fields.has(name) || !prefixes.some((field) => field.startsWith(`${name}.`))) continue;
    throw new QuarryError('illegal_argument_exception', `field [${name}] isn't a leaf field`);
  }
  return names.filter((name) => fields.get(name)?.['store'] === true);
}
