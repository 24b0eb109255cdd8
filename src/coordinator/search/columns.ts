// Values of fields without documents: one search whose sort keys are the columns that the caller
// gets, as the shards sent them. Readers of many small documents (links) need no object per hit.
import type { ColumnAt, ColumnsRequest, ColumnsResult, JsonObject } from '../../backend/index.js';
import type { QuarryError } from '../../errors.js';
import { encodeClause } from '../../query/clauses/index.js';
import { narrowed } from '../../query/narrowed.js';
import { QueryParser } from '../../query/parse.js';
import { parseSearchAfter, parseSort } from '../../query/sort.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import { EXACT_TOTAL, type Opcodes, type PlanSortKey, writePlan } from '../../wire/plan-writer.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog } from '../catalog/catalog.js';
import { shardsOf } from '../catalog/index-shards.js';
import { type FanOutOptions, fanOut } from '../shards/fan-out.js';
import type { Gate } from '../shards/gate.js';
import { mergeOrder, mergeRanked, type RankedList } from '../shards/merge.js';

export interface ColumnReaderOptions {
  readonly catalog: Catalog;
  readonly fanOut: FanOutOptions;
  readonly gate: Gate;
  readonly opcodes: Opcodes;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly nowMs: () => number;
}

export class ColumnReader {
  readonly #options: ColumnReaderOptions;

  constructor(options: ColumnReaderOptions) {
    this.#options = options;
  }

  async read(request: ColumnsRequest): Promise<ColumnsResult> {
    return this.#options.gate.pass(() => this.#read(request));
  }

  async #read(request: ColumnsRequest): Promise<ColumnsResult> {
    const { catalog, fanOut: options, toError } = this.#options;
    const { entry, filter } = catalog.single(request.index);
    refuseBlocked(entry, 'read');
    const sort = parseSort(request.columns);
    const plan = this.#plan(request, sort, filter);
    const { shards } = await fanOut(options, shardsOf(entry), plan);
    const found: ShardHits[] = [];
    for (const shard of shards) {
      // The caller would take the values of some shards for all values.
      if (!shard.ok) throw toError(shard.errorType, shard.reason, shard.cause);
      found.push(shard);
    }
    const total = found.reduce((sum, shard) => sum + shard.total, 0);
    return { total, ...join(entry.name, found, sort, request.size) };
  }

  /** `filter`: the filter of the alias that the request names. */
  #plan(
    request: ColumnsRequest,
    sort: readonly PlanSortKey[],
    filter: JsonObject | undefined,
  ): Uint8Array<ArrayBuffer> {
    const { opcodes, nowMs } = this.#options;
    const parser = new QueryParser();
    const shown = filter === undefined ? undefined : parser.clause(filter);
    const clause = narrowed(parser.clause(request.query), shown);
    const { after, size } = request;
    return writePlan(
      {
        header: {
          flags: 0,
          trackTotalHits: EXACT_TOTAL,
          nowMs: nowMs(),
          timeoutUs: 0,
          from: 0,
          size,
          window: size,
          terminateAfter: 0,
        },
        legs: [(writer) => encodeClause(clause, writer)],
        sort,
        searchAfter: after === undefined ? [] : parseSearchAfter(after, sort.length, 0),
        fetch: { source: false, flags: 0, docvalueFields: [], fields: [] },
      },
      opcodes,
    );
  }
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
