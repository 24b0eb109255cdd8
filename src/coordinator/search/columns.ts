// Values of fields without documents: one search whose sort keys are the columns that the caller
// gets, as the shards sent them. Readers of many small documents (links) need no object per hit.
import type {
  ColumnAt,
  ColumnsRequest,
  ColumnsResult,
  Json,
  JsonObject,
  MaybePromise,
  SearchRequest,
} from '../../backend/index.js';
import {
  awaitMaybe,
  finallyMaybe,
  runSyncFirst,
  type SyncFirstTask,
} from '../../base/maybe-promise.js';
import type { QueryEmbedder } from '../../embed/query-embedder.js';
import type { ClauseInputs } from '../../query/clause.js';
import { type Clause, encodeClause } from '../../query/clauses/index.js';
import { narrowed } from '../../query/narrowed.js';
import { QueryParser } from '../../query/parse.js';
import { parseSearchAfter, parseSort } from '../../query/sort.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import {
  EXACT_TOTAL,
  NO_TOTAL,
  type Opcodes,
  type PlanSortKey,
  writePlan,
} from '../../wire/plan-writer.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import type { Gate } from '../shards/gate.js';
import { mergeOrder, mergeRanked, type RankedList } from '../shards/merge.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';
import type { ShardClient } from '../shards/shard-client.js';
import { textVectors } from './query-texts.js';

export interface ColumnReaderOptions {
  readonly catalog: Catalog;
  readonly scopes: PoolScopes;
  readonly shardClient: ShardClient;
  readonly gate: Gate;
  readonly opcodes: Opcodes;
  /** Replaces clauses that other components resolve in the query of the body. */
  readonly resolve: (request: SearchRequest) => MaybePromise<SearchRequest>;
  readonly queryEmbedder: QueryEmbedder;
  readonly nowMs: () => number;
}

/** The queries of a request, parsed: the first selects the hits, the others score them. */
interface Queries {
  readonly clauses: readonly [Clause, ...Clause[]];
  readonly known: ClauseInputs | undefined;
}

export class ColumnReader {
  readonly #options: ColumnReaderOptions;

  constructor(options: ColumnReaderOptions) {
    this.#options = options;
  }

  async read(request: ColumnsRequest): Promise<ColumnsResult> {
    const { gate, scopes } = this.#options;
    return gate.pass(() => {
      const pool = scopes.open({ body: {}, waiter: undefined });
      return finallyMaybe(
        () => runSyncFirst(this.#read(request, pool)),
        () => pool.end(),
      );
    });
  }

  *#read(request: ColumnsRequest, pool: ScopedPool): SyncFirstTask<ColumnsResult> {
    const { catalog, shardClient } = this.#options;
    const { index } = request;
    const { entry, filter } = catalog.single(index);
    refuseBlocked(entry, 'read');
    const queries = yield* this.#queries(request, entry, filter);
    const sort = [...parseSort(request.columns), ...scoreKeys(queries)];
    const requested = [{ entries: [entry], plan: this.#plan(request, queries, sort) }];
    // The caller would take the values of some shards for all values.
    const whole = { index, body: {}, allowPartialResults: false, pool };
    const { hits } = yield* awaitMaybe(shardClient.ask(requested, whole));
    const total = hits.reduce((sum, shard) => sum + shard.total, 0);
    return { total, ...join(entry.name, hits, sort, request.size) };
  }

  /** `filter`: the filter of the alias that the request names. */
  *#queries(
    { index, access, query, scores = [] }: ColumnsRequest,
    entry: IndexEntry,
    filter: JsonObject | undefined,
  ): SyncFirstTask<Queries> {
    const { resolve, queryEmbedder } = this.#options;
    const resolved: Json[] = [];
    for (const one of [query, ...scores]) {
      const { body } = yield* awaitMaybe(resolve({ index, access, body: { query: one } }));
      resolved.push(body['query'] ?? one);
    }
    const parser = new QueryParser({ limits: entry.behaviour.limits });
    const shown = filter === undefined ? undefined : parser.clause(filter);
    const [first, ...others] = resolved.map((one) => parser.clause(one));
    if (first === undefined) throw new Error('a request for columns has no query');
    const semantic = parser.vectorClauses.filter((one) => one.kind === 'semantic');
    const texts = [{ entries: [entry], query: { semantic } }];
    const vectors = yield* textVectors(texts, queryEmbedder, undefined, () => {});
    return {
      clauses: [narrowed(first, shown), ...others],
      known: vectors.size === 0 ? undefined : { nearest: new Map(), vectors },
    };
  }

  #plan(
    { size, after, counted = true }: ColumnsRequest,
    { clauses: [clause], known }: Queries,
    sort: readonly PlanSortKey[],
  ): Uint8Array<ArrayBuffer> {
    const { opcodes, nowMs } = this.#options;
    return writePlan(
      {
        header: {
          flags: 0,
          trackTotalHits: counted ? EXACT_TOTAL : NO_TOTAL,
          nowMs: nowMs(),
          timeoutUs: 0,
          from: 0,
          size,
          window: size,
          terminateAfter: 0,
        },
        legs: [(writer) => encodeClause(clause, writer, known)],
        sort,
        searchAfter: after === undefined ? [] : parseSearchAfter(after, sort.length, 0),
        fetch: { source: false, flags: 0, docvalueFields: [], fields: [] },
      },
      opcodes,
    );
  }
}

function scoreKeys({ clauses: [, ...scores], known }: Queries): readonly PlanSortKey[] {
  return scores.map((clause) => ({
    field: '',
    order: 'desc',
    mode: 'default',
    missing: '_last',
    unmappedType: '',
    numericType: '',
    format: '',
    query: (writer) => encodeClause(clause, writer, known),
  }));
}

function join(
  indexName: string,
  shards: readonly ShardHits[],
  sort: readonly PlanSortKey[],
  size: number,
): Omit<ColumnsResult, 'total'> {
  const lists = shards.flatMap(({ legs: [hits] }): RankedList[] =>
    hits === undefined ? [] : [{ indexName, hits }],
  );
  const values = lists.map(({ hits }) => hits.sort.map((column) => column.reader()));
  const [only = []] = values;
  if (values.length <= 1) return { hits: lists[0]?.hits.hits ?? 0, columns: only };
  const page = mergeRanked(lists, mergeOrder(sort), 0, size);
  const columns = sort.map((_, key): ColumnAt => {
    return (at) => {
      const hit = page[at];
      return hit === undefined ? null : (values[hit.list]?.[key]?.(hit.hit) ?? null);
    };
  });
  return { hits: page.length, columns };
}
