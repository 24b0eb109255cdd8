// The scrolls and points in time that are open: the snapshots that each holds on to, and when its time is over. Nobody has
// to come back for that: a timer closes what expired.

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

export interface SearchContextsOptions {
  /** A task: the shard may have to be opened first. */
  readonly pin: (shard: ShardRef) => Promise<bigint>;
  readonly unpin: (shard: ShardSnapshot) => void;
  readonly flush: (shard: ShardRef) => Promise<void>;
  /** Wall clock, for the dates of its queries. */
  readonly nowMs: () => number;
  /** Milliseconds of a clock that nobody sets: for what lasts so long. */
  readonly now: () => number;
  readonly maxOpen: () => number;
  readonly maxKeepAliveMs: () => number;
  /** Of the requests that scrolls keep. */
  readonly maxBytes: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** What a search over pinned snapshots has to know. */
export interface PinnedTargets {
  readonly groups: readonly TargetGroup[];
  /** Indexes by name, their shards in order. */
  readonly snapshots: readonly ShardSnapshot[];
  /** When it began: dates of its queries mean the same in every batch. */
  readonly nowMs: number;
  /** Vectors of the texts of its queries, once they are known: of a scroll the same in every batch. */
  readonly texts: { vectors?: TextVectors };
}

/** Over snapshots that somebody holds on to. */
export type PinnedSearch = PinnedTargets & PinnedSnapshots;

export interface SearchContext {
  readonly id: string;
  readonly kind: ContextKind;
  readonly targets: PinnedTargets;
  /** Who opened it; undefined: somebody who may use everything. */
  readonly owner: string | undefined;
  /** What its request takes, about. */
  readonly bytes: number;
  keepAliveMs: number;
  /** On the clock of `now`. */
  expiresMs: number;
  /** Searches of it that run: it does not expire under them. */
  busy: number;
}

/** A flush empties memory into files, after which the same snapshot costs nothing to hold. */
const PIN_TRIES = 3;

export class SearchContexts {
  readonly #options: SearchContextsOptions;
  readonly #open = new Map<string, SearchContext>();
  /** Being pinned. */
  #opening = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #timerMs = Number.POSITIVE_INFINITY;

  constructor(options: SearchContextsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Pins every shard of the groups' indexes, also those that routing leaves out: words are counted over all of them. */
  async open(
    kind: ContextKind,
    groups: readonly TargetGroup[],
    keepAliveMs: number,
    { bytes = 0, owner }: { readonly bytes?: number; readonly owner?: string | undefined } = {},
  ): Promise<SearchContext> {
    this.expire();
    this.#admit(kind, bytes);
    this.#opening += 1;
    this.#bytes += bytes;
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
      this.#bytes += bytes;
      this.#open.set(context.id, context);
      this.#watch(context.expiresMs);
      return context;
    } finally {
      this.#opening -= 1;
      this.#bytes -= bytes;
    }
  }

  /**
   * Undefined when it is closed or expired, never was, or is not `owner`'s. Its time starts anew, `keepAliveMs` or as long as
   * before.
   */
  use(
    kind: ContextKind,
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

  /** A search of it. Its time starts anew when that ends. */
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

  /** How many shards it let go of; 0: it was not open. */
  release(kind: ContextKind, id: string, owner?: string): number {
    const context = this.#find(kind, id, owner);
    if (context === undefined) return 0;
    this.#open.delete(id);
    this.#bytes -= context.bytes;
    for (const snapshot of context.targets.snapshots) this.#options.unpin(snapshot);
    return context.targets.snapshots.length;
  }

  list(kind: ContextKind, owner?: string): readonly SearchContext[] {
    this.expire();
    return [...this.#open.values()].filter(
      (context) => context.kind === kind && isOf(context, owner),
    );
  }

  /** Closes those whose time is over. */
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

  /** `what`: how its refusals name it. */
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

  #find(kind: ContextKind, id: string, owner: string | undefined): SearchContext | undefined {
    const context = this.#open.get(id);
    return context?.kind === kind && isOf(context, owner) ? context : undefined;
  }

  #admit(kind: ContextKind, bytes: number): void {
    const room = this.#options.maxBytes();
    if (bytes > 0 && this.#bytes + bytes > room) {
      throw new QuarryError(
        'circuit_breaking_exception',
        `the requests of open scrolls would take more than [${room}] bytes of memory (search.held_bytes), close some of them`,
      );
    }
    const most = this.#options.maxOpen();
    if (this.#open.size + this.#opening < most) return;
    const what = kind === 'scroll' ? 'scroll' : 'point in time';
    throw new QuarryError(
      kind === 'scroll' ? 'too_many_scroll_contexts_exception' : 'es_rejected_execution_exception',
      `Trying to create too many ${what} contexts. Must be less than or equal to: [${most}]. This limit can be set by changing the [search.max_open_contexts] setting.`,
    );
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

  /** Rings at the earliest end; later ends are found by the next ring. */
  #watch(expiresMs: number): void {
    if (expiresMs >= this.#timerMs) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerMs = expiresMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#timerMs = Number.POSITIVE_INFINITY;
        this.expire();
        // What is being searched is watched again when that ends.
        const waiting = [...this.#open.values()].filter(({ busy }) => busy === 0);
        const next = Math.min(...waiting.map((context) => context.expiresMs));
        if (Number.isFinite(next)) this.#watch(next);
      },
      Math.max(1, expiresMs - this.#options.now()),
    );
    this.#timer.unref();
  }
}

/** `owner` undefined: of somebody who may use everything. */
function isOf(context: SearchContext, owner: string | undefined): boolean {
  return owner === undefined || context.owner === owner;
}

/** illegal_argument_exception for a text that no server could have given out. */
export function checkContextId(kind: ContextKind, id: string): void {
  if (isContextId(kind, id)) return;
  throw new QuarryError(
    'illegal_argument_exception',
    kind === 'scroll' ? 'Cannot parse scroll id' : `invalid id: [${id.slice(0, 100)}]`,
  );
}

/** What a search answers whose context is not there any more. */
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
