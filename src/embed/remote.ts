// Embeds texts with remote OpenAI-compatible services and local models, in batches with limited
// concurrency and a vector cache. A text without a vector gets a reason; there is no fallback to another embedder.
import { setMaxListeners } from 'node:events';
import { QuarryError } from '../errors.js';
import type { TextResult } from './answer-reader.js';
import { askService, type Outcome, ServiceFailure, type Surroundings } from './ask-service.js';
import { identityOf, isLocal, type TextEndpoint } from './endpoint.js';
import { Lane } from './lane.js';
import type { LocalModel } from './local/local-model.js';
import { describeModel, type LocalModels } from './local/local-models.js';
import { Pending } from './pending.js';
import { VectorCache } from './vector-cache.js';

/** Read at each use, because a reload can change them. */
export interface RemoteSettings {
  readonly timeoutMs: () => number;
  readonly batchSize: () => number;
  /** Limit per service. */
  readonly maxConcurrent: () => number;
  /** Number of retries after the first request. */
  readonly maxRetries: () => number;
  readonly cacheBytes: () => number;
  readonly maxPendingTexts: () => number;
  readonly maxPendingBytes: () => number;
  /**
   * Whether the reasons of failures are shown to every caller. If false, only a caller that
   * requests the endpoint by its id sees them.
   */
  readonly tellsWhy: () => boolean;
}

export interface EmbedOptions {
  /** A search waits for the vectors, so its requests precede those of writes. */
  readonly urgent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The caller may see the names of environment variables, hosts and ports. */
  readonly trusted?: true;
  /**
   * The caller has already reserved room for the texts, or they are few and accounted for
   * elsewhere.
   */
  readonly reserved?: true;
}

/**
 * Maximum characters of a batch; enough for `batch_size` passages, and far below the limits of
 * services.
 */
const MAX_BATCH_CHARS = 512 * 1024;
/**
 * Maximum number of times that a batch is split to find the texts at fault; enough for three of 32.
 */
const MAX_SPLITS = 12;

/**
 * Texts that a local model is given at once. It computes them one after another, and a search waits
 * for those of a write that are at work.
 */
const LOCAL_BATCH = 4;
/** A local model has one process. */
const LOCAL_CONCURRENT = 1;

/** The state that the batches of a call share. */
interface Call {
  readonly endpoint: TextEndpoint;
  readonly urgent: boolean;
  readonly tellsWhy: boolean;
  readonly results: Map<string, TextResult>;
  readonly signal: AbortSignal;
  /** Set when a failure of the service ends the call. */
  down?: ServiceFailure;
}

export class RemoteEmbedder {
  readonly #settings: RemoteSettings;
  readonly #around: Surroundings;
  readonly #models: Pick<LocalModels, 'embed'>;
  readonly #cache: VectorCache;
  readonly #pending: Pending;
  /** Lanes by URL or local identity. */
  readonly #lanes = new Map<string, Lane>();
  /** Last seen vector length by identity. */
  readonly #lengths = new Map<string, number>();
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(settings: RemoteSettings, around: Surroundings, models: Pick<LocalModels, 'embed'>) {
    this.#settings = settings;
    this.#models = models;
    this.#around = around;
    this.#cache = new VectorCache(settings.cacheBytes);
    this.#pending = new Pending(settings.maxPendingTexts, settings.maxPendingBytes);
  }

  /**
   * Returns one result per text, in order: a vector, which the caller must not modify, or the
   * reason why there is none. Rejects only with the errors of reserve(), with
   * node_not_ready_exception during shutdown, or with the signal's reason.
   */
  async embed(
    endpoint: TextEndpoint,
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
   * Reserves room for texts and their vectors until the returned function is called, which must
   * happen once. Throws content_too_large_exception if they could never fit,
   * es_rejected_execution_exception if they do not fit now.
   */
  reserve(endpoint: TextEndpoint, texts: readonly string[]): () => void {
    const dims = endpoint.dims ?? this.#lengths.get(identityOf(endpoint));
    return this.#pending.enter(texts, dims);
  }

  /** Cancels running calls and rejects new ones. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort(shutDown());
  }

  /** Fills `results` from the cache; returns the missing texts without duplicates. */
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
    endpoint: TextEndpoint,
    texts: readonly string[],
    results: Map<string, TextResult>,
    options: EmbedOptions,
  ): Promise<void> {
    const controller = new AbortController();
    // Every waiting batch adds a listener.
    setMaxListeners(0, controller.signal);
    const giveUp = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', giveUp, { once: true });
    this.#running.add(controller);
    const { signal } = controller;
    const tellsWhy = options.trusted === true || this.#settings.tellsWhy();
    const call: Call = { endpoint, urgent: options.urgent === true, tellsWhy, results, signal };
    const lane = this.#lane(endpoint);
    try {
      const batches = inBatches(texts, this.#batchSize(endpoint));
      const next = batches.values();
      const work = async (): Promise<void> => {
        for (const batch of next) await this.#embedBatch(batch, call, lane);
      };
      const workers = Math.min(batches.length, this.#maxConcurrent(endpoint));
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      // If one batch fails, the others are cancelled.
      controller.abort(shutDown());
      this.#running.delete(controller);
      options.signal?.removeEventListener('abort', giveUp);
    }
  }

  /**
   * Sets the result of every text of the batch. A batch that the service rejects is split in
   * halves, so that one bad text does not affect others.
   */
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

  /** Undefined if every text of the part has a result. */
  async #ask(part: readonly string[], call: Call, lane: Lane): Promise<ServiceFailure | undefined> {
    const { endpoint, urgent, signal, results } = call;
    try {
      const answers = isLocal(endpoint)
        ? await this.#askModel(endpoint, part, urgent, lane, signal)
        : await askService(
            {
              endpoint,
              urgent,
              texts: part,
              timeoutMs: this.#settings.timeoutMs(),
              maxRetries: this.#settings.maxRetries(),
            },
            lane,
            this.#around,
            signal,
          );
      const identity = identityOf(endpoint);
      for (const [i, text] of part.entries()) {
        const answer = answers[i];
        if (answer === undefined) continue;
        if (typeof answer === 'string') {
          results.set(text, `${describe(endpoint)} ${answer}`);
        } else {
          results.set(text, answer);
          // If the vector length differs from the last one, one of the two is wrong, so the vector
          // is not cached.
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

  /**
   * Rejects as soon as the signal is aborted; the lane is free when the model has answered.
   */
  async #askModel(
    model: LocalModel,
    texts: readonly string[],
    urgent: boolean,
    lane: Lane,
    signal: AbortSignal,
  ): Promise<readonly TextResult[]> {
    const started = this.#around.now();
    const observe = (outcome: Outcome): void =>
      this.#around.observe(outcome, (this.#around.now() - started) / 1000);
    const work = async (): Promise<readonly TextResult[]> => {
      try {
        const results = await this.#models.embed(model, texts);
        observe('ok');
        return results;
      } catch (error) {
        observe('failed');
        throw error;
      }
    };
    return unlessAborted(lane.run(work, { urgent, perMinute: undefined }, signal), signal);
  }

  #batchSize(endpoint: TextEndpoint): number {
    const size = this.#settings.batchSize();
    return isLocal(endpoint) ? Math.min(size, LOCAL_BATCH) : size;
  }

  #maxConcurrent(endpoint: TextEndpoint): number {
    return isLocal(endpoint) ? LOCAL_CONCURRENT : this.#settings.maxConcurrent();
  }

  /** Lanes are kept, because a delay that a service requested outlives the call. */
  #lane(endpoint: TextEndpoint): Lane {
    const key = isLocal(endpoint) ? identityOf(endpoint) : endpoint.url;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const { now, pause } = this.#around;
      lane = new Lane({ maxConcurrent: () => this.#maxConcurrent(endpoint), now, pause });
      this.#lanes.set(key, lane);
    }
    return lane;
  }
}

/**
 * Whether a variable is set or a port answers may only be shown to callers that may register
 * services.
 */
function reasonOf(failure: ServiceFailure, { endpoint, tellsWhy }: Call): string {
  if (tellsWhy || failure.blames !== 'service') return failure.message;
  return (
    `${describe(endpoint)} gave no vectors: ` +
    'POST /_inference/{id} with a key for all indices [*] reports the reason'
  );
}

function describe(endpoint: TextEndpoint): string {
  return isLocal(endpoint) ? describeModel(endpoint) : `the embeddings service [${endpoint.url}]`;
}

/** Settles with the promise, or rejects with the signal's reason if it is aborted first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
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
