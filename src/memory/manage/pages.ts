// Pages over the memories of a namespace: filtered, sorted, and stable while others are stored,
// because a page begins after the values of the last memory of the page before.
import type { Backend, Json, JsonObject, SearchHit } from '../../backend/index.js';
import { parseExact } from '../../base/exact-json.js';
import { plainJson } from '../../base/json-text.js';
import { illegal } from '../../graph/names.js';
import { shown } from '../../graph/times.js';
import { readObject, readText, readWhole, refuseUnknown } from '../body-fields.js';
import { withMoments } from '../metadata-times.js';

export interface PageRequest {
  readonly filter: JsonObject | undefined;
  readonly sort: SortSpec;
  readonly size: number;
  /** Sort values of the last memory of the page before. */
  readonly after: readonly Json[] | undefined;
}

interface SortSpec {
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

const KEYS = ['filter', 'sort', 'size', 'after'];
const MAX_SIZE = 1000;
const DEFAULT_SIZE = 100;
const TIMES = ['stored_at', 'own_time', 'expires_at'];
const DEFAULT_SORT: SortSpec = { field: 'stored_at', order: 'desc' };

/** Undefined: the body requests nothing, so that the list is not paged. */
export function readPageBody(body: JsonObject): PageRequest | undefined {
  refuseUnknown(body, KEYS, 'a list');
  if (Object.keys(body).length === 0) return undefined;
  const sort = readSort(readText(body, 'sort'));
  const after = readText(body, 'after');
  return {
    filter: readObject(body, 'filter'),
    sort,
    size: readWhole(body, 'size', 1, MAX_SIZE) ?? DEFAULT_SIZE,
    after: after === undefined ? undefined : readAfter(after, sort),
  };
}

function readSort(text: string | undefined): SortSpec {
  if (text === undefined) return DEFAULT_SORT;
  const match = /^(.+?)(?::(asc|desc))?$/s.exec(text);
  const field = match?.[1] ?? '';
  const isKnown = field === 'id' || TIMES.includes(field) || /^metadata\../s.test(field);
  if (!isKnown) {
    throw illegal(
      `[sort] must be one of [id, ${TIMES.join(', ')}, metadata.NAME], with [:asc] or [:desc], got ${shown(text)}`,
    );
  }
  return { field, order: match?.[2] === 'desc' ? 'desc' : 'asc' };
}

function readAfter(text: string, sort: SortSpec): readonly Json[] {
  const values = decoded(text);
  const [given, ...rest] = values ?? [];
  const width = sort.field === 'id' ? 1 : 2;
  const isPlain = rest.every((value) => value === null || typeof value !== 'object');
  const isId = typeof rest.at(-1) === 'string';
  if (given === `${sort.field}:${sort.order}` && rest.length === width && isPlain && isId) {
    return rest;
  }
  throw illegal(
    `[after] must be [next] of the page before, in a list with the same [sort], got ${shown(text)}`,
  );
}

function decoded(text: string): readonly Json[] | undefined {
  try {
    // Exact, because a memory without the time has the largest long integer as its sort value.
    const value = parseExact(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? (value as readonly Json[]) : undefined;
  } catch {
    return undefined;
  }
}

/** The members of a search for the page. */
export function pageBody({ sort, size, after }: PageRequest): JsonObject {
  const { field, order } = sort;
  const first = { order, missing: '_last', unmapped_type: 'keyword' };
  const sorts = field === 'id' ? [{ _id: order }] : [{ [field]: first }, { _id: 'asc' }];
  return { sort: sorts, size, ...(after === undefined ? {} : { search_after: after }) };
}

/** The filter with its times compared as instants. */
export function filterOf(
  backend: Backend,
  index: string,
  filter: JsonObject | undefined,
): readonly JsonObject[] {
  const [description] = filter === undefined ? [] : backend.resolve(index, {});
  if (filter === undefined) return [];
  return [description === undefined ? filter : withMoments(filter, description.mappings)];
}

/** Undefined: this was the last page. */
export function nextOf(
  { sort, size }: PageRequest,
  hits: readonly SearchHit[],
): string | undefined {
  const values = hits.at(-1)?.sort;
  if (values === undefined || hits.length < size) return undefined;
  const texts = [plainJson(`${sort.field}:${sort.order}`), ...values];
  return Buffer.from(`[${texts.join(',')}]`).toString('base64url');
}
