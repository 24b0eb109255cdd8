// The suggestions of a search, computed concurrently with its hits: each suggester requests data
// from the indexes and selects the results.
import type {
  Json,
  JsonObject,
  SearchHit,
  SearchRequest,
  SearchResult,
  SuggestAnswer,
  SuggestEntry,
} from '../../backend/index.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import { parseTimeout } from '../../query/paging.js';
import { readAliasFilter } from '../../query/queries.js';
import {
  type SplitSuggest,
  type Suggestion,
  type Suggestions,
  splitSuggest,
  suggestsOnly,
} from '../../query/suggest/parse.js';
import { illegal } from '../../query/values.js';
import { toHit } from '../page/search-answer.js';
import type { PinnedSearch } from '../search/search-contexts.js';
import { fetchPage } from '../shards/fetch.js';
import { compileGroups, planSetting } from '../shards/search-plans.js';
import { shardsOfAll, type TargetGroup } from '../shards/search-targets.js';
import {
  type IndexCompletion,
  SuggestClient,
  type SuggestClientOptions,
} from './suggest-client.js';
import { suggestCompletions } from './suggest-completion.js';
import { suggestPhrases } from './suggest-phrase.js';
import { suggestTerms } from './suggest-term.js';

interface SuggestOutcome {
  readonly suggest: SuggestAnswer;
  readonly timedOut: boolean;
}

/**
 * Members of a search body that determine the content of hits; they apply to the documents of
 * completions as well.
 */
const SHOWN = [
  '_source',
  'stored_fields',
  'docvalue_fields',
  'fields',
  'version',
  'seq_no_primary_term',
] as const;

/** Suggesters of a search that run at once. */
const LANES = 4;

/** The suggesters of one search. */
class Suggester {
  readonly #options: SuggestClientOptions;
  readonly #groups: readonly TargetGroup[];
  readonly #request: SearchRequest;
  readonly #shardClient: SuggestClient;
  /** Some index is reached through aliases with filters. */
  readonly #isFiltered: boolean;

  constructor(
    options: SuggestClientOptions,
    groups: readonly TargetGroup[],
    pinned: PinnedSearch | undefined,
    request: SearchRequest,
  ) {
    this.#options = options;
    this.#groups = groups;
    this.#request = request;
    const { limits } = planSetting(groups);
    const filters = new Map(
      groups.flatMap((group) => {
        const filter = readAliasFilter(group.filters, limits);
        return filter === undefined ? [] : group.entries.map(({ number }) => [number, filter]);
      }),
    );
    this.#isFiltered = filters.size > 0;
    this.#shardClient = new SuggestClient(options, {
      entries: groups.flatMap(({ entries }) => entries),
      filterOf: (index) => filters.get(index),
      pinned,
      timeoutUs: parseTimeout(request.body['timeout']),
    });
  }

  async suggest(suggestions: Suggestions): Promise<SuggestOutcome> {
    const answers: [string, readonly SuggestEntry[]][] = [];
    const left = [...suggestions].entries();
    let hasFailed = false;
    const lane = async (): Promise<void> => {
      for (const [at, [name, one]] of left) {
        if (hasFailed) return;
        const typed = this.#request.typedKeys === true ? `${one.kind}#${name}` : name;
        answers[at] = [typed, await this.#answer(one)];
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane)).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    });
    return { suggest: new Map(answers), timedOut: !this.#shardClient.complete };
  }

  #answer(one: Suggestion): Promise<readonly SuggestEntry[]> {
    switch (one.kind) {
      case 'term':
        return suggestTerms(one, this.#shardClient);
      case 'phrase':
        if (this.#isFiltered) throw countsAllWords();
        return suggestPhrases(one, this.#shardClient);
      case 'completion':
        return suggestCompletions(one, this.#shardClient, (completions) => this.#read(completions));
    }
  }

  /** The documents of completions, as hits with their scores. */
  async #read(completions: readonly IndexCompletion[]): Promise<readonly SearchHit[]> {
    const { pool, toError, opcodes, nowMs } = this.#options;
    const groups = compileGroups(shownOf(this.#request.body), this.#groups, {
      opcodes,
      nowMs: nowMs(),
    });
    const [first] = groups;
    if (first === undefined) throw new Error('completions have no plan');
    const planOf = (index: number): Uint8Array =>
      (groups.find(({ entries }) => entries.some(({ number }) => number === index)) ?? first).query
        .plan;
    const places = new Map(completions.map((one) => [`${one.index}/${one.shard}`, one]));
    const keys = [...places.keys()];
    const { documents } = await fetchPage(
      completions.map(({ index, shard, doc }) => ({
        shard: keys.indexOf(`${index}/${shard}`),
        doc,
      })),
      [...places.values()],
      { pool, planOf, toError },
    );
    return completions.flatMap(({ indexName, shard, score }, i) => {
      const document = documents[i];
      if (document === undefined) return []; // the request timed out
      return toHit({ indexName, shard, score }, document, { ...first.query, scores: true });
    });
  }
}

/**
 * The scores of the phrase suggester are shares of all words of a field, which are counted by
 * segment.
 */
function countsAllWords(): QuarryError {
  return illegal(
    'the [phrase] suggester counts the words of whole indexes, which the filter of an alias cannot narrow; use [term], or name the index itself',
  );
}

function shownOf(body: JsonObject): JsonObject {
  const shown: Record<string, Json> = {};
  for (const name of SHOWN) {
    const value = body[name];
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

/** The targets of a search. */
export interface SuggestScope {
  readonly pinned: PinnedSearch | undefined;
  readonly targets: () => readonly TargetGroup[];
}

/** The result of `search`, with suggestions if the body requests some. */
export function withSuggestions<R extends SearchRequest>(
  request: R,
  searched: SuggestScope,
  options: SuggestClientOptions,
  search: (request: R) => MaybePromise<SearchResult>,
): MaybePromise<SearchResult> {
  const split = splitSuggest(request.body);
  if (split === undefined) return search(request);
  return suggestWithSearch(request, split, searched, options, search);
}

async function suggestWithSearch<R extends SearchRequest>(
  request: R,
  { rest: body, suggestions }: SplitSuggest,
  searched: SuggestScope,
  options: SuggestClientOptions,
  search: (request: R) => MaybePromise<SearchResult>,
): Promise<SearchResult> {
  const started = performance.now();
  const groups = searched.targets();
  const suggester = new Suggester(options, groups, searched.pinned, request);
  const alone = suggestsOnly(body);
  if (alone) {
    // The rest of the body is checked even if no search runs.
    const { opcodes, nowMs } = options;
    const { pinned } = searched;
    compileGroups(body, groups, { opcodes, nowMs: nowMs(), ...(pinned && { pinned }) });
  }
  const [found, { suggest, timedOut }] = await Promise.all([
    alone ? noHits(groups) : search({ ...request, body }),
    suggester.suggest(suggestions),
  ]);
  return {
    ...found,
    tookMs: Math.round(performance.now() - started),
    timedOut: found.timedOut || timedOut,
    ...(suggestions.size === 0 ? {} : { suggest }),
  };
}

/** The result of a search that requests suggestions only. */
function noHits(groups: readonly TargetGroup[]): SearchResult {
  const shards = groups.reduce((sum, { entries }) => sum + shardsOfAll(entries).length, 0);
  return {
    tookMs: 0,
    timedOut: false,
    shards: { total: shards, successful: shards, skipped: 0, failed: 0 },
    total: { value: 0, relation: 'eq' },
    maxScore: null,
    hits: [],
  };
}
