// Restrictions that the operator of a server sets and the model cannot change. If anything is
// pinned, only the pinned subjects have tools, and queries may not read other indexes through
// lookups.
import { type Call, Refusal } from './call.js';

export interface Pins {
  /**
   * Restricts memories to this namespace, and links to the brain of the same name unless `brain` is
   * set.
   */
  readonly namespace?: string;
  /** One index, or several separated by commas. */
  readonly index?: string;
  readonly brain?: string;
  readonly readOnly: boolean;
  /** Also offers the tools `search` and `fetch`. */
  readonly searchFetch: boolean;
}

export const NO_PINS: Pins = { readOnly: false, searchFetch: false };

export type Subject = 'index' | 'namespace' | 'brain';

export function isPinned({ namespace, index, brain }: Pins): boolean {
  return namespace !== undefined || index !== undefined || brain !== undefined;
}

export function pinOf(pins: Pins, subject: Subject): string | undefined {
  if (subject === 'brain') return pins.brain ?? pins.namespace;
  return pins[subject];
}

/** Whether the pins permit the subject. */
export function isOpen(pins: Pins, subject: Subject): boolean {
  return !isPinned(pins) || pinOf(pins, subject) !== undefined;
}

/**
 * The name to use. If the subject is pinned, it is the pin, and another name in the argument is an
 * error.
 */
export function nameFor(pins: Pins, subject: Subject, given: unknown): string {
  const pin = pinOf(pins, subject);
  if (!isOpen(pins, subject)) throw refused(`this server has no ${subject} open`);
  if (pin !== undefined) {
    if (given === undefined || given === pin) return pin;
    throw refused(`this server is pinned to the ${subject} [${pin}], leave [${subject}] away`);
  }
  if (typeof given === 'string' && given !== '') return given;
  const type = 'action_request_validation_exception';
  throw new Refusal(type, 400, `[${subject}] is missing or empty, name the ${subject}`);
}

/** Rejects parts of a query that could read other indexes or brains than the searched one. */
export function checkReach(pins: Pins, value: unknown): void {
  if (!isPinned(pins) || typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const reaches = key === 'wrapper' || key === 'graph' || namesIndex(inner);
    if (reaches) throw refused(`[${key}] may read beyond what this server is pinned to`);
    checkReach(pins, inner);
  }
}

/**
 * Whether the value refers to a document of an index, as in a lookup or a comparison: `{"index",
 * "id", "path"}`, `{"_index", "_id"}`.
 */
function namesIndex(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return (
    (has('index') && (has('id') || has('path'))) || (has('_index') && (has('_id') || has('doc')))
  );
}

/** Paths that only read although their method is POST. */
const READS = /\/(_search|_recall|_count|_audit)(\?|$)/;

/** Restricts a call to requests that change nothing. */
export function readOnlyCall(call: Call): Call {
  return async (request) => {
    const { method, path } = request;
    if (method === 'GET' || (method === 'POST' && READS.test(path))) return call(request);
    throw refused('this server only reads (--read-only)');
  };
}

function refused(reason: string): Refusal {
  return new Refusal('pinned', 403, reason);
}
