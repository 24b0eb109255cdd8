// How many operations, documents or searches one request may name. Each becomes objects in memory and a line of the answer: a
// body of millions of the smallest ones would take more than the process has.
import { QuarryError } from '../../errors.js';
import type { ApiDeps } from './routes.js';

const NEWLINE = 0x0a;
/** What an item takes at least: `{}`, a newline, and the same once more. */
const SHORTEST_ITEM_BYTES = 6;

export function refuseManyItems(deps: ApiDeps, count: number, what: string): void {
  const most = deps.live.get('limits.request_items');
  if (count <= most) return;
  throw new QuarryError(
    'content_too_large_exception',
    `the request names ${count} ${what}, more than the [limits.request_items] of ${most}: send them in several requests`,
  );
}

/** The same for lines of a body; `linesEach`: of one item, at most. */
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
