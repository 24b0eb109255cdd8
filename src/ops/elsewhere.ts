// What a thread cannot do, because the parts that it takes live on another one.

/** Thrown on a thread that has only some parts of the service; not a fault, and never an answer. */
export class Elsewhere extends Error {
  constructor(what: string) {
    super(`${what} is the business of another thread`);
  }
}

/** A part of which this thread has `own` members; everything else about it throws Elsewhere. */
export function elsewhere<T extends object>(what: string, own: Partial<T> = {}): T {
  return new Proxy(own as T, {
    get: (target, member) => {
      // What asks for these only wants to know what kind of object it is.
      if (member in target || member === 'then' || typeof member === 'symbol') {
        return Reflect.get(target, member);
      }
      throw new Elsewhere(`${what}.${String(member)}`);
    },
  });
}
