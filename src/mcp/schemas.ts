// Cache of schemas compiled for the SDK. Each request has its own server, and the compiler never
// releases a schema that it compiled.
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { Schema } from './schema.js';

type Compiled<T> = ReturnType<typeof fromJsonSchema<T>>;

export class Schemas {
  readonly #compiled = new Map<string, Compiled<unknown>>();

  /** `name` identifies the schema; the same name must always mean the same schema. */
  of<T>(name: string, schema: () => Schema): Compiled<T> {
    const known = this.#compiled.get(name) ?? fromJsonSchema(schema());
    this.#compiled.set(name, known);
    return known as Compiled<T>;
  }
}
