// The snapshot service of a node: repositories by name, in which snapshots are created, listed,
// restored and deleted. It works on the Backend and its index copies, with one change of a
// repository folder at a time.
import type { Backend, DamagedEntry, IndexCopies, JsonObject } from '../backend/index.js';
import { KeyedQueue } from '../base/keyed-queue.js';
import { QuarryError } from '../errors.js';
import type { Removed } from './blob-store.js';
import { readSnapshotBody } from './bodies.js';
import { choose } from './choose.js';
import { type GlobalPart, saveGlobalState } from './global-state.js';
import { checkSnapshotName } from './names.js';
import { Pace, type PaceOptions } from './pace.js';
import { Policies, type PoliciesOptions } from './policies/policies.js';
import { causeOf, repositoryError, snapshotMissing } from './refusals.js';
import type { Repository } from './repository.js';
import { RepositoryAccess, tried } from './repository-access.js';
import type { RepositorySettings } from './repository-body.js';
import { type OnEnded, Restores } from './restores.js';
import type { AllowedPlaces } from './s3/place.js';
import { type SnapshotPlan, SnapshotRun, snapshotFailed } from './snapshot-run.js';
import { Stores } from './stores.js';
import { type SnapshotView, shownRecord, shownRun } from './views.js';

export interface SnapshotsOptions {
  readonly backend: Pick<Backend, 'resolve' | 'deleteIndices'>;
  readonly copies: IndexCopies;
  readonly globalState: readonly GlobalPart[];
  /** The folder of the list of repositories. */
  readonly dataDir: string;
  /** Folders in which repositories are permitted. */
  readonly roots: readonly string[];
  /** Places of S3 in which repositories are permitted (AllowedPlaces). */
  readonly places: AllowedPlaces;
  /** Reads a variable of the environment. */
  readonly environment: (name: string) => string | undefined;
  /** Bytes per second; 0 for no limit. */
  readonly rate: () => number;
  /** Bytes that must stay free on disks of repositories. */
  readonly reserveBytes: number;
  readonly version: string;
  readonly nodeId: string;
  /** Returns a unique string of 22 characters. */
  readonly newUuid: () => string;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly pause: PaceOptions['pause'];
  readonly after: PoliciesOptions['after'];
  readonly onRestored: () => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onEnded: OnEnded;
}

/** Maximum number of failed snapshots that are still listed. */
const MAX_FAILED = 16;
const STOPPING = 'the server is stopping';

export class Snapshots {
  readonly repositories: RepositoryAccess;
  readonly restores: Restores;
  readonly policies: Policies;
  readonly #options: SnapshotsOptions;
  readonly #stores: Stores;
  readonly #turns = new KeyedQueue();
  /** Running snapshots by repository and name; null while the request is still being checked. */
  readonly #running = new Map<string, SnapshotRun | null>();
  /** Snapshots that failed since the start of the node; the repository contains nothing of them. */
  readonly #failed = new Map<string, SnapshotView>();
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    const { dataDir, newUuid } = options;
    this.#stores = new Stores({
      ...options,
      surroundings: { ...options, signal: this.#stop.signal },
    });
    this.repositories = new RepositoryAccess({
      dataDir,
      stores: this.#stores,
      newUuid,
      inUse: (name) =>
        this.restores.runsFrom(name) ||
        [...this.#running.keys()].some((key) => key.startsWith(keyOf(name, ''))),
    });
    this.restores = new Restores({
      ...options,
      repositories: this.repositories,
      pace: (rate) => this.#pace(rate),
      signal: this.#stop.signal,
    });
    this.policies = new Policies({ ...options, snapshots: this });
  }

  /** Must be called after the data folder has been locked. */
  async load(): Promise<void> {
    await this.repositories.load();
    await this.policies.load();
  }

  damaged(): readonly DamagedEntry[] {
    return [...this.repositories.damaged(), ...this.policies.damaged()];
  }

  /** Cancels and rolls back running snapshots and restores. */
  async close(): Promise<void> {
    const policiesClosed = this.policies.close();
    this.#stop.abort();
    for (const run of this.#running.values()) run?.abort(STOPPING);
    while (this.#jobs.size > 0) await Promise.allSettled(this.#jobs);
    await this.restores.ended();
    await policiesClosed;
    await this.#stores.close();
  }

  /** Removes files that no snapshot of the repository uses. */
  async cleanUp(name: string): Promise<Removed> {
    const { files } = await this.repositories.openToWrite(name);
    return this.#turns.take(files.location, () => tried(files, () => files.cleanUp()));
  }

  /**
   * Starts a snapshot. `done` resolves when it is complete, and rejects if it failed and was rolled
   * back.
   */
  async create(
    name: string,
    snapshot: string,
    body: JsonObject,
  ): Promise<{ readonly done: Promise<SnapshotView> }> {
    this.repositories.check(name);
    checkSnapshotName(name, snapshot);
    const key = keyOf(name, snapshot);
    const inUse = new QuarryError(
      'snapshot_name_already_in_use_exception',
      `[${name}:${snapshot}] Invalid snapshot name [${snapshot}], snapshot with the same name already exists`,
    );
    if (this.#running.has(key)) throw inUse;
    this.#running.set(key, null);
    try {
      const plan = this.#plan(snapshot, body);
      const { settings, files } = await this.repositories.open(name);
      if (settings.readonly) {
        throw repositoryError(name, 'cannot create snapshot in a readonly repository', 400);
      }
      const present = await tried(files, () => files.snapshots());
      if (present.has(snapshot)) throw inUse;
      if (present.size >= settings.maxSnapshots) {
        throw repositoryError(
          name,
          `cannot add another snapshot to this repository as it already contains [${present.size}] snapshots and is ` +
            `configured to hold up to [${settings.maxSnapshots}] snapshots only`,
          400,
        );
      }
      return { done: this.#start(key, plan, files, settings) };
    } catch (error) {
      this.#running.delete(key);
      throw error;
    }
  }

  #plan(snapshot: string, body: JsonObject): SnapshotPlan {
    const request = readSnapshotBody(body);
    const { backend, globalState, version } = this.#options;
    const found =
      request.indices?.length === 0
        ? []
        : backend.resolve(request.indices?.join(',') ?? '_all', {
            expandWildcards: request.expandWildcards,
            ignoreUnavailable: request.ignoreUnavailable,
          });
    return {
      name: snapshot,
      uuid: this.#options.newUuid(),
      version,
      indices: found.map(({ name, uuid, shards }) => ({ name, uuid, shards })),
      partial: request.partial,
      metadata: request.metadata,
      includesGlobalState: request.includesGlobalState,
      globalState: request.includesGlobalState ? saveGlobalState(globalState) : {},
    };
  }

  #start(
    key: string,
    plan: SnapshotPlan,
    files: Repository,
    settings: RepositorySettings,
  ): Promise<SnapshotView> {
    const { copies, nowMs, nodeId, reserveBytes, onFailure, onEnded } = this.#options;
    const pace = this.#pace(settings.snapshotRate);
    const run = new SnapshotRun(plan, {
      repository: files,
      copies,
      pace,
      nowMs,
      nodeId,
      reserveBytes,
    });
    if (this.#stop.signal.aborted) run.abort(STOPPING);
    this.#running.set(key, run);
    this.#failed.delete(key);
    const work = async (): Promise<SnapshotView> => {
      try {
        const record = await this.#turns.take(files.location, () => run.run());
        const outcome = record.state === 'SUCCESS' ? 'success' : 'partial';
        onEnded('snapshot', outcome, nowMs() - run.startMs);
        return shownRecord(record);
      } catch (error) {
        onEnded('snapshot', 'failed', nowMs() - run.startMs);
        this.#noteFailure(key, run, error);
        onFailure(`snapshot [${files.name}:${plan.name}] failed`, error);
        throw snapshotFailed(files.name, plan.name, error);
      } finally {
        this.#running.delete(key);
      }
    };
    return this.#track(work());
  }

  /**
   * Existing, running and failed snapshots, oldest first. `tokens` are names, patterns, exclusions
   * and `_current`.
   */
  async list(
    name: string,
    tokens: readonly string[],
    ignoreUnavailable: boolean,
  ): Promise<readonly SnapshotView[]> {
    const { files } = await this.repositories.open(name);
    const all = new Map<string, SnapshotView>();
    const keep = (shown: SnapshotView): void => {
      if (!all.has(shown.name)) all.set(shown.name, shown);
    };
    const running = this.#runsOf(name).map((run) => shownRun(run, this.#options.nowMs()));
    for (const shown of running) keep(shown);
    const current = new Set(running.map((shown) => shown.name));
    if (!(tokens.length === 1 && tokens[0] === '_current')) {
      const present = await tried(files, () => files.snapshots());
      for (const record of present.values()) keep(shownRecord(record));
      for (const [key, shown] of this.#failed) if (key === keyOf(name, shown.name)) keep(shown);
    }
    const wanted = tokens.flatMap((token) => (token === '_current' ? [...current] : [token]));
    if (tokens.length > 0 && wanted.length === 0) return [];
    const chosen = choose([...all.keys()], wanted, (missing) => {
      if (!ignoreUnavailable) throw snapshotMissing(name, missing);
    });
    return chosen
      .flatMap((one) => all.get(one) ?? [])
      .sort((a, b) => a.startMs - b.startMs || (a.uuid < b.uuid ? -1 : 1));
  }

  /** Running snapshots of one repository, or of all. */
  running(name?: string): readonly { readonly repository: string; readonly shown: SnapshotView }[] {
    const names = name === undefined ? [...this.repositories.list([]).keys()] : [name];
    if (name !== undefined) this.repositories.check(name);
    const now = this.#options.nowMs();
    return names.flatMap((repository) =>
      this.#runsOf(repository).map((run) => ({ repository, shown: shownRun(run, now) })),
    );
  }

  async delete(name: string, tokens: readonly string[]): Promise<void> {
    const { files } = await this.repositories.openToWrite(name);
    for (const { name: snapshot } of await this.list(name, tokens, false)) {
      const key = keyOf(name, snapshot);
      this.#running.get(key)?.abort(`snapshot [${name}:${snapshot}] was deleted while it was made`);
      await this.#turns.take(files.location, () =>
        tried(files, async () => {
          this.#failed.delete(key);
          const record = (await files.snapshots()).get(snapshot);
          if (record === undefined) return;
          if (this.restores.uses(files.location, snapshot)) throw beingRestored(name, snapshot);
          await files.recover();
          await files.remove(record);
        }),
      );
    }
  }

  #pace(rate: number | undefined): Pace {
    const { rate: configured, pause } = this.#options;
    const bytesPerSecond = rate === undefined ? configured : () => rate;
    return new Pace({ bytesPerSecond, now: () => performance.now(), pause });
  }

  #noteFailure(key: string, run: SnapshotRun, error: unknown): void {
    const now = this.#options.nowMs();
    const { reason } = causeOf(error);
    this.#failed.set(key, { ...shownRun(run, now), state: 'FAILED', reason, endMs: now });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > MAX_FAILED && oldest !== undefined) this.#failed.delete(oldest);
  }

  #runsOf(name: string): readonly SnapshotRun[] {
    return [...this.#running].flatMap(([key, run]) =>
      run !== null && key === keyOf(name, run.plan.name) ? [run] : [],
    );
  }

  /** Ignores the error, which was already reported, since no caller may be waiting for the job. */
  #track<T>(job: Promise<T>): Promise<T> {
    this.#jobs.add(job);
    job.catch(() => {}).finally(() => this.#jobs.delete(job));
    return job;
  }
}

function keyOf(repository: string, snapshot: string): string {
  return `${repository}/${snapshot}`;
}

function beingRestored(repository: string, snapshot: string): QuarryError {
  return new QuarryError(
    'concurrent_snapshot_execution_exception',
    `[${repository}:${snapshot}] cannot delete snapshot during a restore in progress`,
  );
}
