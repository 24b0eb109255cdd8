// Asynchronous searches, whose answers only a single node keeps: with several services in front of a
// cluster, another one than that which began a search may be asked for its answer.
import type { AsyncSearches } from '../backend/index.js';
import { QuarryError } from '../errors.js';

const throws = (): never => {
  throw new QuarryError(
    'illegal_argument_exception',
    'asynchronous searches are not available in cluster mode: send a [_search], or send them to the cluster itself',
    { status: 501 },
  );
};

export const NO_ASYNC_SEARCHES: AsyncSearches = { start: throws, find: throws, delete: throws };
