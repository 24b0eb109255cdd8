// A search that is begun anew where what it saw is gone.
import { QuarryError } from '../errors.js';
import { type Soon, type Work, wait } from '../ops/soon.js';

/** A snapshot may be gone by the next phase; the second search sees the newer one. */
export function* withRetry<T>(work: () => Soon<T>): Work<T> {
  try {
    return yield* wait(work());
  } catch (error) {
    const gone = error instanceof QuarryError && error.type === 'search_context_missing_exception';
    if (!gone) throw error;
    return yield* wait(work());
  }
}
