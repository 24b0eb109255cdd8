// Schemas as the SDK takes them, compiled once: each request has a server of its own, and the compiler keeps whatever it was
// ever given.
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { Schema } from './schema.js';

type Compiled<T> = ReturnType<typeof fromJsonSchema<T>>;

export class Schemas {
  readonly #compiled = new Map<string, Compiled<unknown>>();

  /** `name`: of what has this schema, always the same one. */
  of<T>(name: string, schema: () => Schema): Compiled<T> {
    const known = this.#compiled.get(name) ?? fromJsonSchema(schema());
    this.#compiled.set(name, known);
    return known as Compiled<T>;
  }
}
