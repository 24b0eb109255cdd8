// The current time of a brain. It is never earlier than a time that was returned or recorded
// before, also before the last restart, so that a system clock that is set back neither hides an
// acknowledged link nor makes a second one.

import type { Backend, Json, MaybePromise } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { defaultNodesIndex, edgesIndex, suggestionsIndex } from './names.js';

/**
 * Brains whose latest time is cached. For another brain the index is read again; it holds every
 * recorded time.
 */
const REMEMBERED = 10_000;

export class BrainClock {
  readonly #backend: Backend;
  readonly #nowMs: () => number;
  readonly #onAhead: () => void;
  /** Brain -> the latest time that was returned or recorded, epoch milliseconds. */
  readonly #latest = new BoundedMap<string, number>(REMEMBERED);
  readonly #reading = new Map<string, Promise<number>>();

  /** `onAhead`: called when a recorded time is in the future: the system clock was set back. */
  constructor(backend: Backend, nowMs: () => number, onAhead: () => void = () => {}) {
    this.#backend = backend;
    this.#nowMs = nowMs;
    this.#onAhead = onAhead;
  }

  /** Epoch milliseconds. Asynchronous only for a brain that is not cached. */
  now(brain: string): MaybePromise<number> {
    return this.#latest.has(brain) ? this.#pass(brain) : this.#start(brain);
  }

  /** Called when no document with a time of this brain is left. */
  forget(brain: string): void {
    this.#latest.delete(brain);
  }

  #pass(brain: string, recorded = Number.NEGATIVE_INFINITY): number {
    const latest = this.#latest.get(brain) ?? Number.NEGATIVE_INFINITY;
    const now = Math.max(this.#nowMs(), latest, recorded);
    this.#latest.set(brain, now);
    return now;
  }

  async #start(brain: string): Promise<number> {
    const there = this.#reading.get(brain);
    const reading = there ?? this.#recorded(brain).finally(() => this.#reading.delete(brain));
    if (there === undefined) this.#reading.set(brain, reading);
    const recorded = await reading;
    if (recorded > this.#nowMs()) this.#onAhead();
    return this.#pass(brain, recorded);
  }

  /** The latest time set by the service itself in any document of the brain. */
  async #recorded(brain: string): Promise<number> {
    const times = await Promise.all([
      this.#latestIn(edgesIndex(brain), ['created_at', 'expired_at']),
      this.#latestIn(suggestionsIndex(brain), ['created_at', 'decided_at']),
      this.#latestIn(defaultNodesIndex(brain), ['stored_at', 'superseded_at']),
    ]);
    return Math.max(...times);
  }

  async #latestIn(index: string, fields: readonly string[]): Promise<number> {
    if (!this.#backend.exists(index, {})) return Number.NEGATIVE_INFINITY;
    await this.#backend.publish(index);
    const values = await Promise.all(fields.map((field) => this.#latestOf(index, field)));
    return Math.max(...values);
  }

  async #latestOf(index: string, field: string): Promise<number> {
    const latestFirst: Json = { [field]: { order: 'desc', unmapped_type: 'date' } };
    const { hits, columns } = await this.#backend.columns({
      index,
      query: { exists: { field } },
      columns: [latestFirst],
      size: 1,
    });
    const value = hits === 0 ? undefined : columns[0]?.(0);
    return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY;
  }
}
