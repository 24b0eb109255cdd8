// Who sees a memory when: nobody once it has expired; not once another took its place; at a past instant what was there
// then. As queries, because recall counts what it leaves out by reason, and for one memory in hand.
import type { JsonObject } from '../backend/index.js';
import type { Graph } from '../graph/graph.js';
import type { MemoryEntry } from './memory-entry.js';

export interface RecallMoment {
  /** Wall clock: what expires is gone at every moment that is asked for. */
  readonly now: number;
  /** The present of what is remembered, which never goes back. */
  readonly present: number;
  /** World time; undefined: now, and what begins later is seen as well. */
  readonly asOf: number | undefined;
  /** What was known then; undefined: all that is known now. */
  readonly knownAt: number | undefined;
}

/** Reasons of not being seen; the first that holds counts. */
export const UNSEEN = ['expired', 'superseded', 'not_yet'] as const;
export type HiddenReason = (typeof UNSEEN)[number];

/** What is hidden for that reason, whatever else holds. */
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

/** Must not match. */
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

/** The moment that is asked for where nobody names another. */
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
