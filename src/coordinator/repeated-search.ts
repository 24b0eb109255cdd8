// A search that comes again, unchanged, over one shard: what was decided for it stands, so that it is one call of the core and an
// answer. Searches of several shards, in phases or with pages that the core does not write go the long way each time.
import type { JsonObject, SearchRequest, SearchResult } from '../backend.js';
import { after, ending } from '../ops/soon.js';
import { readSearchReply } from '../wire/hits-reader.js';
import { withTime } from '../wire/plan-copies.js';
import type { ShardAsker } from './ask.js';
import type { Catalog } from './catalog.js';
import type { FanOutOptions } from './fan-out.js';
import type { Gate } from './gate.js';
import type { Compiling } from './known-searches.js';
import { textPage } from './page-text.js';
import { type SearchAggregationsOptions, searchAggregations } from './search-aggregations.js';
import { searchResult } from './search-answer.js';
import type { CompiledGroup } from './search-plans.js';
import { shardsOfAll } from './search-targets.js';
import { modeOf, SearchAccount, type SearchWatch } from './search-watch.js';
import { totalOf } from './totals.js';

export interface RepeatedSearchOptions extends SearchAggregationsOptions {
  readonly catalog: Pick<Catalog, 'version' | 'byNumber'>;
  readonly fanOut: Pick<FanOutOptions, 'pool' | 'quick'>;
  readonly gate: Gate;
  readonly watch: SearchWatch;
  readonly asker: Pick<ShardAsker, 'countWork'>;
}

/** Undefined for a search that has to go the long way, or whose way has to be seen; called, the same of one that has to this time. */
export function repeatedSearch(
  request: SearchRequest,
  { targets, groups, version }: Compiling,
  options: RepeatedSearchOptions,
): SearchResult['again'] {
  const { catalog, gate, watch, fanOut, asker, toError, nowMs } = options;
  const { quick } = fanOut;
  const { body } = request;
  const [group] = groups;
  if (version === undefined || quick === undefined || watch.traces) return undefined;
  if (group === undefined || groups.length > 1 || !mayRepeat(group, body)) return undefined;
  // It outlives the client.
  const asked = { ...request, waiter: undefined };
  const { query: search } = group;
  const shards = shardsOfAll(group.entries);
  const mode = modeOf(search);
  if (shards.length !== 1) return undefined;
  return () => {
    if (catalog.version !== version) return undefined;
    gate.check();
    const started = performance.now();
    const reply = quick.search(shards, withTime(search.plan, nowMs()), search.weight);
    if (reply === undefined) return undefined;
    const { shards: replies, fetch } = readSearchReply(reply);
    const [hits] = replies;
    // What has failed fails the long way, which knows what to say of it.
    if (hits?.ok !== true) return undefined;
    const account = new SearchAccount(mode, targets);
    return ending(
      () => {
        const found = [hits];
        account.count(found);
        asker.countWork(found);
        watch.phase(account, 'query', started);
        const answers = { total: 1, hits: found, failed: [], inline: fetch };
        const page =
          fetch === undefined
            ? { total: totalOf(found, search), maxScore: null, hits: [] }
            : textPage(answers, fetch, search, toError);
        const answered = searchAggregations(search, found, targets, asked, options);
        return after(answered, (aggregations) =>
          searchResult(search, { answers, replies: found, ...page }, started, {
            aggregations,
            failed: [],
          }),
        );
      },
      () => watch.finish(body, account, started),
    );
  };
}

/** The plan is the whole search, and its reply the whole answer. */
function mayRepeat({ query: search }: CompiledGroup, body: JsonObject): boolean {
  return (
    (search.hitTexts || search.size === 0) &&
    search.indicesBoost.length === 0 &&
    search.terminateAfter === 0 &&
    !search.profile &&
    body['suggest'] === undefined
  );
}
