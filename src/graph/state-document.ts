// Reads a document of the service's own state. A client with write access to all indexes may have
// stored anything there, so the document gets the same checks as the body of the route that writes
// it. A document that fails them counts as damaged and affects only its own subject.
import type { JsonObject } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { QuarryError } from '../errors.js';

export interface StateDocument {
  readonly index: string;
  readonly id: string;
  readonly source: Uint8Array;
  /** How to repair a damaged document; part of the error message. */
  readonly remedy: string;
}

/** Throws corrupt_index_exception where `read` throws. */
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
