// Computes the aggregations of a search from the replies of its shards. The documents that they
// show (top_hits) are fetched with the query of the search.
import type { AggregationText } from '../../backend/index.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { withoutPlainRetriever } from '../../query/ranked-body.js';
import type { CompiledSearch } from '../../query/search-body.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { Opcodes } from '../../wire/plan-writer.js';
import type { Catalog } from '../catalog/catalog.js';
import { compileGroups } from '../shards/search-plans.js';
import type { TargetGroup } from '../shards/search-targets.js';
import { type AggregationOptions, aggregate } from './aggregations.js';
import type { Accounted } from './search-watch.js';

export interface SearchAggregationsOptions {
  readonly catalog: Pick<Catalog, 'byNumber'>;
  readonly dateTable: AggregationOptions['dateTable'];
  readonly opcodes: Opcodes;
  readonly toError: AggregationOptions['toError'];
  readonly nowMs: () => number;
  readonly maxBuckets: () => number;
}

/** Undefined if the request has no aggregations. */
export function searchAggregations(
  { aggs }: Pick<CompiledSearch, 'aggs'>,
  shards: readonly ShardHits[],
  targets: readonly TargetGroup[],
  request: Accounted,
  { catalog, dateTable, opcodes, toError, nowMs, maxBuckets }: SearchAggregationsOptions,
): MaybePromise<AggregationText | undefined> {
  if (aggs === undefined) return undefined;
  const { query } = withoutPlainRetriever(request.body);
  return aggregate(aggs, shards, {
    pool: request.pool,
    dateTable,
    toError,
    nameOf: (index) => catalog.byNumber(index)?.name,
    typedKeys: request.typedKeys === true,
    reserve: (bytes) => request.pool.reserve(bytes),
    maxBuckets: maxBuckets(),
    compile: (shows) => {
      const body = { ...(query === undefined ? {} : { query }), ...shows };
      return compileGroups(body, targets, { opcodes, nowMs: nowMs(), withoutInnerHits: true });
    },
  });
}
