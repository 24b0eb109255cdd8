// What a route declares of itself, and short ways to write JSON schemas (2020-12, as OpenAPI 3.1 has them).

export interface JsonSchema {
  readonly [key: string]: unknown;
}

export const TAGS = {
  search: 'Finding documents',
  documents: 'Writing and reading documents',
  indexes: 'Indexes, their mappings, settings, aliases and templates',
  memory: 'Memory of agents',
  graph: 'Links between documents',
  inference: 'Embeddings services',
  snapshots: 'Copies of indexes and back',
  node: 'The node: health, statistics, tables, tasks',
} as const;

/** One operation for each method and path of its route. */
export interface RouteSchema {
  /** Names the operation: snake_case, once in the whole API. */
  readonly id: string;
  readonly summary: string;
  readonly tag: keyof typeof TAGS;
  /** Absent: no body. */
  readonly body?: JsonSchema;
  readonly bodyRequired?: true;
  /** The body is lines of JSON. */
  readonly lines?: true;
  /** By status: JSON, TEXT for plain text, NOTHING for no body. Every other answer is an Error. */
  readonly answers: Readonly<Record<number, JsonSchema>>;
  /** Where a URL parameter means something else than on other routes. */
  readonly params?: Readonly<Record<string, JsonSchema>>;
  /** URL parameters that have to be there. */
  readonly needs?: readonly string[];
}

/** Not in the document: routes that only say what to use in their place, and the files of its page. */
export const UNSUPPORTED = 'unsupported';

export const TEXT: JsonSchema = { type: 'string', contentMediaType: 'text/plain' };
export const LINES: JsonSchema = { type: 'string', contentMediaType: 'application/x-ndjson' };
export const NOTHING: JsonSchema = {};
/** Rows as text, or as JSON where `format=json` or `Accept` asks for it. */
export const TABLE: JsonSchema = { 'x-table': true };

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const whole: JsonSchema = { type: 'integer' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const number: JsonSchema = { type: 'number' };
export const anything: JsonSchema = {};
export const document: JsonSchema = { type: 'object', additionalProperties: true };
export const nothing: JsonSchema = { type: 'object', maxProperties: 0 };

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
export function map(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values };
}
export function choice(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}
export function either(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas };
}
export function about(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}
/** Members whose name ends in `?` may be absent; there may be more members than these. */
export function object(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name.replace(/\?$/, ''), members[name] as JsonSchema]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}
/** The same, and nothing else. */
export function exactly(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...object(members), additionalProperties: false };
}
/** One of the named schemas in shared.ts. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
