// Asks a reranking service for the relevance of documents to a query, in the form that Jina and
// Cohere share: {model, query, documents, top_n} is answered by {results: [{index,
// relevance_score}]}. A request is sent once: whoever waits has an order without it.
import { setMaxListeners } from 'node:events';
import { plainJson } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import { OutboundError } from '../remote/exchange.js';
import { AnswerError, excerpt, parseAnswer } from './answer-reader.js';
import { readKey, requestHeaders, ServiceFailure, type Surroundings } from './ask-service.js';
import type { RemoteEndpoint } from './endpoint.js';
import { Lane } from './lane.js';
import { checkAnswer } from './service-answer.js';

export type RerankEndpoint = Pick<
  RemoteEndpoint,
  'url' | 'model' | 'apiKeyEnv' | 'requestsPerMinute' | 'organization'
>;

export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
  /** Undefined: all. */
  readonly topN?: number | undefined;
}

export interface RankedDocument {
  /** Place in the list of documents. */
  readonly index: number;
  readonly score: number;
}

export interface RerankOptions {
  readonly signal?: AbortSignal | undefined;
  /** The caller may see the names of environment variables, hosts and ports. */
  readonly trusted?: true;
}

export interface RerankSettings {
  readonly timeoutMs: () => number;
  /** Limit per service. */
  readonly maxConcurrent: () => number;
  /** Whether the reasons of failures are shown to every caller. */
  readonly tellsWhy: () => boolean;
}

const OVERHEAD_BYTES = 64 * 1024;
/** Enough for a result that repeats its document. */
const BYTES_PER_CHAR = 6;
const KIND = 'reranking service';

export class Reranker {
  readonly #settings: RerankSettings;
  readonly #around: Surroundings;
  readonly #lanes = new Map<string, Lane>();
  readonly #closing = new AbortController();

  constructor(settings: RerankSettings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
    setMaxListeners(0, this.#closing.signal);
  }

  /** Cancels running calls and rejects new ones. */
  close(): void {
    this.#closing.abort(
      new QuarryError('node_not_ready_exception', 'the service stops', {
        headers: { 'Retry-After': '1' },
      }),
    );
  }

  /**
   * The documents that the service ranked, best first. Rejects with inference_exception if it gave
   * no usable answer, or with the signal's reason.
   */
  async rerank(
    endpoint: RerankEndpoint,
    request: RerankRequest,
    { signal, trusted }: RerankOptions = {},
  ): Promise<readonly RankedDocument[]> {
    if (request.documents.length === 0) return [];
    const ended = this.#closing.signal;
    const either = signal === undefined ? ended : AbortSignal.any([ended, signal]);
    try {
      return await this.#ask(endpoint, request, either);
    } catch (error) {
      if (!(error instanceof ServiceFailure)) throw error;
      const showsReason = trusted === true || this.#settings.tellsWhy();
      const reason = showsReason
        ? error.message
        : `the ${KIND} [${endpoint.url}] gave no order: a key for all indices [*] is told why by POST /_inference/rerank/{id}`;
      throw new QuarryError('inference_exception', reason);
    }
  }

  async #ask(
    endpoint: RerankEndpoint,
    request: RerankRequest,
    signal: AbortSignal,
  ): Promise<readonly RankedDocument[]> {
    const key = readKey(endpoint, this.#around.environment, KIND);
    const turn = { urgent: true, perMinute: endpoint.requestsPerMinute };
    const started = this.#around.now();
    const observe = (outcome: 'ok' | 'failed'): void => {
      this.#around.observe(outcome, (this.#around.now() - started) / 1000);
    };
    const fail = (why: string): ServiceFailure => {
      observe('failed');
      return new ServiceFailure('service', `the ${KIND} [${endpoint.url}] ${why}`);
    };
    try {
      const answer = await this.#lane(endpoint.url).run(
        () =>
          this.#around.post({
            method: 'POST',
            url: endpoint.url,
            headers: requestHeaders(endpoint, key),
            body: bodyOf(endpoint, request),
            timeoutMs: this.#settings.timeoutMs(),
            maxAnswerBytes: maxAnswerBytes(request),
            signal,
          }),
        turn,
        signal,
      );
      const miss = checkAnswer(answer, { endpoint, key, nowMs: this.#around.nowMs() });
      if (miss !== undefined) throw fail(miss.why);
      const ranked = readRanking(answer.body, request.documents.length);
      observe('ok');
      return ranked;
    } catch (error) {
      if (error instanceof OutboundError || error instanceof AnswerError) throw fail(error.message);
      throw error;
    }
  }

  #lane(url: string): Lane {
    const known = this.#lanes.get(url);
    if (known !== undefined) return known;
    const { now, pause } = this.#around;
    const lane = new Lane({ maxConcurrent: this.#settings.maxConcurrent, now, pause });
    this.#lanes.set(url, lane);
    return lane;
  }
}

function bodyOf({ model }: RerankEndpoint, { query, documents, topN }: RerankRequest): string {
  return plainJson({
    ...(model === undefined ? {} : { model }),
    query,
    documents,
    top_n: topN ?? documents.length,
  });
}

function maxAnswerBytes({ documents }: RerankRequest): number {
  const chars = documents.reduce((sum, document) => sum + document.length, 0);
  return OVERHEAD_BYTES + documents.length * 1024 + chars * BYTES_PER_CHAR;
}

/** Nothing in the answer is trusted: places must be those of documents, each at most once. */
function readRanking(body: Uint8Array, documents: number): readonly RankedDocument[] {
  const answer = parseAnswer(body);
  const results = isObject(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results)) {
    throw new AnswerError(
      'answered without a list [results], it does not seem to be a reranking service in the form of Jina and Cohere',
    );
  }
  const seen = new Set<number>();
  const ranked = (results as readonly unknown[]).map((result, i): RankedDocument => {
    const { index, relevance_score: score } = isObject(result) ? result : {};
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0;
    if (!isPlace || index >= documents || seen.has(index)) {
      throw new AnswerError(
        `answered result ${i} with the index [${excerpt(String(index))}], expected each of 0 to ${documents - 1} at most once`,
      );
    }
    seen.add(index);
    if (typeof score !== 'number' || !Number.isFinite(score)) {
      throw new AnswerError(`answered result ${i} without a finite number [relevance_score]`);
    }
    return { index, score };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
