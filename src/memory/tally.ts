// The account of what a recall leaves out: how many memories it could have answered, by the reason why it did not.
import type { Backend, JsonObject } from '../backend.js';
import { answerableOf, inScope, type Scope } from './modes.js';
import type { RecallMode, RecallRequest } from './recall-body.js';
import { type RecallMoment, UNSEEN, type Unseen, unseenQueries, unseenQuery } from './visible.js';

/** Memories that the mode could answer and that are not in the answer; the first reason that holds counts. */
export interface NotShown {
  /** Ranked behind the last that is shown. */
  readonly k: number;
  readonly expired: number;
  readonly superseded: number;
  readonly filter: number;
  /** Where a past instant was asked for: stored or true only later. */
  readonly not_yet?: number;
  /** Where the graph restricts: out of reach. */
  readonly graph?: number;
  /** Where one of each session or the like is shown: behind a better one. */
  readonly collapsed?: number;
  /** Where texts are limited: beyond max_chars. */
  readonly max_chars?: number;
}

export interface TallyContext {
  readonly backend: Backend;
  readonly index: string;
  readonly request: RecallRequest;
  readonly moment: RecallMoment;
}

/** Memories that nobody sees at the moment; of the whole namespace, or of those that a mode could answer. */
export async function countUnseen(
  context: Omit<TallyContext, 'request'>,
  mode?: RecallMode,
): Promise<number> {
  const unseen = { bool: { should: unseenQueries(context.moment) } };
  const answerable = mode === undefined ? [] : [answerableOf(mode)];
  return count(context, inScope(answerable, { filter: [unseen], mustNot: [] }));
}

/** By reason, of the memories that the mode could answer. */
export async function unseenByReason(
  context: TallyContext,
): Promise<Readonly<Record<Unseen, number>>> {
  const { request, moment } = context;
  const answerable = answerableOf(request.mode);
  const counts = await Promise.all(
    UNSEEN.map((reason, i) => {
      const earlier = UNSEEN.slice(0, i).map((one) => unseenQuery(one, moment));
      const scope = { filter: [unseenQuery(reason, moment)], mustNot: earlier };
      return count(context, inScope([answerable], scope));
    }),
  );
  const [expired = 0, superseded = 0, not_yet = 0] = counts;
  return { expired, superseded, not_yet };
}

/** Seen, but not let through by what `allowed` adds to `seen`. */
export async function countRefused(
  context: TallyContext,
  seen: Scope,
  allowed: JsonObject,
): Promise<number> {
  const answerable = answerableOf(context.request.mode);
  const scope = { ...seen, mustNot: [...seen.mustNot, allowed] };
  return count(context, inScope([answerable], scope));
}

/** Everything in the scope that the mode could answer. */
export async function countAnswerable(context: TallyContext, scope: Scope): Promise<number> {
  return count(context, inScope([answerableOf(context.request.mode)], scope));
}

async function count(
  { backend, index }: Pick<TallyContext, 'backend' | 'index'>,
  query: JsonObject,
): Promise<number> {
  const { count: found } = await backend.count({ index, body: { query } });
  return found;
}
