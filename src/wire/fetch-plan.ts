// The plan of a get: no query, only the parts of the document to fetch.
import {
  type FetchSpec,
  NO_TOTAL,
  type Opcodes,
  type PlanHeader,
  writePlan,
} from './plan-writer.js';

/** Writes a plan with only a fetch part, for Addon.get(). */
export function writeFetchPlan(
  fetch: FetchSpec,
  nowMs: number,
  opcodes: Opcodes,
): Uint8Array<ArrayBuffer> {
  const header: PlanHeader = {
    flags: 0,
    trackTotalHits: NO_TOTAL,
    nowMs,
    timeoutUs: 0,
    from: 0,
    size: 0,
    window: 0,
    terminateAfter: 0,
  };
  return writePlan({ header, legs: [], sort: [], searchAfter: [], fetch }, opcodes);
}
