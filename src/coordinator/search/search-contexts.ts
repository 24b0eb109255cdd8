// The open scrolls and points in time: the snapshots that each holds, and when it expires. A timer
// closes expired contexts, without any further request.

import type { MaybePromise } from '../../base/maybe-promise.js';
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import type { TextVectors } from '../../query/clause.js';
import type { PinnedSnapshots } from '../../query/pinned.js';
import type { ShardSnapshot } from '../../wire/plan-writer.js';
import type { ShardRef } from '../../worker/tasks.js';
import { shardsOf } from '../catalog/index-shards.js';
import type { TargetGroup } from '../shards/search-targets.js';
import { type ContextKind, contextId, isContextId, SECRET_BYTES } from './context-ids.js';
import type { ContextRoom } from './context-room.js';

export interface SearchContextsOptions {
  /** Holds the current snapshot; a worker task, because the shard may have to be opened first. */
  readonly pin: (shard: ShardRef) => Promise<bigint>;
  readonly unpin: (shard: ShardSnapshot) => void;
  readonly flush: (shard: ShardRef) => Promise<void>;
  /** Wall clock, for the dates of queries. */
  readonly nowMs: () => number;
  /** Milliseconds of a monotonic clock, for expiry. */
  readonly now: () => number;
  readonly maxKeepAliveMs: () => number;
  /** Its bytes are those of the requests that scrolls keep. */
  readonly room: ContextRoom;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The kinds of contexts that hold snapshots. */
export type PinnedKind = Exclude<ContextKind, 'async'>;

/** The inputs of a search over pinned snapshots. */
export interface PinnedTargets {
  readonly groups: readonly TargetGroup[];
  /** Ordered by index name and shard. */
  readonly snapshots: readonly ShardSnapshot[];
  /** When the context was opened: `now` in queries means the same in every batch. */
  readonly nowMs: number;
  /** Vectors of the strings of its queries, once made: all batches of a scroll use the same. */
  readonly texts: { vectors?: TextVectors };
}

/** A search over snapshots that its caller holds. */
export type PinnedSearch = PinnedTargets & PinnedSnapshots;

export interface SearchContext {
  readonly id: string;
  readonly kind: PinnedKind;
  readonly targets: PinnedTargets;
  /** The client that opened it; undefined: a client without access restrictions. */
  readonly owner: string | undefined;
  /** Approximate memory of its request. */
  readonly bytes: number;
  keepAliveMs: number;
  /** By the clock of `now`. */
  expiresMs: number;
  /** Number of its searches in progress; it does not expire meanwhile. */
  busy: number;
}

/**
 * Maximum number of flushes if memory is too short to hold a snapshot. A flush moves documents from
 * memory to files, after which holding the same snapshot takes no memory.
 */
const PIN_TRIES = 3;

export class SearchContexts {
  readonly #options: SearchContextsOptions;
  readonly #open = new Map<string, SearchContext>();
  #timer: NodeJS.Timeout | null = null;
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(options: SearchContextsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Pins every shard of the groups' indexes, including those that routing excludes, because term
   * statistics cover all shards.
   */
  async open(
    kind: PinnedKind,
    groups: readonly TargetGroup[],
    keepAliveMs: number,
    { bytes = 0, owner }: { readonly bytes?: number; readonly owner?: string | undefined } = {},
  ): Promise<SearchContext> {
    this.expire();
    const { room } = this.#options;
    room.enter(kind, bytes);
    try {
      const snapshots = await this.#pinAll(groups);
      const nowMs = this.#options.nowMs();
      const context: SearchContext = {
        id: contextId(kind, this.#options.randomBytes(SECRET_BYTES)),
        kind,
        targets: { groups, snapshots, nowMs, texts: {} },
        owner,
        bytes,
        keepAliveMs,
        expiresMs: this.#options.now() + keepAliveMs,
        busy: 0,
      };
      this.#open.set(context.id, context);
      this.#watch(context.expiresMs);
      return context;
    } catch (error) {
      room.leave(bytes);
      throw error;
    }
  }

  /**
   * Finds a context and restarts its keep-alive time, which is `keepAliveMs` or as long as before.
   * Undefined if it is closed, expired or unknown, or does not belong to `owner`.
   */
  use(
    kind: PinnedKind,
    id: string,
    keepAliveMs?: number,
    owner?: string,
  ): SearchContext | undefined {
    this.expire();
    const context = this.#find(kind, id, owner);
    if (context === undefined) return undefined;
    context.keepAliveMs = keepAliveMs ?? context.keepAliveMs;
    context.expiresMs = this.#options.now() + context.keepAliveMs;
    this.#watch(context.expiresMs);
    return context;
  }

  /** Runs a search of the context, and restarts its keep-alive time when the search ends. */
  async during<T>(context: SearchContext, search: () => MaybePromise<T>): Promise<T> {
    context.busy += 1;
    try {
      return await search();
    } finally {
      context.busy -= 1;
      context.expiresMs = this.#options.now() + context.keepAliveMs;
      this.#watch(context.expiresMs);
    }
  }

  /** Closes a context. Returns the number of released snapshots; 0 if it was not open. */
  release(kind: PinnedKind, id: string, owner?: string): number {
    const context = this.#find(kind, id, owner);
    if (context === undefined) return 0;
    this.#open.delete(id);
    this.#options.room.leave(context.bytes);
    for (const snapshot of context.targets.snapshots) this.#options.unpin(snapshot);
    return context.targets.snapshots.length;
  }

  list(kind: PinnedKind, owner?: string): readonly SearchContext[] {
    this.expire();
    return [...this.#open.values()].filter(
      (context) => context.kind === kind && isOf(context, owner),
    );
  }

  /** Closes expired contexts. */
  expire(): void {
    const now = this.#options.now();
    for (const { kind, id, expiresMs, busy } of [...this.#open.values()]) {
      if (expiresMs <= now && busy === 0) this.release(kind, id);
    }
  }

  /** The engine must still be open. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { kind, id } of [...this.#open.values()]) this.release(kind, id);
  }

  /** Parses a keep-alive time to milliseconds. `what`: its name in errors. */
  keepAliveMs(text: string, what: string): number {
    const ms = parseTime(text, what);
    if (!(ms > 0)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `[${what}] must be longer than 0, got [${text}]`,
      );
    }
    const most = this.#options.maxKeepAliveMs();
    if (ms <= most) return ms;
    throw new QuarryError(
      'illegal_argument_exception',
      `Keep alive for request (${text}) is too large. It must be less than (${most}ms). This limit can be set by changing the [search.max_keep_alive_ms] setting.`,
    );
  }

  #find(kind: PinnedKind, id: string, owner: string | undefined): SearchContext | undefined {
    const context = this.#open.get(id);
    return context?.kind === kind && isOf(context, owner) ? context : undefined;
  }

  async #pinAll(groups: readonly TargetGroup[]): Promise<readonly ShardSnapshot[]> {
    const entries = groups.flatMap((group) => group.entries);
    const byName = entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const pinned: ShardSnapshot[] = [];
    try {
      for (const shard of byName.flatMap(shardsOf)) {
        pinned.push({ ...shard, generation: await this.#pin(shard) });
      }
    } catch (error) {
      for (const snapshot of pinned) this.#options.unpin(snapshot);
      throw error;
    }
    return pinned;
  }

  async #pin(shard: ShardRef): Promise<bigint> {
    for (let left = PIN_TRIES; ; left--) {
      try {
        return await this.#options.pin(shard);
      } catch (error) {
        const full = error instanceof QuarryError && error.type === 'circuit_breaking_exception';
        if (!full || left === 0) throw error;
        await this.#options.flush(shard);
      }
    }
  }

  /** Sets the timer to the earliest expiry; when it fires, it is set to the next one. */
  #watch(expiresMs: number): void {
    if (expiresMs >= this.#timerMs) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerMs = expiresMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#timerMs = Number.POSITIVE_INFINITY;
        this.expire();
        // A context that is being searched sets the timer when its search ends.
        const waiting = [...this.#open.values()].filter(({ busy }) => busy === 0);
        const next = Math.min(...waiting.map((context) => context.expiresMs));
        if (Number.isFinite(next)) this.#watch(next);
      },
      Math.max(1, expiresMs - this.#options.now()),
    );
    this.#timer.unref();
  }
}

/** `owner` undefined: a client without access restrictions. */
function isOf(context: SearchContext, owner: string | undefined): boolean {
  return owner === undefined || context.owner === owner;
}

/** Throws illegal_argument_exception for a string that no server can have issued. */
export function checkContextId(kind: ContextKind, id: string): void {
  if (isContextId(kind, id)) return;
  throw new QuarryError(
    'illegal_argument_exception',
    kind === 'scroll' ? 'Cannot parse scroll id' : `invalid id: [${id.slice(0, 100)}]`,
  );
}

/** The error of a search whose context is not open any more. */
export function contextMissing(id: string): QuarryError {
  const cause = {
    type: 'search_context_missing_exception',
    reason: `No search context found for id [${id}]`,
  };
  return new QuarryError('search_phase_execution_exception', 'all shards failed', {
    status: 404,
    extra: {
      phase: 'query',
      grouped: true,
      failed_shards: [{ shard: -1, index: null, reason: cause }],
    },
    rootCauses: [cause],
    causedBy: cause,
  });
}
