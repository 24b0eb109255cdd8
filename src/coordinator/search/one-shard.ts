// Searches that are one call of the core and an answer: over one shard, in one phase, with a page that the core writes, or none. They
// go this short way when they come for the first time, and a shorter one when they come again. Searches of several shards, in phases or
// with pages that are put together here go the long way: see search.ts.
import type { JsonObject, SearchRequest, SearchResult } from '../../backend/index.js';
import { finallyMaybe, type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { readSearchReply } from '../../wire/hits-reader.js';
import { withTime } from '../../wire/plan-copies.js';
import type { Catalog } from '../catalog/catalog.js';
import { textPage } from '../page/page-text.js';
import { searchResult } from '../page/search-answer.js';
import type { FanOutOptions } from '../shards/fan-out.js';
import type { Gate } from '../shards/gate.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';
import type { CompiledGroup } from '../shards/search-plans.js';
import { shardsOfAll } from '../shards/search-targets.js';
import type { ShardClient } from '../shards/shard-client.js';
import { totalOf } from '../shards/totals.js';
import type { Compiling } from './known-searches.js';
import { type SearchAggregationsOptions, searchAggregations } from './search-aggregations.js';
import { modeOf, SearchAccount, type SearchWatch } from './search-watch.js';

export interface OneShardOptions extends Omit<SearchAggregationsOptions, 'pool'> {
  readonly catalog: Pick<Catalog, 'version' | 'byNumber'>;
  readonly fanOut: Pick<FanOutOptions, 'quick'>;
  readonly scopes: PoolScopes;
  readonly gate: Gate;
  readonly watch: SearchWatch;
  readonly asker: Pick<ShardClient, 'countWork'>;
}

export class OneShardSearches {
  readonly #options: OneShardOptions;

  constructor(options: OneShardOptions) {
    this.#options = options;
  }

  /** The answer to a search that began at `started`, and fills `account`; undefined: it has to go the long way, this time or always. */
  run(
    request: SearchRequest,
    compiled: Compiling,
    account: SearchAccount,
    pool: ScopedPool,
    started: number,
  ): MaybePromise<SearchResult> | undefined {
    const { fanOut, watch, asker, toError, nowMs } = this.#options;
    const { quick } = fanOut;
    const [group] = compiled.groups;
    if (quick === undefined || group === undefined || compiled.groups.length > 1) return undefined;
    const shards = shardsOfAll(group.entries);
    if (shards.length !== 1 || !isOneCall(group, request.body)) return undefined;
    const { query: search } = group;
    request.waiter?.check();
    const requested = performance.now();
    const plan = compiled.isKnown ? withTime(search.plan, nowMs()) : search.plan;
    const reply = quick.search(shards, plan, request.small === true ? 0 : search.weight);
    if (reply === undefined) return undefined;
    const { shards: found, fetch } = readSearchReply(reply);
    const [hits] = found;
    // What has failed fails the long way, which knows what to say of it.
    if (hits?.ok !== true) return undefined;
    const replies = [hits];
    account.mode = modeOf(search);
    account.targets = compiled.targets;
    account.count(replies);
    asker.countWork(replies);
    watch.phase(account, 'query', requested);
    const answers = { total: 1, hits: replies, failed: [], inline: fetch };
    // A page of more than one reply may hold goes the long way, which reads it piece by piece.
    if (fetch === undefined && search.size > 0) return undefined;
    const page =
      fetch === undefined
        ? { total: totalOf(replies, search), maxScore: null, hits: [] }
        : textPage(answers, fetch, search, toError);
    const again = this.#again(request, compiled);
    const answered = searchAggregations(search, replies, compiled.targets, request, {
      ...this.#options,
      pool,
    });
    return thenMaybe(answered, (aggregations) =>
      searchResult(search, { answers, replies, ...page }, started, {
        aggregations,
        failed: [],
        again,
      }),
    );
  }

  /** Undefined for one that may not come again, or whose way has to be seen. */
  #again(request: SearchRequest, compiled: Compiling): SearchResult['again'] {
    const { catalog, gate, watch, scopes } = this.#options;
    const { version } = compiled;
    if (version === undefined || request.mayRepeat !== true || watch.traces) return undefined;
    // It outlives the client.
    const requested = { ...request, waiter: undefined, mayRepeat: false };
    const known = { ...compiled, isKnown: true };
    return () => {
      if (catalog.version !== version) return undefined;
      gate.check();
      const started = performance.now();
      const account = new SearchAccount();
      const pool = scopes.open(requested);
      const finish = (): void => {
        pool.end();
        watch.finish(request.body, account, started);
      };
      const found = this.run(requested, known, account, pool, started);
      return found === undefined ? undefined : finallyMaybe(() => found, finish);
    };
  }
}

/** The plan is the whole search, and its reply the whole answer. */
function isOneCall({ query: search }: CompiledGroup, body: JsonObject): boolean {
  return (
    (search.hitTexts || search.size === 0) &&
    search.semantic.length === 0 &&
    search.ranked === undefined &&
    search.collapse === undefined &&
    search.rescores.length === 0 &&
    search.indicesBoost.length === 0 &&
    search.terminateAfter === 0 &&
    !search.profile &&
    body['suggest'] === undefined
  );
}
