// The schema type of routes, and helpers to write JSON schemas (2020-12, as used by OpenAPI 3.1).

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

/** Describes an operation; there is one for each method and path of a route. */
export interface RouteSchema {
  /** Operation id in snake_case, unique in the API. */
  readonly id: string;
  readonly summary: string;
  readonly tag: keyof typeof TAGS;
  /** Absent if the operation takes no body. */
  readonly body?: JsonSchema;
  readonly bodyRequired?: true;
  /** The body is NDJSON. */
  readonly lines?: true;
  /** The same body as JSON, where a list is accepted in place of lines. */
  readonly bodyAsList?: JsonSchema;
  /**
   * Schemas by status: JSON, TEXT for plain text, NOTHING for no body. All other answers are an
   * Error.
   */
  readonly answers: Readonly<Record<number, JsonSchema>>;
  /** Overrides for URL parameters whose meaning differs from that on other routes. */
  readonly params?: Readonly<Record<string, JsonSchema>>;
  /** Required URL parameters. */
  readonly needs?: readonly string[];
}

/**
 * Leaves a route out of the document: routes that are always rejected, and the files of the
 * documentation page.
 */
export const UNSUPPORTED = 'unsupported';

export const TEXT: JsonSchema = { type: 'string', contentMediaType: 'text/plain' };
export const LINES: JsonSchema = { type: 'string', contentMediaType: 'application/x-ndjson' };
export const NOTHING: JsonSchema = {};
/** Table rows as text, or as JSON with `format=json` or `Accept`. */
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
/**
 * An object schema: members whose name ends in `?` are optional, and further members are allowed.
 */
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
/** An object schema without further members. */
export function exactly(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...object(members), additionalProperties: false };
}
/** Reference to a named schema of shared.ts. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
