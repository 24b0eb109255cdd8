// Requests the data of suggesters, and of selections of terms, from every index of a search and joins the replies. Counts are
// added up, so that they do not depend on the distribution over shards, indexes and segments.
import { YieldPoints } from '../../base/cooperative-task.js';
import type { QuarryError } from '../../errors.js';
import { type Clause, encodeClause } from '../../query/clauses/index.js';
import { checkLength } from '../../query/list-limits.js';
import type { PinnedSnapshots } from '../../query/pinned.js';
import type { Opcodes, PlanWriter } from '../../wire/plan-writer.js';
import {
  type CandidateTerm,
  type CompleteAsk,
  readSuggest,
  type ShardCompletion,
  type SuggestAnswer,
  type SuggestAsk,
  type SuggestReply,
  type SuggestShard,
  type SuggestToken,
  type TermCount,
  type TermsAsk,
  type TextTerm,
  writeSuggest,
} from '../../wire/suggest.js';
import type { TaskRunner } from '../shards/pools.js';
import { type SearchedIndex, shardsOfAll } from '../shards/search-targets.js';

export interface SuggestClientOptions {
  readonly pool: TaskRunner;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  readonly opcodes: Opcodes;
  readonly nowMs: () => number;
}

/** The part of the data that a suggester sees. */
export interface SuggestTargets {
  readonly entries: readonly SearchedIndex[];
  /** The filter of the aliases for the index of that number; undefined: no filter. */
  readonly filterOf: (index: number) => Clause | undefined;
  readonly pinned: PinnedSnapshots | undefined;
  /** 0: no limit. */
  readonly timeoutUs: number;
}

export interface FieldCounts {
  readonly hasField: boolean;
  readonly documents: number;
  /** Without those that are deleted. */
  readonly liveDocuments: number;
  readonly occurrences: number;
  /** Exact for a field in a single segment, else the number of documents. */
  readonly differentTerms: number;
  readonly terms: readonly TermCount[];
}

/** A completion with its index and the snapshot of its document. */
export interface IndexCompletion extends ShardCompletion {
  readonly index: number;
  readonly indexName: string;
  readonly generation: bigint;
}

/** Maximum number of concurrent requests to indexes. */
const LANES = 8;
/** Words whose candidates are in memory at once; each may have 10,000 in every index. */
const WORDS_AT_ONCE = 4;
/** What is left of a timeout that has passed; 0 is no limit. */
const NO_TIME_US = 1;

/**
 * The requests of one search, which end together at its timeout. Records whether all replies were
 * complete.
 */
export class SuggestClient {
  readonly #options: SuggestClientOptions;
  readonly #targets: SuggestTargets;
  readonly #since = performance.now();
  #complete = true;
  #suggested = 0;

  constructor(options: SuggestClientOptions, targets: SuggestTargets) {
    this.#options = options;
    this.#targets = targets;
  }

  /** Adds to what the search has suggested so far. Throws once it is too much for an answer. */
  countSuggested(options: number): void {
    this.#suggested += options;
    checkLength('[options] of [suggest]', this.#suggested, 'lower [size] or shorten the texts');
  }

  get hasNoTargets(): boolean {
    return this.#targets.entries.length === 0;
  }
  /** False after a timeout. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The tokens of `text` by the first index that maps the field; undefined: none does. */
  async analyze(
    field: string,
    analyzer: string | undefined,
    text: string,
  ): Promise<readonly SuggestToken[] | undefined> {
    const ask: SuggestAsk = { kind: 'analyze', field, analyzer: analyzer ?? '', text };
    const replies = await this.#ask([ask]);
    return only('analyze', replies, 0).find(({ mapped }) => mapped)?.tokens;
  }

  /**
   * Calls `use` with the candidates of each of `asks`, in their order and until the timeout, joined
   * by term. The candidates of only a few words are in memory at once.
   */
  async eachCandidates(
    asks: readonly Omit<SuggestAsk & { kind: 'candidates' }, 'kind'>[],
    use: (terms: readonly CandidateTerm[], at: number) => void,
  ): Promise<void> {
    const points = new YieldPoints();
    for (let from = 0; from < asks.length; from += WORDS_AT_ONCE) {
      if (this.#timeLeftUs() === NO_TIME_US) this.#complete = false;
      if (!this.#complete) return;
      const some = asks.slice(from, from + WORDS_AT_ONCE);
      const replies = await this.#ask(some.map((ask) => ({ kind: 'candidates', ...ask })));
      for (const at of some.keys()) {
        await points.due();
        use(joined(only('candidates', replies, at).map(({ terms }) => terms)), from + at);
      }
    }
  }

  async counts(field: string, terms: readonly string[]): Promise<FieldCounts> {
    return summed(only('counts', await this.#ask([{ kind: 'counts', field, terms }]), 0));
  }

  /** The counts of each of `asks`, from one exchange with every index. */
  async countsOf(
    asks: readonly { readonly field: string; readonly terms: readonly string[] }[],
  ): Promise<readonly FieldCounts[]> {
    const replies = await this.#ask(asks.map((ask) => ({ kind: 'counts', ...ask })));
    return asks.map((_, at) => summed(only('counts', replies, at)));
  }

  /** The terms of each of `asks` by the first index that maps its field; empty: none does. */
  async terms(asks: readonly Omit<TermsAsk, 'kind'>[]): Promise<readonly (readonly TextTerm[])[]> {
    const replies = await this.#ask(asks.map((ask) => ({ kind: 'terms', ...ask })));
    return asks.map(
      (_, at) => only('terms', replies, at).find(({ mapped }) => mapped)?.terms ?? [],
    );
  }

  /** The best completions of each index; undefined: no index has the field. */
  async completions(
    ask: Omit<CompleteAsk, 'kind'>,
  ): Promise<readonly IndexCompletion[] | undefined> {
    const replies = await this.#ask([{ kind: 'complete', ...ask }]);
    const answers = only('complete', replies, 0);
    if (!answers.some(({ mapped }) => mapped)) return undefined;
    return answers.flatMap(({ completions }, i) => {
      const { number: index = -1, name: indexName = '' } = this.#targets.entries[i] ?? {};
      const shards = replies[i]?.shards ?? [];
      return completions.map((one) => ({
        ...one,
        index,
        indexName,
        generation: shards.find(({ shard }) => shard === one.shard)?.generation ?? 0n,
      }));
    });
  }

  /** One reply per index. */
  async #ask(asks: readonly SuggestAsk[]): Promise<readonly SuggestReply[]> {
    const replies: SuggestReply[] = [];
    if (asks.length === 0) return replies;
    const left = this.#targets.entries.entries();
    const lane = async (): Promise<void> => {
      for (const [i, entry] of left) replies[i] = await this.#askOne(entry, asks);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return replies;
  }

  async #askOne(entry: SearchedIndex, asks: readonly SuggestAsk[]): Promise<SuggestReply> {
    const { pool, toError, opcodes, nowMs } = this.#options;
    const { filterOf } = this.#targets;
    const timeoutUs = this.#timeLeftUs();
    const clause = filterOf(entry.number);
    const filter =
      clause === undefined
        ? undefined
        : { nowMs: nowMs(), write: (writer: PlanWriter) => encodeClause(clause, writer) };
    const shards = this.#shardsOf(entry);
    const request = writeSuggest({ shards, timeoutUs, asks, filter }, opcodes);
    const reply = readSuggest(await pool.run('suggest', { index: entry.number, request }), asks);
    if ('errorType' in reply) throw toError(reply.errorType, reply.reason, reply.cause);
    if (!reply.complete) this.#complete = false;
    return reply;
  }

  #timeLeftUs(): number {
    const { timeoutUs } = this.#targets;
    const passedUs = (performance.now() - this.#since) * 1000;
    return timeoutUs === 0 ? 0 : Math.max(NO_TIME_US, timeoutUs - passedUs);
  }

  #shardsOf(entry: SearchedIndex): readonly SuggestShard[] {
    const { pinned } = this.#targets;
    return shardsOfAll([entry]).map(({ index, shard }) => {
      const held = pinned?.snapshots.find((one) => one.index === index && one.shard === shard);
      return { shard, generation: held?.generation ?? 0n };
    });
  }
}

function only<K extends SuggestAnswer['kind']>(
  kind: K,
  replies: readonly SuggestReply[],
  at: number,
): readonly Extract<SuggestAnswer, { kind: K }>[] {
  return replies
    .map(({ answers }) => answers[at])
    .filter((answer): answer is Extract<SuggestAnswer, { kind: K }> => answer?.kind === kind);
}

/** The counts of one field over all indexes. */
function summed(answers: readonly Extract<SuggestAnswer, { kind: 'counts' }>[]): FieldCounts {
  const sum = (of: (answer: (typeof answers)[number]) => number): number =>
    answers.reduce((total, answer) => total + of(answer), 0);
  const documents = sum((answer) => answer.documents);
  const [single] = answers;
  const known = answers.length === 1 && single !== undefined && single.differentTerms >= 0;
  return {
    hasField: answers.some(({ hasField }) => hasField),
    documents,
    liveDocuments: sum((answer) => answer.liveDocuments),
    occurrences: sum((answer) => answer.occurrences),
    differentTerms: known ? single.differentTerms : documents,
    terms: (single?.terms ?? []).map((_, i) => ({
      documents: sum((answer) => answer.terms[i]?.documents ?? 0),
      occurrences: sum((answer) => answer.terms[i]?.occurrences ?? 0),
    })),
  };
}

function joined(lists: readonly (readonly CandidateTerm[])[]): readonly CandidateTerm[] {
  const [single] = lists;
  if (lists.length === 1 && single !== undefined) return single;
  const found = new Map<string, CandidateTerm>();
  for (const one of lists.flat()) {
    const known = found.get(one.term);
    const { documents = 0, occurrences = 0 } = known ?? {};
    found.set(one.term, {
      ...one,
      documents: documents + one.documents,
      occurrences: occurrences + one.occurrences,
    });
  }
  return [...found.values()];
}
