// Embedders beyond this process: texts to vectors by OpenAI-compatible services, in batches, a few at a time, from memory
// where a text was seen before. A text that gets no vector gets the reason; nothing falls back to another embedder.
import { setMaxListeners } from 'node:events';
import { QuarryError } from '../errors.js';
import type { TextResult } from './answer-reader.js';
import { askService, ServiceFailure, type Surroundings } from './ask-service.js';
import { identityOf, type RemoteEndpoint } from './endpoint.js';
import { Lane } from './lane.js';
import { Pending } from './pending.js';
import { VectorCache } from './vector-cache.js';

/** Asked at each use: a reload changes them. */
export interface RemoteSettings {
  readonly timeoutMs: () => number;
  readonly batchSize: () => number;
  /** For one service. */
  readonly maxConcurrent: () => number;
  /** Tries after the first. */
  readonly maxRetries: () => number;
  readonly cacheBytes: () => number;
  readonly maxPendingTexts: () => number;
  readonly maxPendingBytes: () => number;
  /** False: why a service gave no vectors is told to those alone who ask it by its name. */
  readonly tellsWhy: () => boolean;
}

export interface EmbedOptions {
  /** A search waits for it: its turn comes before those of writes. */
  readonly urgent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The caller may know of variables, hosts and ports. */
  readonly trusted?: true;
  /** The caller has reserved room for the texts, or they are few and counted elsewhere. */
  readonly reserved?: true;
}

/** Characters of a batch; more than enough for `batch_size` passages, and small beside the limits of services. */
const MAX_BATCH_CHARS = 512 * 1024;
/** How often one batch is halved to find the text at fault: enough for three in a batch of 32. */
const MAX_SPLITS = 12;

/** What a call shares between its batches. */
interface Call {
  readonly endpoint: RemoteEndpoint;
  readonly urgent: boolean;
  readonly tellsWhy: boolean;
  readonly results: Map<string, TextResult>;
  readonly signal: AbortSignal;
  /** Why no further batch is sent. */
  down?: ServiceFailure;
}

export class RemoteEmbedder {
  readonly #settings: RemoteSettings;
  readonly #around: Surroundings;
  readonly #cache: VectorCache;
  readonly #pending: Pending;
  /** By URL. */
  readonly #lanes = new Map<string, Lane>();
  /** By identity, as last seen. */
  readonly #lengths = new Map<string, number>();
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(settings: RemoteSettings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
    this.#cache = new VectorCache(settings.cacheBytes);
    this.#pending = new Pending(settings.maxPendingTexts, settings.maxPendingBytes);
  }

  /**
   * One result a text, in order: a vector, which the caller must not write into, or why there is none. Rejects only with
   * the refusals of reserve(), node_not_ready_exception (shutdown) or the signal's reason.
   */
  async embed(
    endpoint: RemoteEndpoint,
    texts: readonly string[],
    options: EmbedOptions = {},
  ): Promise<readonly TextResult[]> {
    if (this.#closed) throw shutDown();
    options.signal?.throwIfAborted();
    const results = new Map<string, TextResult>();
    const wanted = this.#lookUp(identityOf(endpoint), texts, results);
    if (wanted.length > 0) {
      const leave = options.reserved === true ? () => {} : this.reserve(endpoint, wanted);
      try {
        await this.#fetch(endpoint, wanted, results, options);
      } finally {
        leave();
      }
    }
    return texts.map((text) => results.get(text) ?? 'the text was not embedded');
  }

  /**
   * Room for texts and their vectors until the returned function is called, once. content_too_large_exception when there is
   * never so much, es_rejected_execution_exception when there is not now.
   */
  reserve(endpoint: RemoteEndpoint, texts: readonly string[]): () => void {
    const dims = endpoint.dims ?? this.#lengths.get(identityOf(endpoint));
    return this.#pending.enter(texts, dims);
  }

  /** Gives up what runs, and refuses what comes. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort(shutDown());
  }

  /** Fills `results` from memory; the texts that are missing, once each. */
  #lookUp(
    identity: string,
    texts: readonly string[],
    results: Map<string, TextResult>,
  ): readonly string[] {
    const missing = new Set<string>();
    for (const text of texts) {
      if (results.has(text)) continue;
      const vector = this.#cache.get(identity, text);
      if (vector === undefined) missing.add(text);
      else results.set(text, vector);
    }
    return [...missing];
  }

  async #fetch(
    endpoint: RemoteEndpoint,
    texts: readonly string[],
    results: Map<string, TextResult>,
    options: EmbedOptions,
  ): Promise<void> {
    const controller = new AbortController();
    // Every batch that waits listens.
    setMaxListeners(0, controller.signal);
    const giveUp = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', giveUp, { once: true });
    this.#running.add(controller);
    const { signal } = controller;
    const tellsWhy = options.trusted === true || this.#settings.tellsWhy();
    const call: Call = { endpoint, urgent: options.urgent === true, tellsWhy, results, signal };
    const lane = this.#lane(endpoint.url);
    try {
      const batches = inBatches(texts, this.#settings.batchSize());
      const next = batches.values();
      const work = async (): Promise<void> => {
        for (const batch of next) await this.#embedBatch(batch, call, lane);
      };
      const workers = Math.min(batches.length, this.#settings.maxConcurrent());
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      // One that fails ends the others, so that none runs on unseen.
      controller.abort(shutDown());
      this.#running.delete(controller);
      options.signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Gives every text of the batch its result; a refused batch is halved, so that one bad text spoils no others. */
  async #embedBatch(batch: readonly string[], call: Call, lane: Lane): Promise<void> {
    let splits = MAX_SPLITS;
    const parts = [batch];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const failure = call.down ?? (await this.#ask(part, call, lane));
      if (failure === undefined) continue;
      if (failure.blames === 'service') call.down = failure;
      if (failure.blames === 'texts' && part.length > 1 && splits > 0) {
        const half = part.length >> 1;
        parts.push(part.slice(half), part.slice(0, half));
        splits -= 1;
      } else {
        for (const text of part) call.results.set(text, reasonOf(failure, call));
      }
    }
  }

  /** Undefined: every text of the part has its result. */
  async #ask(part: readonly string[], call: Call, lane: Lane): Promise<ServiceFailure | undefined> {
    const { endpoint, urgent, signal, results } = call;
    const batch = {
      endpoint,
      urgent,
      texts: part,
      timeoutMs: this.#settings.timeoutMs(),
      maxRetries: this.#settings.maxRetries(),
    };
    try {
      const answers = await askService(batch, lane, this.#around, signal);
      const identity = identityOf(endpoint);
      for (const [i, text] of part.entries()) {
        const answer = answers[i];
        if (answer === undefined) continue;
        if (typeof answer === 'string') {
          results.set(text, `the embeddings service [${endpoint.url}] ${answer}`);
        } else {
          results.set(text, answer);
          // A service that answers another length than before is wrong now or was: that is not for keeping.
          if ((this.#lengths.get(identity) ?? answer.length) === answer.length) {
            this.#cache.put(identity, text, answer);
          }
          this.#lengths.set(identity, answer.length);
        }
      }
      return undefined;
    } catch (error) {
      if (error instanceof ServiceFailure) return error;
      throw error;
    }
  }

  /** Kept: a service's wish to be left alone outlives the call that heard it. */
  #lane(url: string): Lane {
    let lane = this.#lanes.get(url);
    if (lane === undefined) {
      const { now, pause } = this.#around;
      lane = new Lane({ maxConcurrent: this.#settings.maxConcurrent, now, pause });
      this.#lanes.set(url, lane);
    }
    return lane;
  }
}

/** Whether a variable is set or a port answers is for those alone who may register services. */
function reasonOf(failure: ServiceFailure, { endpoint, tellsWhy }: Call): string {
  if (tellsWhy || failure.blames !== 'service') return failure.message;
  return (
    `the embeddings service [${endpoint.url}] gave no vectors: ` +
    'a key for all indices [*] is told why by POST /_inference/{id}'
  );
}

function inBatches(texts: readonly string[], size: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= size || chars + text.length > MAX_BATCH_CHARS) {
      batches.push([text]);
      chars = text.length;
    } else {
      batch.push(text);
      chars += text.length;
    }
  }
  return batches;
}

function shutDown(): QuarryError {
  return new QuarryError(
    'node_not_ready_exception',
    'the service stops, texts are not embedded any more; send the request again when it is back',
    { headers: { 'Retry-After': '1' } },
  );
}
