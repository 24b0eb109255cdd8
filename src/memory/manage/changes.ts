// What changed in a namespace since a position, for caches and copies: each memory once, at its last
// store, change or supersession, and what was forgotten, by its id alone. The order is that of the
// writes: a position is a sequence number of the index of the memories.
import type { JsonObject, SearchHit } from '../../backend/index.js';
import { illegal } from '../../graph/names.js';
import { shown } from '../../graph/times.js';
import { readText, readWhole, refuseUnknown } from '../body-fields.js';
import { LIFE_FIELDS, readDocument, readEntry } from '../memory-entry.js';
import { memoryIndex } from '../names.js';
import type { MemoryDeps } from '../store.js';
import { presentMoment, type RecallMoment, whyUnseen } from '../visible.js';
import { forgottenAfter, horizonOf, NO_HORIZON } from './forgotten-log.js';

export type Change =
  | { readonly kind: 'forget'; readonly id: string }
  | {
      readonly kind: 'store' | 'edit' | 'supersede';
      readonly id: string;
      readonly text: string;
      readonly metadata: JsonObject | null;
      readonly stored_at: number | null;
      readonly edited_at: number | null;
      readonly expires_at: number | null;
      readonly invalid_at: number | null;
    };

export interface ChangesAnswer {
  readonly namespace: string;
  readonly exists: boolean;
  /**
   * True: the position is not of this namespace's index, which was dropped or restored meanwhile, or
   * so old that the log of what was forgotten does not reach back to it. The changes begin at the start, and what a client has of before is to be thrown away.
   */
  readonly reset: boolean;
  readonly changes: readonly Change[];
  /** For `since` of the next request; null: there is no such namespace. */
  readonly next: string | null;
  /** True: there are more changes now. */
  readonly more: boolean;
}

export interface ChangesRequest {
  readonly since: Position | undefined;
  readonly size: number;
}

interface Position {
  readonly uuid: string;
  readonly at: number;
  /**
   * The horizon of the log when the client began at the start: what had left the log by then, the
   * client never had.
   */
  readonly begun: number;
}

const KEYS = ['since', 'size'];
const MAX_SIZE = 1000;
const DEFAULT_SIZE = 100;
const START = -1;

export function readChangesBody(body: JsonObject): ChangesRequest {
  refuseUnknown(body, KEYS, 'a request for changes');
  const since = readText(body, 'since');
  return {
    since: since === undefined ? undefined : readPosition(since),
    size: readWhole(body, 'size', 1, MAX_SIZE) ?? DEFAULT_SIZE,
  };
}

function readPosition(text: string): Position {
  const match = /^([\w-]{1,64})\.(-1|\d{1,15})(?:\.(\d{1,15}))?$/.exec(text);
  if (match?.[1] !== undefined) {
    return { uuid: match[1], at: Number(match[2]), begun: Number(match[3] ?? NO_HORIZON) };
  }
  throw illegal(
    `[since] must be [next] of an earlier answer; leave it out to begin at the start, got ${shown(text)}`,
  );
}

/**
 * Runs in the namespace's turn, so that no forgetting is half done: its deletion has a position
 * before its entry in the log is there.
 */
export async function changesOf(
  deps: MemoryDeps,
  namespace: string,
  request: ChangesRequest,
): Promise<ChangesAnswer> {
  return deps.turns.take(namespace, () => readChanges(deps, namespace, request));
}

async function readChanges(
  deps: MemoryDeps,
  namespace: string,
  { since, size }: ChangesRequest,
): Promise<ChangesAnswer> {
  const { backend } = deps;
  const index = memoryIndex(namespace);
  const [description] = backend.exists(index, {}) ? backend.resolve(index, {}) : [];
  if (description === undefined) {
    const reset = since !== undefined;
    return { namespace, exists: false, reset, changes: [], next: null, more: false };
  }
  const { uuid } = description;
  const horizon = await horizonOf(backend, { namespace, uuid });
  const known =
    since?.uuid === uuid && Math.max(since.at, since.begun) >= horizon ? since : undefined;
  const from = known?.at ?? START;
  const begun = known?.begun ?? horizon;
  await backend.publish(index);
  const moment = await presentMoment(deps, namespace);
  const [{ hits }, forgotten] = await Promise.all([
    backend.search({
      index,
      body: {
        query: { range: { _seq_no: { gt: from } } },
        sort: ['_seq_no'],
        size: size + 1,
        track_total_hits: false,
        seq_no_primary_term: true,
        _source: { includes: [...LIFE_FIELDS, 'edited_at'] },
      },
    }),
    forgottenAfter(backend, { namespace, uuid }, from, size + 1),
  ]);
  const all = [
    ...hits.map((hit) => ({ at: Number(hit.seqNo), change: changeOf(hit, moment) })),
    ...forgotten.map(({ id, position }) => ({ at: position, change: forgetOf(id) })),
  ].sort((a, b) => a.at - b.at);
  const page = all.slice(0, size);
  const next = page.at(-1)?.at ?? from;
  return {
    namespace,
    exists: true,
    reset: since !== undefined && known === undefined,
    changes: page.map(({ change }) => change),
    // The horizon counts only until the position has passed it.
    next: begun > next ? `${uuid}.${next}.${begun}` : `${uuid}.${next}`,
    more: all.length > page.length,
  };
}

function forgetOf(id: string): Change {
  return { kind: 'forget', id };
}

/** A memory that has expired and is still on disk is shown as if it were forgotten. */
function changeOf({ id, source }: SearchHit, moment: RecallMoment): Change {
  const entry = readEntry(source);
  const hidden = whyUnseen(entry, moment);
  if (hidden === 'expired') return forgetOf(id);
  const edited = source === undefined ? undefined : readDocument(source)['edited_at'];
  const edited_at = typeof edited === 'number' ? edited : null;
  const { text, metadata, stored_at, expires_at, invalid_at } = entry;
  const shown = edited_at === null ? 'store' : 'edit';
  return {
    kind: hidden === 'superseded' ? 'supersede' : shown,
    id,
    text: text ?? '',
    metadata,
    stored_at,
    edited_at,
    expires_at,
    invalid_at,
  };
}
