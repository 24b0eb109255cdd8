// The restores of a node: plans, checks and runs them, and tracks running ones so that their
// snapshots are not deleted.
import type { IndexCopies, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { readRestoreBody } from './bodies.js';
import { type GlobalPart, restoreGlobalState } from './global-state.js';
import type { Pace } from './pace.js';
import { planRestore } from './plan-restore.js';
import type { SnapshotRecord } from './records.js';
import { type RepositoryAccess, tried } from './repository-access.js';
import { runRestore } from './restore-run.js';

/** Called at the end of every snapshot and restore, with its duration. */
export type OnEnded = (
  kind: 'snapshot' | 'restore',
  outcome: 'success' | 'partial' | 'failed',
  ms: number,
) => void;

export interface RestoresOptions {
  readonly copies: IndexCopies;
  readonly globalState: readonly GlobalPart[];
  readonly repositories: RepositoryAccess;
  /**
   * `rate` is the repository's limit in bytes per second; undefined for that of the configuration.
   */
  readonly pace: (rate: number | undefined) => Pace;
  readonly signal: AbortSignal;
  /** Called after indexes were restored, for services that cache the content of indexes. */
  readonly onRestored: () => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onEnded: OnEnded;
  readonly nowMs: () => number;
}

export interface StartedRestore {
  readonly indices: readonly string[];
  readonly shards: number;
  /** Resolves when the indexes have been restored; rejects if none was. */
  readonly done: Promise<void>;
}

interface Source {
  readonly repository: string;
  readonly location: string;
  readonly snapshot: string;
}

export class Restores {
  readonly #options: RestoresOptions;
  readonly #running = new Set<Source>();
  readonly #jobs = new Set<Promise<void>>();

  constructor(options: RestoresOptions) {
    this.#options = options;
  }

  /** Whether a restore from the repository is running. */
  runsFrom(repository: string): boolean {
    return [...this.#running].some((one) => one.repository === repository);
  }
  /**
   * Whether a restore of this snapshot is running, identified by the repository's folder, since a
   * folder may be registered under several names.
   */
  uses(location: string, snapshot: string): boolean {
    return [...this.#running].some((one) => one.location === location && one.snapshot === snapshot);
  }
  /** Resolves when all restores have ended. */
  async ended(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.allSettled(this.#jobs);
  }

  /** Validates as much as possible before any byte is copied. */
  async start(repository: string, snapshot: string, body: JsonObject): Promise<StartedRestore> {
    const { settings, files } = await this.#options.repositories.open(repository);
    const source = { repository, location: files.location, snapshot };
    this.#running.add(source);
    try {
      const { copies, pace, signal } = this.#options;
      const request = readRestoreBody(body, copies.rename);
      const record = (await tried(files, () => files.snapshots())).get(snapshot);
      if (record === undefined) {
        const reason = `[${repository}:${snapshot}] snapshot does not exist`;
        throw new QuarryError('snapshot_restore_exception', reason, { status: 404 });
      }
      const label = `[${repository}:${snapshot}/${record.uuid}]`;
      if (request.includesGlobalState && !record.includesGlobalState) {
        const reason = `${label} cannot restore global state since the snapshot was created without global state`;
        throw new QuarryError('snapshot_restore_exception', reason, { status: 400 });
      }
      const items = await planRestore(record, request, label, files, copies);
      const job = runRestore(record.uuid, label, items, {
        repository: files,
        copies,
        pace: pace(settings.restoreRate),
        verified: async () => {
          if (request.includesGlobalState) await this.#restoreGlobalState(record);
        },
        signal,
      });
      return {
        indices: items.map(({ restore }) => restore.name),
        shards: items.reduce((sum, item) => sum + item.record.shards, 0),
        done: this.#track(job, source, label),
      };
    } catch (error) {
      this.#running.delete(source);
      throw error;
    }
  }

  async #restoreGlobalState(record: SnapshotRecord): Promise<void> {
    await restoreGlobalState(this.#options.globalState, record.globalState);
  }

  /** Reports the failure, since no caller may be waiting for the job. */
  #track(job: Promise<void>, source: Source, label: string): Promise<void> {
    const { nowMs, onEnded, onFailure, onRestored } = this.#options;
    const startMs = nowMs();
    this.#jobs.add(job);
    job
      .then(
        () => onEnded('restore', 'success', nowMs() - startMs),
        (error: unknown) => {
          onEnded('restore', 'failed', nowMs() - startMs);
          throw error;
        },
      )
      .then(onRestored)
      .catch((error: unknown) => onFailure(`restore of ${label} failed`, error))
      .finally(() => {
        this.#running.delete(source);
        this.#jobs.delete(job);
      });
    return job;
  }
}
