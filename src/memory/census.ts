// What a namespace holds, counted once and remembered until something is written: how many memories there are, how many of
// them have a vector, and from when on the first of them is not seen any more. Mostly it saves a recall all its counting.
import type { Backend } from '../backend.js';
import { TEXT_VECTOR } from './memory-index.js';
import type { RecallMode } from './recall-body.js';
import type { RecallMoment } from './visible.js';

export interface Counts {
  readonly memories: number;
  /** With a vector of the text, and with one of the caller's. */
  readonly texts: number;
  readonly vectors: number;
  /** Epoch milliseconds; null: none ever expires, or was superseded. */
  readonly firstExpiry: number | null;
  readonly firstEnd: number | null;
}

interface Known {
  readonly mark: string;
  readonly counts: Counts;
}

/** Namespaces that are remembered. */
const REMEMBERED = 2000;

const WANTED = {
  texts: { filter: { exists: { field: TEXT_VECTOR } } },
  vectors: { filter: { exists: { field: 'vector' } } },
  expiry: { min: { field: 'expires_at' } },
  end: { min: { field: 'invalid_at' } },
};

interface Answered {
  readonly texts: { readonly doc_count: number };
  readonly vectors: { readonly doc_count: number };
  readonly expiry: { readonly value: number | null };
  readonly end: { readonly value: number | null };
}

export class Census {
  readonly #backend: Backend;
  readonly #known = new Map<string, Known>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Undefined: something was written since, or nobody counted. Else every write is published. */
  known(index: string): Counts | undefined {
    const known = this.#known.get(index);
    return known?.mark === this.#backend.writeMark(index) ? known.counts : undefined;
  }

  async count(index: string): Promise<Counts> {
    const backend = this.#backend;
    const mark = backend.writeMark(index);
    await backend.publish(index);
    const body = { size: 0, track_total_hits: true, aggs: WANTED };
    const { total, aggregations } = await backend.search({ index, body });
    const { texts, vectors, expiry, end } = aggregations as unknown as Answered;
    const counts: Counts = {
      memories: total?.value ?? 0,
      texts: texts.doc_count,
      vectors: vectors.doc_count,
      firstExpiry: expiry.value,
      firstEnd: end.value,
    };
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(index, { mark, counts });
    return counts;
  }
}

/** Every memory is seen at the moment. */
export function isAllSeen({ firstExpiry, firstEnd }: Counts, moment: RecallMoment): boolean {
  const { now, asOf, knownAt } = moment;
  if (asOf !== undefined || knownAt !== undefined) return false;
  return (firstExpiry === null || firstExpiry > now) && (firstEnd === null || firstEnd > now);
}

/** Memories that a mode of nearness could answer, of all; undefined: it depends on the words. */
export function answerable(
  mode: RecallMode,
  { memories, texts, vectors }: Counts,
): number | undefined {
  if (mode.kind === 'vector') return vectors;
  if (mode.kind === 'semantic') return texts;
  const near = mode.kind === 'hybrid' && mode.vector !== undefined ? vectors : texts;
  return near === memories ? memories : undefined;
}
