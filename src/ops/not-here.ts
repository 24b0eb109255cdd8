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

/** The same for a task that this thread has tried, or did not try, in vain: its pool is elsewhere. */
export class NeedsPool extends NotHere {
  constructor(task: string) {
    super(`a task [${task}]`);
  }
}
