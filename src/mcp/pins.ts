// What whoever starts a server may fix, out of the model's reach. A pin closes what it does not name: with any of them only
// the subjects that are pinned have tools, and queries may not reach beyond by way of lookups.
import { type Call, Refusal } from './call.js';

export interface Pins {
  /** Memories of this namespace alone; links of the brain of that name unless `brain` says otherwise. */
  readonly namespace?: string;
  /** An index, or several as in a path. */
  readonly index?: string;
  readonly brain?: string;
  readonly readOnly: boolean;
  /** `search` and `fetch` under these names as well. */
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

/** False for what a pin closes. */
export function isOpen(pins: Pins, subject: Subject): boolean {
  return !isPinned(pins) || pinOf(pins, subject) !== undefined;
}

/** The name to use: the pinned one, which no argument may contradict. */
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

/** Refuses parts of a query that read other indexes or brains than the searched one. */
export function checkReach(pins: Pins, value: unknown): void {
  if (!isPinned(pins) || typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const reaches = key === 'wrapper' || key === 'graph' || namesIndex(inner);
    if (reaches) throw refused(`[${key}] may read beyond what this server is pinned to`);
    checkReach(pins, inner);
  }
}

/** A document elsewhere to look something up in, or to compare with: `{"index", "id", "path"}`, `{"_index", "_id"}`. */
function namesIndex(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return (
    (has('index') && (has('id') || has('path'))) || (has('_index') && (has('_id') || has('doc')))
  );
}

/** What of POST only reads. */
const READS = /\/(_search|_recall|_count)(\?|$)/;

/** A call that lets nothing be changed, whatever asks. */
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
