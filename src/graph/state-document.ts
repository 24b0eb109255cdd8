// A document of the service's own state. Who may write everything may have written anything there, so it is read as the route
// that writes it reads its body; one that this would refuse is damaged, and harms nothing but what it is about.
import type { JsonObject } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { QuarryError } from '../errors.js';

export interface StateDocument {
  readonly index: string;
  readonly id: string;
  readonly source: Uint8Array;
  /** What to do about a damaged one. */
  readonly remedy: string;
}

/** corrupt_index_exception where `read` refuses it. */
export function readState<T>(
  { index, id, source, remedy }: StateDocument,
  read: (body: JsonObject) => T,
): T {
  try {
    return read(parseExact(Buffer.from(source).toString('utf8')) as JsonObject);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new QuarryError(
      'corrupt_index_exception',
      `document [${id}] of [${index}] is damaged: ${why}; ${remedy}`,
    );
  }
}

export function isDamaged(error: unknown): boolean {
  return error instanceof QuarryError && error.type === 'corrupt_index_exception';
}
