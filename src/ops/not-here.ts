// Threads that have only some parts of the service.

/**
 * Thrown on an HTTP worker for what only the main thread can do. It is not a fault and never becomes an
 * answer: the request is forwarded.
 */
export class NotHere extends Error {
  constructor(what: string) {
    super(`this thread does not have ${what}`);
  }
}
