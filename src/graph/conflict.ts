// Losing a compare-and-set is an outcome, not a failure: who lost looks again.
import { QuarryError } from '../errors.js';

export function isConflict(error: unknown): boolean {
  return error instanceof QuarryError && error.type === 'version_conflict_engine_exception';
}
