// Decides which memories are visible: not after their expiry, not after they were superseded, and
// at a past instant those that existed then. It is expressed as queries, because a recall counts
// what it leaves out by reason, and as a function of one memory.
import type { JsonObject } from '../backend/index.js';
import type { Graph } from '../graph/graph.js';
import type { MemoryEntry } from './memory-entry.js';

export interface RecallMoment {
  /** Wall clock: an expired memory is invisible at every requested moment. */
  readonly now: number;
  /** The current time of the namespace, which never goes back. */
  readonly present: number;
  /** World time; undefined: now, and memories that begin later are visible as well. */
  readonly asOf: number | undefined;
  /** Recorded time; undefined: everything that is recorded at present. */
  readonly knownAt: number | undefined;
}

/** Reasons for being invisible; the first that applies counts. */
export const UNSEEN = ['expired', 'superseded', 'not_yet'] as const;
export type HiddenReason = (typeof UNSEEN)[number];

/** The memories that are hidden for that reason, whether or not another one applies. */
export function unseenQuery(reason: HiddenReason, moment: RecallMoment): JsonObject {
  const { now, asOf, knownAt } = moment;
  switch (reason) {
    case 'expired':
      return atMost('expires_at', now);
    case 'superseded': {
      const ended = atMost('invalid_at', worldOf(moment));
      if (knownAt === undefined) return ended;
      return { bool: { filter: [ended, atMost('superseded_at', knownAt)] } };
    }
    case 'not_yet': {
      if (asOf === undefined && knownAt === undefined) return { match_none: {} };
      const later = after('own_time', worldOf(moment));
      if (knownAt === undefined) return later;
      return { bool: { should: [later, after('stored_at', knownAt)] } };
    }
  }
}

/** Queries that a visible memory must not match. */
export function unseenQueries(moment: RecallMoment): readonly JsonObject[] {
  const past = moment.asOf !== undefined || moment.knownAt !== undefined;
  const reasons = past ? UNSEEN : UNSEEN.filter((reason) => reason !== 'not_yet');
  return reasons.map((reason) => unseenQuery(reason, moment));
}

export function whyUnseen(entry: MemoryEntry, moment: RecallMoment): HiddenReason | undefined {
  const { asOf, knownAt, now } = moment;
  const world = worldOf(moment);
  if (entry.expires_at !== null && entry.expires_at <= now) return 'expired';
  const known = knownAt === undefined || (entry.superseded_at ?? 0) <= knownAt;
  if (entry.invalid_at !== null && entry.invalid_at <= world && known) return 'superseded';
  if (asOf === undefined && knownAt === undefined) return undefined;
  if ((entry.own_time ?? 0) > world) return 'not_yet';
  return knownAt !== undefined && (entry.stored_at ?? 0) > knownAt ? 'not_yet' : undefined;
}

export function worldOf({ present, asOf, knownAt }: RecallMoment): number {
  return asOf ?? knownAt ?? present;
}

function atMost(field: string, ms: number): JsonObject {
  return { range: { [field]: { lte: ms, format: 'epoch_millis' } } };
}

/** The moment of a request that names none. */
export async function presentMoment(
  { graph, nowMs }: { readonly graph: Pick<Graph, 'now'>; readonly nowMs: () => number },
  namespace: string,
): Promise<RecallMoment> {
  const present = await graph.now(namespace);
  return { now: nowMs(), present, asOf: undefined, knownAt: undefined };
}

export function after(field: string, ms: number): JsonObject {
  return { range: { [field]: { gt: ms, format: 'epoch_millis' } } };
}
