// A search that comes again, unchanged, over one shard: what was decided for it stands, so that it is one call of the core and an
// answer. Searches of several shards, in phases or with pages that the core does not write go the long way each time.
import type { AggregationText, JsonObject, SearchResult } from '../backend.js';
import { after, ending, type Soon } from '../ops/soon.js';
import { readSearchReply, type ShardHits } from '../wire/hits-reader.js';
import { withTime } from '../wire/plan-copies.js';
import type { AskerOptions } from './ask.js';
import type { Catalog } from './catalog.js';
import type { Gate } from './gate.js';
import { textPage } from './page-text.js';
import type { QuickSearches } from './quick-searches.js';
import { searchResult } from './search-answer.js';
import type { CompiledGroup } from './search-plans.js';
import { shardsOfAll, type TargetGroup } from './search-targets.js';
import { modeOf, SearchAccount, type SearchWatch } from './search-watch.js';
import { totalOf } from './totals.js';

export interface RepeatedSearchOptions {
  readonly catalog: Pick<Catalog, 'version'>;
  readonly gate: Gate;
  readonly watch: SearchWatch;
  readonly quick: QuickSearches;
  readonly toError: AskerOptions['toError'];
  /** What shards did goes to the metrics. */
  readonly countWork: (shards: readonly ShardHits[]) => void;
  readonly nowMs: () => number;
}

/** A search as it was compiled. */
export interface Compiled {
  readonly body: JsonObject;
  readonly targets: readonly TargetGroup[];
  readonly groups: readonly CompiledGroup[];
  /** Of the catalog that it was compiled for. */
  readonly version: number;
  readonly aggregate: (shards: readonly ShardHits[]) => Soon<AggregationText | undefined>;
}

/** Undefined for a search that has to go the long way; called, the same of one that has to this time. */
export function repeatedSearch(
  { body, targets, groups, version, aggregate }: Compiled,
  { catalog, gate, watch, quick, toError, countWork, nowMs }: RepeatedSearchOptions,
): SearchResult['again'] {
  const [group] = groups;
  if (group === undefined || groups.length > 1 || !mayRepeat(group, body)) return undefined;
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
        countWork(found);
        watch.phase(account, 'query', started);
        const answers = { total: 1, hits: found, failed: [], inline: fetch };
        const page =
          fetch === undefined
            ? { total: totalOf(found, search), maxScore: null, hits: [] }
            : textPage(answers, fetch, search, toError);
        return after(aggregate(found), (aggregations) =>
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
