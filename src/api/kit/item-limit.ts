// Limits the number of operations, documents or searches in one request. Each item costs objects in
// memory and a part of the answer, so a large body of minimal items would exhaust the memory of the
// process.
import { QuarryError } from '../../errors.js';
import type { ApiDeps } from './routes.js';

const NEWLINE = 0x0a;
/** Minimum size of an item: twice `{}` and a newline. */
const SHORTEST_ITEM_BYTES = 6;

export function refuseManyItems(deps: ApiDeps, count: number, what: string): void {
  const most = deps.live.get('limits.request_items');
  if (count <= most) return;
  throw new QuarryError(
    'content_too_large_exception',
    `the request names ${count} ${what}, more than the [limits.request_items] of ${most}: send them in several requests`,
  );
}

/** The same limit for NDJSON bodies; `linesEach` is the maximum number of lines per item. */
export function refuseManyLines(
  deps: ApiDeps,
  body: Uint8Array,
  linesEach: number,
  what: string,
): void {
  const most = deps.live.get('limits.request_items') * linesEach;
  if (body.length < (most / linesEach) * SHORTEST_ITEM_BYTES) return;
  let lines = 0;
  for (let at = body.indexOf(NEWLINE); at >= 0; at = body.indexOf(NEWLINE, at + 1)) {
    lines += 1;
    if (lines > most) {
      throw new QuarryError(
        'content_too_large_exception',
        `the request has more than ${most} lines of ${what}, as many as [limits.request_items] allows: send them in several requests`,
      );
    }
  }
}
