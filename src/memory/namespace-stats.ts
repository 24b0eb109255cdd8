// Statistics of a namespace, cached until a write or until the next memory expires or ends: how
// many memories there are, with which vectors, and how many of them are not visible. They save most
// recalls any counting.

import type { Backend, JsonObject } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { readCounted } from './counted.js';
import { TEXT_VECTOR } from './memory-index.js';
import { inScope } from './modes.js';
import type { RecallMode } from './recall-body.js';
import { after, type RecallMoment, unseenQuery } from './visible.js';

export interface Share {
  readonly all: number;
  /** With a vector of the text, and with a vector of the client. */
  readonly texts: number;
  readonly vectors: number;
}

export interface Counts {
  readonly held: Share;
  /** Part of `held`: not visible at the moment, by the first reason that applies. */
  readonly expired: Share;
  readonly superseded: Share;
  /** Epoch milliseconds; null: none ever expires. */
  readonly firstExpiry: number | null;
}

type Present = Pick<RecallMoment, 'now' | 'present'>;

interface CachedCounts {
  readonly mark: string;
  readonly counts: Counts;
  /** Epoch milliseconds: the counts are valid from then until one more memory expires or ends. */
  readonly from: number;
  readonly firstExpiry: number;
  readonly firstEnd: number;
}

/** Namespaces whose statistics are cached. */
const REMEMBERED = 2000;

export class NamespaceStats {
  readonly #backend: Backend;
  readonly #known = new BoundedMap<string, CachedCounts>(REMEMBERED);

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /**
   * The cached counts, if every write is published; undefined: there are none, or a write or an end
   * made them invalid.
   */
  known(index: string, { now, present }: Present): Counts | undefined {
    const known = this.#known.get(index);
    if (known?.mark !== this.#backend.writeMark(index)) return undefined;
    const { from, firstExpiry, firstEnd } = known;
    const holds = from <= now && now < firstExpiry && present < firstEnd;
    return holds ? known.counts : undefined;
  }

  async count(index: string, present: Present): Promise<Counts> {
    const backend = this.#backend;
    const mark = backend.writeMark(index);
    await backend.publish(index);
    const body = { size: 0, track_total_hits: true, aggs: wanted(present) };
    const { total, aggregations } = await backend.search({ index, body });
    const counted = readCounted<AggregatedCounts>(aggregations);
    const counts: Counts = {
      held: shareOf({ ...counted, doc_count: total?.value ?? 0 }),
      expired: shareOf(counted.expired),
      superseded: shareOf(counted.superseded),
      firstExpiry: counted.first.value,
    };
    const firstExpiry = counted.next_expiry.at.value ?? Number.POSITIVE_INFINITY;
    const firstEnd = counted.next_end.at.value ?? Number.POSITIVE_INFINITY;
    this.#known.set(index, { mark, counts, from: present.now, firstExpiry, firstEnd });
    return counts;
  }
}

interface Bucket {
  readonly doc_count: number;
  readonly texts: { readonly doc_count: number };
  readonly vectors: { readonly doc_count: number };
}

interface Value {
  readonly value: number | null;
}

interface AggregatedCounts extends Omit<Bucket, 'doc_count'> {
  readonly expired: Bucket;
  readonly superseded: Bucket;
  readonly first: Value;
  readonly next_expiry: { readonly at: Value };
  readonly next_end: { readonly at: Value };
}

function wanted({ now, present }: Present): JsonObject {
  const moment = { now, present, asOf: undefined, knownAt: undefined };
  const expired = unseenQuery('expired', moment);
  const superseded = inScope([], {
    filter: [unseenQuery('superseded', moment)],
    mustNot: [expired],
  });
  const shares = {
    texts: { filter: { exists: { field: TEXT_VECTOR } } },
    vectors: { filter: { exists: { field: 'vector' } } },
  };
  const next = (field: string, ms: number): JsonObject => ({
    filter: after(field, ms),
    aggs: { at: { min: { field } } },
  });
  return {
    ...shares,
    expired: { filter: expired, aggs: shares },
    superseded: { filter: superseded, aggs: shares },
    first: { min: { field: 'expires_at' } },
    next_expiry: next('expires_at', now),
    next_end: next('invalid_at', present),
  };
}

function shareOf({ doc_count: all, texts, vectors }: Bucket): Share {
  return { all, texts: texts.doc_count, vectors: vectors.doc_count };
}

export function isAllSeen({ expired, superseded }: Counts): boolean {
  return expired.all + superseded.all === 0;
}

/**
 * The share of memories that a mode could return for any query; undefined: it depends on the words
 * of the query.
 */
export function answerableShare(mode: RecallMode, { held }: Counts): keyof Share | undefined {
  switch (mode.kind) {
    case 'recent':
      return 'all';
    case 'vector':
      return 'vectors';
    case 'semantic':
      return 'texts';
    case 'hybrid': {
      const near = mode.vector === undefined ? 'texts' : 'vectors';
      return held[near] === held.all ? 'all' : undefined;
    }
    case 'query':
      return undefined;
  }
}
