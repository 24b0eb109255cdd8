// The snapshot policies with what became of them, stored in snapshot-policies.json of the data
// folder (entry-file.ts):
//   {"policies": {"<id>": {"policy": {…}, "version": 1, …}}, "node": {"node": {"stopped": false}}}
import type { Json, JsonObject } from '../../backend/index.js';
import type { EntryFormat } from '../../base/entry-file.js';
import { isObject } from '../body-fields.js';
import { checkPolicyId, type Policy, readPolicyBody } from './policy-body.js';

/** A run of a policy. */
export interface PolicyRun {
  readonly snapshot: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Why it failed. */
  readonly details?: string;
}

export interface PolicyCounts {
  readonly taken: number;
  readonly failed: number;
  readonly deleted: number;
  readonly deletionFailures: number;
}

export interface PolicyEntry {
  readonly policy: Policy;
  readonly version: number;
  readonly modifiedMs: number;
  /** The time up to which the schedule was followed: the next run is the first after it. */
  readonly followedMs: number;
  readonly lastSuccess: PolicyRun | undefined;
  readonly lastFailure: PolicyRun | undefined;
  readonly counts: PolicyCounts;
}

export interface PolicyNode {
  /** Whether schedules are suspended. */
  readonly isStopped: boolean;
  readonly retentionRuns: number;
  readonly retentionFailed: number;
  readonly retentionMs: number;
}

export type PolicySection = 'policies' | 'node';
/** The only name in the section of the node. */
export const NODE = 'node';
export const NO_COUNTS: PolicyCounts = { taken: 0, failed: 0, deleted: 0, deletionFailures: 0 };
export const NEW_NODE: PolicyNode = {
  isStopped: false,
  retentionRuns: 0,
  retentionFailed: 0,
  retentionMs: 0,
};

export const POLICY_FORMAT: EntryFormat<PolicySection, PolicyEntry | PolicyNode> = {
  list: 'list of snapshot policies',
  remedy: 'put the policies again',
  format: 1,
  sections: { policies: 'snapshot policy', node: 'state of snapshot policies' },
  read: (section, name, stored) => (section === NODE ? readNode(stored) : readEntry(name, stored)),
  print: (entry) => ('policy' in entry ? printEntry(entry) : { ...entry }) as JsonObject,
};

function printEntry(entry: PolicyEntry): object {
  const { policy, version, modifiedMs, followedMs, counts, lastSuccess, lastFailure } = entry;
  return {
    policy: policy.printed,
    version,
    modifiedMs,
    followedMs,
    counts,
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
    ...(lastFailure === undefined ? {} : { lastFailure }),
  };
}

function readEntry(id: string, stored: JsonObject): PolicyEntry {
  checkPolicyId(id);
  const body = stored['policy'];
  if (!isObject(body)) throw new Error('it has no [policy]');
  const followedMs = numberIn(stored, 'followedMs');
  return {
    policy: readPolicyBody(id, body, followedMs),
    version: numberIn(stored, 'version'),
    modifiedMs: numberIn(stored, 'modifiedMs'),
    followedMs,
    counts: {
      taken: numberIn(stored['counts'], 'taken'),
      failed: numberIn(stored['counts'], 'failed'),
      deleted: numberIn(stored['counts'], 'deleted'),
      deletionFailures: numberIn(stored['counts'], 'deletionFailures'),
    },
    lastSuccess: readRun(stored['lastSuccess']),
    lastFailure: readRun(stored['lastFailure']),
  };
}

function readRun(stored: Json | undefined): PolicyRun | undefined {
  if (stored === undefined) return undefined;
  if (!isObject(stored) || typeof stored['snapshot'] !== 'string') {
    throw new Error('it has a run without [snapshot]');
  }
  const { details } = stored;
  return {
    snapshot: stored['snapshot'],
    startMs: numberIn(stored, 'startMs'),
    endMs: numberIn(stored, 'endMs'),
    ...(typeof details === 'string' ? { details } : {}),
  };
}

function readNode(stored: JsonObject): PolicyNode {
  return {
    isStopped: stored['isStopped'] === true,
    retentionRuns: numberIn(stored, 'retentionRuns'),
    retentionFailed: numberIn(stored, 'retentionFailed'),
    retentionMs: numberIn(stored, 'retentionMs'),
  };
}

function numberIn(stored: Json | undefined, key: string): number {
  const value = isObject(stored) ? stored[key] : undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new Error(`it has no number [${key}]`);
}
