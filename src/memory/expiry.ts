// Deletes expired memories with their links. The time of the first expiry of each namespace is
// stored as a document, so that no namespace has to be opened to find out. One timer serves all
// namespaces, and each sweep does a bounded amount of work.

import type { Backend, JsonObject } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { plainJson } from '../base/json-text.js';
import { KeyedQueue, type Turns } from '../base/keyed-queue.js';
import { EXPIRIES_INDEX } from '../base/state-indexes.js';
import { ensureIndex } from '../graph/edges-index.js';
import type { Graph } from '../graph/graph.js';
import { isName } from '../graph/names.js';
import { type ForgetIntent, seenAs } from './intent.js';
import type { Intents } from './intents.js';
import { memoryIndex } from './names.js';
import { type RemovalDeps, removeMemories } from './removals.js';
import type { Sessions } from './sessions.js';

export interface ExpiryOptions {
  readonly backend: Backend;
  readonly graph: Graph;
  readonly sessions: Sessions;
  readonly intents: Pick<Intents, 'during'>;
  readonly recallCounts: RemovalDeps['recallCounts'];
  readonly maxForgotten?: number | undefined;
  /** The queue of the namespaces that stores and deletions share. */
  readonly turns: Turns;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
  /** Runs the work once after `ms` milliseconds; the returned function cancels it. */
  readonly later: (work: () => void, ms: number) => () => void;
  /**
   * Milliseconds between two sweeps: an expired memory, which no search returns, may stay on disk
   * that long.
   */
  readonly pauseMs: () => number;
  readonly onError: (error: unknown) => void;
  /** Other processes store too: what is stored is read each time. */
  readonly isShared?: boolean;
  /** Runs the sweep unless another process does; undefined: it was not run. Default: always. */
  readonly sweepAlone?: (sweep: () => Promise<number>) => Promise<number | undefined>;
}

/** Memories per bulk, and bulks per namespace in one sweep. */
const BATCH = 500;
const MAX_BATCHES = 20;
/** Pause after a sweep that did not finish, in milliseconds. */
const SHORT_PAUSE_MS = 50;
/** Namespaces per sweep. */
const MAX_NAMESPACES = 100;
/** Namespaces whose next expiry is cached; for others it is read from the index. */
const REMEMBERED = 2000;
/** The maximum delay of a timer, in milliseconds. */
const MAX_WAIT_MS = 2 ** 31 - 1;
const NEVER = Number.POSITIVE_INFINITY;

const BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: {
    dynamic: false,
    properties: { next: { type: 'date', format: 'epoch_millis' } },
  },
};

export class Expiry {
  readonly #options: ExpiryOptions;
  /** Serializes notes and sweeps of one namespace. */
  readonly #order = new KeyedQueue();
  readonly #next = new BoundedMap<string, number>(REMEMBERED);
  /**
   * Namespace -> expiry times of memories that are being stored and that a sweep cannot see yet.
   */
  readonly #storing = new Map<string, Set<{ readonly at: number }>>();
  /** The last sweep left work for the next one. */
  #more = false;
  #due = NEVER;
  #cancel: (() => void) | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  /**
   * Must be called once the data is readable. An error is reported to onError, and planning is
   * retried later.
   */
  async start(): Promise<void> {
    try {
      await this.#plan();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Prevents further sweeps and resolves when the running one has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#running;
  }

  /**
   * Must be called before a memory that expires at `at` is stored. The returned function must be
   * called when the store has succeeded or failed.
   */
  async note(namespace: string, at: number): Promise<() => void> {
    const mine = { at };
    const storing = this.#storing.get(namespace) ?? new Set();
    this.#storing.set(namespace, storing.add(mine));
    const done = (): void => {
      storing.delete(mine);
      if (storing.size === 0 && this.#storing.get(namespace) === storing)
        this.#storing.delete(namespace);
    };
    try {
      await this.heard(namespace, at);
    } catch (error) {
      done();
      throw error;
    }
    return done;
  }

  /** Records that a memory of the namespace expires at `at`. */
  async heard(namespace: string, at: number): Promise<void> {
    if ((this.#next.get(namespace) ?? NEVER) <= at) return;
    await this.#order.take(namespace, async () => {
      if ((await this.#nextOf(namespace)) > at) await this.#write(namespace, at);
    });
    this.#arm(at);
  }

  /** The same without waiting, for a memory that was stored by another API. */
  seen(namespace: string, at: number): void {
    this.heard(namespace, at).catch(this.#options.onError);
  }

  /** Deletes the record of a dropped namespace. */
  async drop(namespace: string): Promise<void> {
    if (!this.#options.backend.exists(EXPIRIES_INDEX, {})) return;
    await this.#order.take(namespace, () => this.#write(namespace, NEVER));
  }

  /** Deletes a bounded number of expired memories and returns how many were deleted. */
  async sweep(): Promise<number> {
    const { sweepAlone } = this.#options;
    if (sweepAlone === undefined) return this.#sweep();
    return (await sweepAlone(() => this.#sweep())) ?? 0;
  }

  async #sweep(): Promise<number> {
    const { backend, nowMs } = this.#options;
    if (!backend.exists(EXPIRIES_INDEX, {})) return 0;
    await backend.publish(EXPIRIES_INDEX);
    const due = await backend.columns({
      index: EXPIRIES_INDEX,
      query: { range: { next: { lte: nowMs(), format: 'epoch_millis' } } },
      columns: ['next', '_id'],
      size: MAX_NAMESPACES,
    });
    this.#more = due.total > due.hits;
    let removed = 0;
    for (let hit = 0; hit < due.hits && !this.#closed; hit++) {
      const namespace = String(due.columns[1]?.(hit) ?? '');
      removed += await this.#order
        .take(namespace, () => this.#sweepOne(namespace))
        .catch((error: unknown) => {
          // An unreadable index must not block the other namespaces.
          this.#options.onError(error);
          return 0;
        });
    }
    return removed;
  }

  async #sweepOne(namespace: string): Promise<number> {
    const { backend, turns, nowMs } = this.#options;
    if (!isName(namespace)) {
      // The document was not written by a store: an id that is no namespace could name any index.
      await this.#write(namespace, NEVER);
      return 0;
    }
    const index = memoryIndex(namespace);
    let removed = 0;
    if (backend.exists(index, {})) {
      for (let batch = 0; batch < MAX_BATCHES && !this.#closed; batch++) {
        const mine = await turns.take(namespace, () => this.#removeSome(namespace, index, nowMs()));
        removed += mine.removed;
        if (mine.looked < BATCH) break;
        this.#more ||= batch === MAX_BATCHES - 1;
      }
    }
    await this.#write(namespace, await this.#firstOf(namespace, index));
    return removed;
  }

  async #removeSome(
    namespace: string,
    index: string,
    now: number,
  ): Promise<{ readonly looked: number; readonly removed: number }> {
    const { backend, intents } = this.#options;
    if (!backend.exists(index, {})) return { looked: 0, removed: 0 };
    await backend.publish(index);
    const { hits } = await backend.search({
      index,
      body: {
        query: { range: { expires_at: { lte: now, format: 'epoch_millis' } } },
        size: BATCH,
        sort: ['_doc'],
        track_total_hits: false,
        _source: false,
        seq_no_primary_term: true,
      },
    });
    if (hits.length === 0) return { looked: 0, removed: 0 };
    const forgotten = hits.map((hit) => ({ id: hit.id, document: seenAs(hit) }));
    const intent: ForgetIntent = { namespace, forgotten };
    const removed = await intents.during(intent, () => removeMemories(this.#options, intent));
    return { looked: hits.length, removed: removed.memories };
  }

  /** The earliest expiry of the remaining memories and of those that are being stored. */
  async #firstOf(namespace: string, index: string): Promise<number> {
    const { backend } = this.#options;
    let first = NEVER;
    if (backend.exists(index, {})) {
      await backend.publish(index);
      const { hits, columns } = await backend.columns({
        index,
        query: { exists: { field: 'expires_at' } },
        columns: ['expires_at'],
        size: 1,
      });
      if (hits > 0) first = Number(columns[0]?.(0));
    }
    for (const { at } of this.#storing.get(namespace) ?? []) first = Math.min(first, at);
    return first;
  }

  async #nextOf(namespace: string): Promise<number> {
    const known = this.#next.get(namespace);
    if (known !== undefined) return known;
    const { backend } = this.#options;
    if (!backend.exists(EXPIRIES_INDEX, {})) return NEVER;
    const { source } = await backend.get({ index: EXPIRIES_INDEX, id: namespace, source: true });
    if (source === undefined) return NEVER;
    const { next } = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
    // Any other value is no instant and is overwritten.
    return typeof next === 'number' ? next : NEVER;
  }

  async #write(namespace: string, next: number): Promise<void> {
    const { backend } = this.#options;
    const index = EXPIRIES_INDEX;
    if (next === NEVER) {
      await backend.write({ op: 'delete', index, id: namespace }, { refresh: 'false' });
    } else {
      await ensureIndex(backend, index, BODY);
      const source = Buffer.from(plainJson({ next }));
      await backend.write({ op: 'index', index, id: namespace, source }, { refresh: 'false' });
    }
    if (this.#options.isShared !== true) this.#next.set(namespace, next);
  }

  /** Sets the timer to the earliest expiry of all namespaces. */
  async #plan(): Promise<void> {
    const { backend } = this.#options;
    if (this.#closed || !backend.exists(EXPIRIES_INDEX, {})) return;
    await backend.publish(EXPIRIES_INDEX);
    const first = await backend.columns({
      index: EXPIRIES_INDEX,
      query: { match_all: {} },
      columns: ['next'],
      size: 1,
    });
    if (first.hits > 0) this.#arm(Number(first.columns[0]?.(0)));
  }

  #arm(at: number): void {
    if (this.#closed || at >= this.#due) return;
    this.#cancel?.();
    this.#due = at;
    const { later, nowMs, pauseMs } = this.#options;
    const pause = this.#more ? SHORT_PAUSE_MS : pauseMs();
    const wait = Math.min(Math.max(at - nowMs(), pause), MAX_WAIT_MS);
    this.#cancel = later(() => {
      this.#due = NEVER;
      this.#running = this.#run();
    }, wait);
  }

  async #run(): Promise<void> {
    try {
      await this.sweep();
      await this.#plan();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#options.onError(error);
    this.#arm(this.#options.nowMs());
  }
}
