// Snapshot policies: snapshots by a schedule, and the deletion of those that are no longer kept. A
// policy runs once at a time. Times that passed while the server was down, or during a long run, are
// made up by one run; times that passed while schedules were stopped are not.
import { join } from 'node:path';
import type { DamagedEntry, JsonObject } from '../../backend/index.js';
import { EntryFile } from '../../base/entry-file.js';
import { asText } from '../../base/json-text.js';
import { KeyedQueue } from '../../base/keyed-queue.js';
import { choose } from '../choose.js';
import { causeOf, illegal } from '../refusals.js';
import type { Snapshots } from '../snapshots.js';
import { checkPolicyId, policyMissing, readPolicyBody } from './policy-body.js';
import {
  NEW_NODE,
  NO_COUNTS,
  NODE,
  POLICY_FORMAT,
  type PolicyCounts,
  type PolicyEntry,
  type PolicyNode,
  type PolicyRun,
  type PolicySection,
} from './policy-file.js';
import { expired, policyOf } from './retention.js';

export interface PoliciesOptions {
  readonly dataDir: string;
  readonly snapshots: Pick<Snapshots, 'create' | 'list' | 'delete' | 'repositories'>;
  /** Returns a unique string of 22 characters. */
  readonly newUuid: () => string;
  readonly nowMs: () => number;
  /** Calls back once after `ms`; returns the function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** A policy as it is shown. */
export interface PolicyView extends PolicyEntry {
  readonly id: string;
  readonly nextMs: number | undefined;
  readonly running: { readonly snapshot: string; readonly startMs: number } | undefined;
}

const FILE = 'snapshot-policies.json';
/** Clocks are looked at again after this time, because they may be set. */
const LONGEST_WAIT_MS = 60_000;

export class Policies {
  readonly #options: PoliciesOptions;
  readonly #file: EntryFile<PolicySection, PolicyEntry | PolicyNode>;
  readonly #turns = new KeyedQueue();
  readonly #running = new Map<string, NonNullable<PolicyView['running']>>();
  readonly #jobs = new Set<Promise<void>>();
  /** The times up to which schedules were followed, also where the file could not be written. */
  readonly #followedMs = new Map<string, number>();
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(options: PoliciesOptions) {
    this.#options = options;
    this.#file = new EntryFile(join(options.dataDir, FILE), POLICY_FORMAT);
  }

  /** Must be called after the data folder has been locked. */
  load(): Promise<void> {
    return this.#file.load();
  }

  /** Schedules are followed from now on; what was missed until now is made up. */
  follow(): void {
    this.#wake();
  }

  damaged(): readonly DamagedEntry[] {
    return this.#file.damaged();
  }

  /** Starts no more runs, and waits for those that run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    while (this.#jobs.size > 0) await Promise.allSettled(this.#jobs);
  }

  get isStopped(): boolean {
    return this.#node.isStopped;
  }
  get node(): PolicyNode {
    return this.#node;
  }

  async put(id: string, body: JsonObject): Promise<void> {
    checkPolicyId(id);
    const now = this.#options.nowMs();
    const policy = readPolicyBody(id, body, now);
    this.#options.snapshots.repositories.check(policy.repository);
    if (policy.schedule.next(now) === undefined) {
      throw illegal(`[schedule] no time of [${asText(body['schedule'])}] is in the future`);
    }
    await this.#change(id, (before) => ({
      lastSuccess: undefined,
      lastFailure: undefined,
      counts: NO_COUNTS,
      ...before,
      policy,
      version: (before?.version ?? 0) + 1,
      modifiedMs: now,
      followedMs: now,
    }));
    this.#followedMs.set(id, now);
    this.#wake();
  }

  /** All policies without tokens. Throws resource_not_found_exception for an unknown plain name. */
  list(tokens: readonly string[]): readonly PolicyView[] {
    const names = choose([...this.#file.all.policies.keys()].sort(), tokens, (name) => {
      this.#file.refuseDamaged('policies', name);
      throw policyMissing(name);
    });
    return names.map((id) => {
      const entry = this.#entry(id);
      const next = entry.policy.schedule.next(this.#options.nowMs());
      return { id, ...entry, nextMs: next, running: this.#running.get(id) };
    });
  }

  /** Also removes a damaged policy. Its snapshots stay, and a run of it goes on. */
  async delete(id: string): Promise<void> {
    this.#file.refuseDamagedFile();
    if (!this.#file.has('policies', id)) throw policyMissing(id);
    await this.#turns.take(FILE, () =>
      this.#file.change([{ section: 'policies', name: id, entry: undefined }]),
    );
    this.#followedMs.delete(id);
  }

  /** Starts a run now, also while schedules are stopped; returns the name of its snapshot. */
  async execute(id: string): Promise<string> {
    this.#entry(id);
    const running = this.#running.get(id);
    if (running !== undefined) {
      throw illegal(`policy [${id}] is running, its snapshot is [${running.snapshot}]`);
    }
    return this.#start(id);
  }

  async stop(): Promise<void> {
    await this.#changeNode({ isStopped: true });
    this.#cancel();
  }

  /** Times that passed since stop() are left out. */
  async start(): Promise<void> {
    if (this.#node.isStopped) {
      const now = this.#options.nowMs();
      for (const id of this.#file.all.policies.keys()) {
        await this.#change(id, (entry) => ({ ...(entry as PolicyEntry), followedMs: now }));
        this.#followedMs.set(id, now);
      }
    }
    await this.#changeNode({ isStopped: false });
    this.#wake();
  }

  /** Deletes what the retention of each policy no longer keeps. */
  async retain(): Promise<void> {
    for (const id of [...this.#file.all.policies.keys()]) await this.#retain(id);
  }

  get #node(): PolicyNode {
    return (this.#file.all.node.get(NODE) as PolicyNode | undefined) ?? NEW_NODE;
  }

  #entry(id: string): PolicyEntry {
    this.#file.refuseDamaged('policies', id);
    const entry = this.#file.all.policies.get(id);
    if (entry === undefined) throw policyMissing(id);
    return entry as PolicyEntry;
  }

  /** Starts the runs that are due, and waits for the next. */
  #wake(): void {
    this.#cancel();
    if (this.#isClosed || this.#node.isStopped) return;
    const now = this.#options.nowMs();
    let nextMs = now + LONGEST_WAIT_MS;
    for (const id of this.#file.all.policies.keys()) {
      if (this.#running.has(id)) continue;
      const { policy, followedMs } = this.#entry(id);
      // A clock that was set back must not suspend the schedule.
      const followed = Math.min(this.#followedMs.get(id) ?? followedMs, now);
      this.#followedMs.set(id, followed);
      const due = policy.schedule.next(followed);
      if (due === undefined) continue;
      if (due <= now) void this.#start(id).catch(() => {});
      else nextMs = Math.min(nextMs, due);
    }
    this.#cancel = this.#options.after(nextMs - now, () => this.#wake());
  }

  /** Returns the name of the snapshot when it was begun; rejects, and notes it, if it was not. */
  async #start(id: string): Promise<string> {
    const { nowMs, newUuid, snapshots } = this.#options;
    const startMs = nowMs();
    const { policy } = this.#entry(id);
    const snapshot = `${policy.nameAt(startMs)}-${newUuid().toLowerCase()}`;
    this.#running.set(id, { snapshot, startMs });
    this.#followedMs.set(id, startMs);
    const begun = snapshots.create(policy.repository, snapshot, policy.config);
    const job = begun
      .then(({ done }) => done)
      .then(
        () => this.#ended(id, { snapshot, startMs, endMs: nowMs() }),
        (error: unknown) => {
          const details = causeOf(error).reason;
          this.#options.onFailure(`policy [${id}]: snapshot [${snapshot}] failed`, error);
          return this.#ended(id, { snapshot, startMs, endMs: nowMs(), details });
        },
      );
    this.#track(job, id);
    await begun;
    return snapshot;
  }

  #track(job: Promise<void>, id: string): void {
    const tracked = job
      .catch((error: unknown) => this.#options.onFailure(`policy [${id}] could not end`, error))
      .finally(() => {
        this.#running.delete(id);
        this.#jobs.delete(tracked);
        this.#wake();
      });
    this.#jobs.add(tracked);
  }

  /** A run that the end of the server cuts short is made up after the next start. */
  async #ended(id: string, run: PolicyRun): Promise<void> {
    if (!this.#file.all.policies.has(id) || (this.#isClosed && run.details !== undefined)) return;
    await this.#change(id, (before) => {
      const entry = { ...(before as PolicyEntry), followedMs: run.startMs };
      const { counts } = entry;
      return run.details === undefined
        ? { ...entry, lastSuccess: run, counts: { ...counts, taken: counts.taken + 1 } }
        : { ...entry, lastFailure: run, counts: { ...counts, failed: counts.failed + 1 } };
    });
    // Nothing is deleted after a failure, so that the last good snapshots stay.
    if (run.details === undefined && !this.#isClosed) await this.#retain(id);
  }

  async #retain(id: string): Promise<void> {
    const { nowMs, snapshots } = this.#options;
    const { policy } = this.#entry(id);
    if (policy.retention === undefined) return;
    const startMs = nowMs();
    let deleted = 0;
    let failed: unknown;
    try {
      const all = await snapshots.list(policy.repository, [], true);
      const own = all.filter((one) => policyOf(one) === id);
      for (const name of expired(own, policy.retention, nowMs())) {
        await snapshots.delete(policy.repository, [name]);
        deleted += 1;
      }
    } catch (error) {
      failed = error;
      this.#options.onFailure(`retention of policy [${id}] failed`, error);
    }
    const { retentionRuns, retentionFailed, retentionMs } = this.#node;
    const failures = failed === undefined ? 0 : 1;
    await this.#changeNode({
      retentionRuns: retentionRuns + 1,
      retentionFailed: retentionFailed + failures,
      retentionMs: retentionMs + (nowMs() - startMs),
    });
    if (!this.#file.all.policies.has(id)) return;
    await this.#change(id, (before) => {
      const entry = before as PolicyEntry;
      const counts: PolicyCounts = {
        ...entry.counts,
        deleted: entry.counts.deleted + deleted,
        deletionFailures: entry.counts.deletionFailures + failures,
      };
      return { ...entry, counts };
    });
  }

  #change(id: string, to: (before: PolicyEntry | undefined) => PolicyEntry): Promise<void> {
    return this.#turns.take(FILE, () => {
      const before = this.#file.all.policies.get(id) as PolicyEntry | undefined;
      return this.#file.change([{ section: 'policies', name: id, entry: to(before) }]);
    });
  }

  #changeNode(changes: Partial<PolicyNode>): Promise<void> {
    return this.#turns.take(FILE, () =>
      this.#file.change([{ section: NODE, name: NODE, entry: { ...this.#node, ...changes } }]),
    );
  }
}
