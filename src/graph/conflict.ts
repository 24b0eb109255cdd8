// Recognizes a lost compare-and-set, which is no failure: the caller reads the document again and
// retries.
import { QuarryError } from '../errors.js';

export function isConflict(error: unknown): boolean {
  return error instanceof QuarryError && error.type === 'version_conflict_engine_exception';
}
