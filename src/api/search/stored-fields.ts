// `stored_fields` of get, mget and searches. No field is stored apart from `_source`: values of
// fields that the mapping declares with `store: true` are read by a search for the document.
import type {
  FoundDocument,
  GetRequest,
  IndexDescription,
  IndexOptions,
  Json,
  JsonObject,
} from '../../backend/index.js';
import { wildcardMatch } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { mappedFields } from '../indices/index-mappings.js';
import type { ApiDeps } from '../kit/routes.js';
import type { RenderedDocument } from './reply.js';

export interface StoredFields {
  readonly names: readonly string[];
  /** Whether `_source` is among the names. */
  readonly source: boolean;
}

/** Undefined if `names` is undefined; then `_source` is shown, and no stored fields. */
export function readStoredFields(names: readonly string[] | undefined): StoredFields | undefined {
  if (names === undefined) return undefined;
  // Metadata fields are always shown.
  const fields = names.filter((name) => !name.startsWith('_'));
  return { names: fields, source: names.includes('_source') };
}

/**
 * Returns `found` with the values of those `names` that its index declares as stored. A real-time
 * get refreshes the index first.
 */
export async function withStoredFields(
  deps: ApiDeps,
  request: GetRequest,
  found: FoundDocument,
  names: readonly string[],
): Promise<RenderedDocument> {
  if (!found.found || names.length === 0) return found;
  const [index] = deps.backend.resolve(request.index, {});
  const stored = index === undefined ? [] : storedNames(index, names);
  if (stored.length === 0) return found;
  if (request.realtime !== false) await deps.backend.refresh(request.index, {});
  const { hits } = await deps.backend.search({
    index: request.index,
    body: { query: { ids: { values: [found.id] } }, fields: stored, _source: false, size: 1 },
  });
  const fields = hits[0]?.fields;
  return fields === undefined ? found : { ...found, fields };
}

/**
 * Returns the body with the fields that `stored_fields` names and a mapping stores added to
 * `fields`, also in its `inner_hits` and `top_hits`.
 */
export function bodyWithStored(
  { backend }: ApiDeps,
  index: string,
  options: IndexOptions,
  body: JsonObject,
): JsonObject {
  if (body['pit'] !== undefined) return body;
  let known: readonly string[] | undefined;
  const stored = (): readonly string[] => {
    known ??= backend
      .resolve(index, options)
      .flatMap(({ mappings }) => [...mappedFields(mappings, '')])
      .filter(([, field]) => field['store'] === true)
      .map(([name]) => name);
    return known;
  };
  return withAggsStored(withInnerStored(withRequested(body, stored), stored), stored, 0);
}

/** The same for the `inner_hits` of a collapse. */
function withInnerStored(body: JsonObject, stored: () => readonly string[]): JsonObject {
  const collapse = body['collapse'];
  const inner = isObject(collapse) ? collapse['inner_hits'] : undefined;
  if (inner === undefined) return body;
  const each = (one: Json): Json => (isObject(one) ? withRequested(one, stored) : one);
  const requested = Array.isArray(inner) ? (inner as readonly Json[]).map(each) : each(inner);
  return { ...body, collapse: { ...(collapse as JsonObject), inner_hits: requested } };
}

/** The same for one object that shows hits: a body, an `inner_hits` or a `top_hits`. */
function withRequested(shown: JsonObject, stored: () => readonly string[]): JsonObject {
  const { stored_fields: given, fields = [] } = shown;
  const patterns = (Array.isArray(given) ? (given as readonly Json[]) : [given]).filter(
    (name): name is string => typeof name === 'string' && !name.startsWith('_'),
  );
  if (patterns.length === 0 || !Array.isArray(fields)) return shown;
  const requested = stored().filter((name) => patterns.some(named(name)));
  if (requested.length === 0) return shown;
  return { ...shown, fields: [...(fields as readonly Json[]), ...new Set(requested)] };
}

const AGGS = ['aggs', 'aggregations'];
/** Deeper aggregations are rejected by the parser. */
const MAX_DEPTH = 50;

/** `holder` is a body or an aggregation. Returns the same object if there is nothing to add. */
function withAggsStored(
  holder: JsonObject,
  stored: () => readonly string[],
  depth: number,
): JsonObject {
  let made = holder;
  for (const key of AGGS) {
    const level = holder[key];
    if (!isObject(level) || depth > MAX_DEPTH) continue;
    const aggs = Object.entries(level);
    const requested = aggs.map(
      ([name, agg]) => [name, withHitsStored(agg, stored, depth)] as const,
    );
    const isSame = requested.every(([, agg], at) => agg === aggs[at]?.[1]);
    if (!isSame) made = { ...made, [key]: Object.fromEntries(requested) };
  }
  return made;
}

function withHitsStored(agg: Json, stored: () => readonly string[], depth: number): Json {
  if (!isObject(agg)) return agg;
  const below = withAggsStored(agg, stored, depth + 1);
  const hits = below['top_hits'];
  if (!isObject(hits)) return below;
  const requested = withRequested(hits, stored);
  return requested === hits ? below : { ...below, top_hits: requested };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function named(name: string): (pattern: string) => boolean {
  return (pattern) => wildcardMatch(pattern, name);
}

function storedNames(index: IndexDescription, names: readonly string[]): readonly string[] {
  const fields = new Map<string, JsonObject>(
    [...mappedFields(index.mappings, '')].map(([name, definition]) => [name, definition]),
  );
  const prefixes = [...fields.keys()];
  for (const name of names) {
    if (fields.has(name) || !prefixes.some((field) => field.startsWith(`${name}.`))) continue;
    throw new QuarryError('illegal_argument_exception', `field [${name}] isn't a leaf field`);
  }
  return names.filter((name) => fields.get(name)?.['store'] === true);
}
