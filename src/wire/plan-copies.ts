// Copies of plans with a change in one place of the header or of the first leg, without encoding
// the plan again.
import { PLAN_HITS_JSON, PLAN_INLINE_FETCH } from './plan-writer.js';

const FLAGS_AT = 8;
const NOW_AT = 16;
/**
 * The offset after three headers: that of the plan, that of the first leg, which is the first
 * frame, and that of its query.
 */
const ROOT_BOOST_AT = 64 + 8 + 8;

const INLINE = PLAN_INLINE_FETCH | PLAN_HITS_JSON;

/** Returns the plan for a fan-out over several shards: hits only, without documents. */
export function withoutInlineFetch(plan: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = plan.slice() as Uint8Array<ArrayBuffer>;
  const view = new DataView(copy.buffer);
  view.setUint32(FLAGS_AT, view.getUint32(FLAGS_AT, true) & ~INLINE, true);
  return copy;
}

/**
 * Returns the plan with another time, in milliseconds since the epoch, not negative. Every search
 * from the cache of compiled plans calls this, so it writes bytes without creating a view.
 */
export function withTime(plan: Uint8Array, nowMs: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(plan);
  let left = Math.trunc(nowMs);
  for (let at = NOW_AT; at < NOW_AT + 8; at++) {
    copy[at] = left % 256;
    left = Math.floor(left / 256);
  }
  return copy;
}

/** Returns the plan with every score of its first leg multiplied by `factor` (indices_boost). */
export function withBoost(plan: Uint8Array, factor: number): Uint8Array<ArrayBuffer> {
  const copy = plan.slice() as Uint8Array<ArrayBuffer>;
  const view = new DataView(copy.buffer);
  view.setFloat32(ROOT_BOOST_AT, view.getFloat32(ROOT_BOOST_AT, true) * factor, true);
  return copy;
}
