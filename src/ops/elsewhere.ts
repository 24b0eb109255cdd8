// Stubs for parts of the service that a thread does not have.

/**
 * Thrown on a thread that has only some parts of the service. It is not a fault and never becomes
 * an answer: the request is passed to another thread.
 */
export class Elsewhere extends Error {
  constructor(what: string) {
    super(`${what} is the business of another thread`);
  }
}

/**
 * A stub of a part that has only the members in `own` on this thread; using any other member throws
 * Elsewhere.
 */
export function elsewhere<T extends object>(what: string, own: Partial<T> = {}): T {
  return new Proxy(own as T, {
    get: (target, member) => {
      // These members are only read to find out what kind of object it is.
      if (member in target || member === 'then' || typeof member === 'symbol') {
        return Reflect.get(target, member);
      }
      throw new Elsewhere(`${what}.${String(member)}`);
    },
  });
}
