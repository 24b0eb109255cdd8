// What there is in a brain as a whole, counted link by link: states, degrees, types, detectors, and when links came and
// went.
import { type LinkTimes, type Moment, stateAt } from './times.js';

/** The columns of a link that count. */
export interface Counted extends LinkTimes {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly detector: string | null;
  readonly evidenced: boolean;
}

export const HOUR_MS = 3_600_000;

export interface Degree {
  in: number;
  out: number;
}

export class Summary {
  readonly moment: Moment;
  live = 0;
  retired = 0;
  future = 0;
  detected = 0;
  readonly degrees = new Map<string, Degree>();
  readonly types = new Map<string, { live: number; retired: number }>();
  readonly detectors = new Map<string, number>();
  /** Hour since the epoch -> links that were asserted, and that were retired. */
  readonly created = new Map<number, number>();
  readonly ended = new Map<number, number>();
  /** The next instant at which a link begins or ends: until then the states hold. */
  changesAt = Number.POSITIVE_INFINITY;

  constructor(moment: Moment) {
    this.moment = moment;
  }

  add(link: Counted): void {
    const state = stateAt(link, this.moment);
    if (state === undefined) return;
    this[state] += 1;
    for (const at of [link.valid_at, link.invalid_at]) {
      if (at !== null && at > this.moment.world) this.changesAt = Math.min(this.changesAt, at);
    }
    count(this.created, hourOf(link.created_at ?? link.valid_at));
    if (state === 'future') return;
    const type = this.types.get(link.type) ?? { live: 0, retired: 0 };
    type[state] += 1;
    this.types.set(link.type, type);
    if (state === 'retired') {
      count(this.ended, hourOf(link.expired_at ?? link.invalid_at));
      return;
    }
    if (link.evidenced) this.detected += 1;
    if (link.detector !== null) count(this.detectors, link.detector);
    this.#degree(link.src, 'out');
    this.#degree(link.dst, 'in');
  }

  #degree(node: string, side: keyof Degree): void {
    const degree = this.degrees.get(node);
    if (degree !== undefined) degree[side] += 1;
    else this.degrees.set(node, { in: 0, out: 0, [side]: 1 });
  }
}

function hourOf(ms: number | null): number {
  return Math.floor((ms ?? 0) / HOUR_MS);
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
