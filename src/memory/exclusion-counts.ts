// Counts by reason the memories that a recall could have returned but left out.
import type { Backend, JsonObject } from '../backend/index.js';
import { readCounted } from './counted.js';
import { answerableOf, inScope, type Scope } from './modes.js';
import type { RecallRequest } from './recall-body.js';
import {
  type HiddenReason,
  type RecallMoment,
  UNSEEN,
  unseenQueries,
  unseenQuery,
} from './visible.js';

/**
 * Memories that the mode could return and that are not in the response. A memory counts for the
 * first reason that applies.
 */
export interface NotShown {
  /** Ranked after the last hit that is shown. */
  readonly k: number;
  readonly expired: number;
  readonly superseded: number;
  readonly filter: number;
  /** Present if a past instant was requested: stored or valid only later. */
  readonly not_yet?: number;
  /** Present if the graph restricts: out of reach. */
  readonly graph?: number;
  /** Present with `collapse`: after a better hit with the same value. */
  readonly collapsed?: number;
  /** Present if the length of texts is limited: beyond max_chars. */
  readonly max_chars?: number;
}

export interface ExclusionContext {
  readonly backend: Backend;
  readonly index: string;
  readonly request: RecallRequest;
  readonly moment: RecallMoment;
}

/** Memories of the whole namespace that are not visible at the moment. */
export async function countUnseen(context: Omit<ExclusionContext, 'request'>): Promise<number> {
  return count(context, { bool: { should: unseenQueries(context.moment) } });
}

/** Numbers by reason, of the memories that the mode could return. Takes one search. */
export async function unseenByReason({
  backend,
  index,
  request,
  moment,
}: ExclusionContext): Promise<Readonly<Record<HiddenReason, number>>> {
  const aggs = Object.fromEntries(
    UNSEEN.map((reason, i) => {
      const earlier = UNSEEN.slice(0, i).map((one) => unseenQuery(one, moment));
      const scope = { filter: [unseenQuery(reason, moment)], mustNot: earlier };
      return [reason, { filter: inScope([], scope) }];
    }),
  );
  const body = { query: answerableOf(request.mode), size: 0, track_total_hits: false, aggs };
  const { aggregations } = await backend.search({ index, body });
  const counted = readCounted<Record<HiddenReason, { readonly doc_count: number }>>(aggregations);
  return {
    expired: counted.expired.doc_count,
    superseded: counted.superseded.doc_count,
    not_yet: counted.not_yet.doc_count,
  };
}

/** Number of memories that are visible in `seen` but that the query `allowed` does not match. */
export async function countRefused(
  context: ExclusionContext,
  seen: Scope,
  allowed: JsonObject,
): Promise<number> {
  const answerable = answerableOf(context.request.mode);
  const scope = { ...seen, mustNot: [...seen.mustNot, allowed] };
  return count(context, inScope([answerable], scope));
}

/** Number of memories in the scope that the mode could return. */
export async function countAnswerable(context: ExclusionContext, scope: Scope): Promise<number> {
  return count(context, inScope([answerableOf(context.request.mode)], scope));
}

async function count(
  { backend, index }: Pick<ExclusionContext, 'backend' | 'index'>,
  query: JsonObject,
): Promise<number> {
  const { count: found } = await backend.count({ index, body: { query } });
  return found;
}
