// `_field_caps`: the types and capabilities of the fields of some indexes.
import type { IndexDescription, Json, JsonObject } from '../../backend/index.js';
import { YieldPoints } from '../../base/cooperative-task.js';
import { QuarryError } from '../../errors.js';
import { capableFields, fieldMatcher, type MappedField } from '../indices/mapped-fields.js';
import { INDEX_OPTIONS, indexOptions, splitList } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { SEARCH } from '../schemas/search.js';

const BODY_KEYS = ['fields', 'index_filter', 'runtime_mappings'];
/** Number of concurrent searches for values of fields. */
const FIELDS_AT_ONCE = 4;
const FILTERS = ['metadata', 'parent', 'nested', 'multifield'];

export function fieldCapsRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SEARCH.fieldCaps,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_field_caps', '/:index/_field_caps'],
      params: [
        ...INDEX_OPTIONS,
        'fields',
        'include_unmapped',
        'include_empty_fields',
        'filters',
        'types',
      ],
      handler: (request) => fieldCaps(deps, request),
    },
  ];
}

/** An index and the requested fields of it. */
interface IndexFields {
  readonly index: string;
  readonly fields: ReadonlyMap<string, MappedField>;
}

async function fieldCaps(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await readBody(request);
  const wanted = wantedFields(request, body);
  const keeps = filterOf(request);
  const indexes = await matching(deps, request, openIndexes(deps, request), body['index_filter']);
  const onlyFilled = request.params.flag('include_empty_fields') === false;
  const mapped: IndexFields[] = [];
  const pauses = new YieldPoints();
  for (const { name, mappings } of indexes) {
    const chosen = withParents([...capableFields(mappings)], wanted, keeps);
    const shown = onlyFilled ? await withValues(deps, request, name, chosen) : chosen;
    mapped.push({ index: name, fields: new Map(shown) });
    await pauses.due();
  }
  const unmapped = request.params.flag('include_unmapped') === true;
  const paths = [...new Set(mapped.flatMap(({ fields }) => [...fields.keys()]))].sort();
  const fields: [string, JsonObject][] = [];
  for (const path of paths) {
    fields.push([path, capsOf(path, mapped, unmapped)]);
    await pauses.due();
  }
  return ok({ indices: indexes.map(({ name }) => name), fields: Object.fromEntries(fields) });
}

/**
 * Metadata fields for which no search is needed, since either every document has a value or none
 * has.
 */
const ALWAYS_FILLED = ['_id', '_index', '_seq_no', '_source', '_version'];

/** Fields with a value in at least one document, and the objects that contain them. */
async function withValues(
  deps: ApiDeps,
  request: ApiRequest,
  index: string,
  fields: readonly (readonly [string, MappedField])[],
): Promise<readonly (readonly [string, MappedField])[]> {
  const filled = new Set<string>(ALWAYS_FILLED);
  const left = fields.filter(([path, { parent }]) => !parent && !filled.has(path)).values();
  const lane = async (): Promise<void> => {
    for (const [path] of left) {
      const body = { query: { exists: { field: path } }, terminate_after: 1 };
      if ((await countOf(deps, request, index, body)) > 0) filled.add(path);
    }
  };
  await Promise.all(Array.from({ length: FIELDS_AT_ONCE }, lane));
  const around = parentsOf(filled);
  return fields.filter(([path, { parent }]) => (parent ? around : filled).has(path));
}

/** The requested fields and the objects that contain them, whatever the type of these. */
function withParents(
  all: readonly (readonly [string, MappedField])[],
  wanted: (path: string) => boolean,
  { keeps, parents }: Filter,
): readonly (readonly [string, MappedField])[] {
  const paths = all.filter(([path, one]) => wanted(path) && keeps(one)).map(([path]) => path);
  const chosen = new Set(paths);
  const around = parents ? parentsOf(paths) : new Set();
  return all.filter(([path, one]) => chosen.has(path) || (one.parent && around.has(path)));
}

/** All objects that contain the fields: `a` and `a.b` for `a.b.c`. */
function parentsOf(paths: Iterable<string>): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const parent = path.slice(0, dot);
      // Its own parents were added before.
      if (parents.has(parent)) break;
      parents.add(parent);
    }
  }
  return parents;
}

async function readBody(request: ApiRequest): Promise<JsonObject> {
  const body = await optionalBody(request);
  for (const key of Object.keys(body)) {
    if (BODY_KEYS.includes(key)) continue;
    throw new QuarryError(
      'x_content_parse_exception',
      `[field_caps_request] unknown field [${key}], known are [${BODY_KEYS.join(', ')}]`,
    );
  }
  const runtime = body['runtime_mappings'];
  if (runtime !== undefined && Object.keys(runtime ?? {}).length > 0) {
    throw illegal('[runtime_mappings] are not supported, map the fields and reindex');
  }
  return body;
}

function wantedFields(request: ApiRequest, body: JsonObject): (path: string) => boolean {
  const inUrl = request.params.list('fields');
  const inBody = body['fields'];
  const texts = typeof inBody === 'string' ? splitList(inBody) : inBody;
  if (texts !== undefined && !isTexts(texts)) {
    throw new QuarryError(
      'x_content_parse_exception',
      '[field_caps_request] [fields] must be a list of names or patterns',
    );
  }
  if (inUrl !== undefined && texts !== undefined) {
    throw illegal(
      "can't specify a request body and [fields] request parameter, either specify a request body or the [fields] request parameter",
    );
  }
  const patterns = inUrl ?? texts ?? [];
  if (patterns.length === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: no fields specified;',
    );
  }
  return fieldMatcher(patterns);
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

interface Filter {
  readonly keeps: (field: MappedField) => boolean;
  /** Whether objects are listed together with their fields. */
  readonly parents: boolean;
}

/** Reads `filters` (`+metadata`, `-parent` …) and `types`. */
function filterOf(request: ApiRequest): Filter {
  const types = request.params.list('types');
  const filters = request.params.list('filters') ?? [];
  for (const filter of filters) {
    // A plus sign in a URL is decoded as a blank, which the list reader trims.
    const name = filter.replace(/^[+-]/, '');
    const known = FILTERS.includes(name) && (name === 'metadata' || filter.startsWith('-'));
    if (!known) {
      throw illegal(
        `[filters]: unknown filter [${filter}], use +metadata, -metadata, -parent, -nested or -multifield`,
      );
    }
  }
  const onlyMetadata = filters.includes('metadata') || filters.includes('+metadata');
  const parents = !filters.includes('-parent');
  const keeps = (field: MappedField): boolean =>
    (types === undefined || types.includes(field.type)) &&
    !(onlyMetadata && !field.metadata) &&
    !(filters.includes('-metadata') && field.metadata) &&
    !(!parents && field.parent) &&
    !(filters.includes('-nested') && field.nested) &&
    !(filters.includes('-multifield') && field.multiField);
  return { keeps, parents };
}

function openIndexes(deps: ApiDeps, request: ApiRequest): readonly IndexDescription[] {
  const ignore = indexOptions(request.params).ignoreUnavailable === true;
  return resolveIndices(deps, request).filter((index) => {
    if (index.state === 'open') return true;
    if (ignore) return false;
    throw new QuarryError('index_closed_exception', 'closed', {
      extra: { index_uuid: index.uuid, index: index.name },
    });
  });
}

/** The indexes in which at least one document matches the filter. */
async function matching(
  deps: ApiDeps,
  request: ApiRequest,
  indexes: readonly IndexDescription[],
  filter: Json | undefined,
): Promise<readonly IndexDescription[]> {
  if (filter === undefined) return indexes;
  const counts = await Promise.all(
    indexes.map(({ name }) => countOf(deps, request, name, { query: filter, terminate_after: 1 })),
  );
  return indexes.filter((_, i) => (counts[i] ?? 0) > 0);
}

/**
 * Count of one of the requested indexes, seen through the names of the request (so that filters of
 * aliases apply).
 */
async function countOf(
  { backend }: ApiDeps,
  request: ApiRequest,
  index: string,
  body: JsonObject,
): Promise<number> {
  const named = { index: part(request, 'index'), ...indexOptions(request.params) };
  return (await backend.count({ ...named, only: [index], body })).count;
}

/** Capabilities of a field by type; if the indexes differ, each type lists its indexes. */
function capsOf(path: string, mapped: readonly IndexFields[], unmapped: boolean): JsonObject {
  const byType = new Map<string, { readonly index: string; readonly field: MappedField }[]>();
  for (const { index, fields } of mapped) {
    const field = fields.get(path);
    if (field === undefined) continue;
    const list = byType.get(field.type);
    if (list === undefined) byType.set(field.type, [{ index, field }]);
    else list.push({ index, field });
  }
  const without = mapped.filter(({ fields }) => !fields.has(path)).map(({ index }) => index);
  const isConflict = byType.size > 1 || (unmapped && without.length > 0);
  const shown: Record<string, Json> = {};
  for (const type of [...byType.keys()].sort()) {
    shown[type] = capsOfType(type, byType.get(type) ?? [], isConflict);
  }
  if (unmapped && without.length > 0) {
    shown['unmapped'] = {
      type: 'unmapped',
      metadata_field: false,
      searchable: false,
      aggregatable: false,
      indices: without,
    };
  }
  return shown;
}

function capsOfType(
  type: string,
  members: readonly { readonly index: string; readonly field: MappedField }[],
  isConflict: boolean,
): JsonObject {
  const lacking = (what: 'searchable' | 'aggregatable'): readonly string[] =>
    members.filter(({ field }) => !field[what]).map(({ index }) => index);
  const searchless = lacking('searchable');
  const columnless = lacking('aggregatable');
  const some = (names: readonly string[]): boolean =>
    names.length > 0 && names.length < members.length;
  return {
    type,
    metadata_field: members[0]?.field.metadata ?? false,
    searchable: searchless.length === 0,
    aggregatable: columnless.length === 0,
    ...(isConflict ? { indices: members.map(({ index }) => index) } : {}),
    ...(some(searchless) ? { non_searchable_indices: searchless } : {}),
    ...(some(columnless) ? { non_aggregatable_indices: columnless } : {}),
    ...metaOf(members.map(({ field }) => field)),
  };
}

/** For each key of `meta`, all values of all indexes. */
function metaOf(fields: readonly MappedField[]): { readonly meta?: JsonObject } {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of fields.flatMap(({ meta }) => Object.entries(meta ?? {}))) {
    values.set(name, (values.get(name) ?? new Set()).add(String(value)));
  }
  if (values.size === 0) return {};
  const meta = [...values].map(([name, all]) => [name, [...all].sort()] as const);
  return { meta: Object.fromEntries(meta.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
