// Values of fields without documents, read page by page from a point in time where there are more
// than a page.
import type {
  ColumnAt,
  ColumnsRequest,
  ColumnsResult,
  ColumnValue,
  Json,
  JsonObject,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../base/cooperative-task.js';
import { parseExact } from '../base/exact-json.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import { ID_FIELD } from './cluster-mappings.js';
import { isObject } from './errors.js';

export interface ColumnsOptions {
  readonly names: ClusterCatalog;
  readonly search: (request: SearchRequest) => Promise<SearchResult>;
  readonly open: (index: string) => Promise<string>;
  readonly searchOpen: (request: SearchRequest) => Promise<SearchResult>;
  readonly close: (id: string) => Promise<void>;
}

/** The engine's limit for a page. */
const PAGE = 10_000;
const KEEP_ALIVE = '1m';
/** Keys that are no fields. */
const NO_FIELDS: ReadonlySet<string> = new Set(['_doc', '_id', '_seq_no', '_score', '_shard_doc']);

interface Key {
  readonly name: string;
  readonly sort: Json;
}

export class ClusterColumns {
  readonly #options: ColumnsOptions;

  constructor(options: ColumnsOptions) {
    this.#options = options;
  }

  async read(request: ColumnsRequest): Promise<ColumnsResult> {
    const { index, size, after, scores = [] } = request;
    const keys = request.columns.map(readKey);
    const { entry } = this.#options.names.catalog.single(index);
    const { mappings, hasId } = this.#options.names.of(entry.number);
    const fields = keys.filter(({ name }) => !NO_FIELDS.has(name));
    const body = {
      query: scoredQuery(request),
      ...(scores.length === 0 ? {} : { include_named_queries_score: true }),
      sort: keys.map(({ name, sort }) => (name !== '_id' ? sort : hasId ? ID_FIELD : '_doc')),
      _source: false,
      ...(fields.length === 0
        ? {}
        : { docvalue_fields: fields.map(({ name }) => shownAs(name, mappings)) }),
    };
    const found =
      size <= PAGE ? await this.#page(request, body, after) : await this.#all(request, body);
    const isById = !hasId && keys[0]?.name === '_id';
    const hits = isById ? [...found.hits].sort((a, b) => (a.id < b.id ? -1 : 1)) : found.hits;
    const rows = await runCooperatively(rowsOf(hits, keys, scores.length));
    return {
      total: found.total?.value ?? found.hits.length,
      hits: rows.length,
      columns: [...keys, ...scores].map(
        (_, key): ColumnAt =>
          (hit) =>
            rows[hit]?.[key] ?? null,
      ),
    };
  }

  #page(
    { index, size, counted = true }: ColumnsRequest,
    body: JsonObject,
    after: readonly Json[] | undefined,
  ): Promise<SearchResult> {
    const from = after === undefined ? {} : { search_after: after };
    return this.#options.search({
      index,
      body: { ...body, ...from, size, track_total_hits: counted },
    });
  }

  /** Every hit up to `size`. */
  async #all({ index, size }: ColumnsRequest, body: JsonObject): Promise<SearchResult> {
    const { open, close, searchOpen } = this.#options;
    const id = await open(index);
    const hits: SearchHit[] = [];
    let first: SearchResult | undefined;
    let after: readonly Json[] | undefined;
    try {
      while (hits.length < size) {
        const wanted = Math.min(PAGE, size - hits.length);
        const page = await searchOpen({
          index,
          body: {
            ...body,
            pit: { id, keep_alive: KEEP_ALIVE },
            size: wanted,
            track_total_hits: first === undefined,
            ...(after === undefined ? {} : { search_after: after }),
          },
        });
        first ??= page;
        hits.push(...page.hits);
        if (page.hits.length < wanted) break;
        after = page.hits.at(-1)?.sort?.map((value) => parseExact(value));
      }
    } finally {
      await close(id).catch(() => {});
    }
    if (first === undefined) throw new Error('a point in time was not searched');
    return { ...first, hits };
  }
}

/** Queries that score have a name each, under which hits return their scores. */
function scoredQuery({ query, scores = [] }: ColumnsRequest): JsonObject {
  if (scores.length === 0) return query;
  const should = scores.map((one, at) => ({ bool: { should: [one], _name: scoreName(at) } }));
  return { bool: { filter: [query], should } };
}

function scoreName(at: number): string {
  return `score${at}`;
}

function readKey(value: Json): Key {
  if (typeof value === 'string') return { name: value, sort: value };
  const [entry] = isObject(value) ? Object.entries(value) : [];
  return { name: entry?.[0] ?? '', sort: value };
}

/** A date in milliseconds, as sort values are. */
function shownAs(field: string, mappings: JsonObject): Json {
  return typeAt(mappings, field.split('.')) === 'date'
    ? { field, format: 'epoch_millis' }
    : { field };
}

function typeAt(mappings: JsonObject, path: readonly string[]): Json | undefined {
  let node: Json | undefined = mappings;
  for (const name of path) {
    const fields: Json | undefined = isObject(node) ? node['properties'] : undefined;
    node = isObject(fields) ? fields[name] : undefined;
  }
  return isObject(node) ? node['type'] : undefined;
}

function* rowsOf(
  hits: readonly SearchHit[],
  keys: readonly Key[],
  scores: number,
): CooperativeTask<readonly (readonly ColumnValue[])[]> {
  const rows: (readonly ColumnValue[])[] = [];
  const names = Array.from({ length: scores }, (_, at) => scoreName(at));
  for (const hit of hits) {
    const fields = hit.fields === undefined ? {} : (JSON.parse(hit.fields) as JsonObject);
    const matched = scores === 0 ? {} : (JSON.parse(hit.matchedQueries ?? '{}') as JsonObject);
    const values = keys.map(({ name }, at) => columnValue(hit, name, at, fields));
    rows.push([...values, ...names.map((name) => (matched[name] ?? null) as ColumnValue)]);
    if (rows.length % YIELD === 0) yield;
  }
  return rows;
}

const YIELD = 1000;

function columnValue(hit: SearchHit, name: string, at: number, fields: JsonObject): ColumnValue {
  if (name === '_id') return hit.id;
  if (NO_FIELDS.has(name)) return Number(hit.sort?.[at] ?? 0);
  const [value] = (fields[name] ?? []) as readonly Json[];
  if (value === undefined) return null;
  // Dates are printed as text.
  if (typeof value === 'string' && isDateColumn(hit, at)) return Number(value);
  return value as ColumnValue;
}

function isDateColumn(hit: SearchHit, at: number): boolean {
  const sorted = hit.sort?.[at];
  return sorted !== undefined && !sorted.startsWith('"');
}
