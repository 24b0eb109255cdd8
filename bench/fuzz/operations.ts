// The operations of the API document, with suitable input for each: bodies of golden cases, values
// of its parameters.
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  resolveSchema,
} from '../../test/tools/api-document.ts';
import {
  type ApiRequest,
  goldenCase,
  goldenPaths,
  type RequestCase,
} from '../../test/tools/api-requests.ts';
import type { Choice } from './choice.ts';
import type { Body } from './mutations.ts';
import { SEED_BODIES } from './seed-bodies.ts';

export interface Operation {
  readonly method: string;
  /** With `{names}`. */
  readonly path: string;
  readonly params: readonly ApiParameter[];
  readonly bodies: readonly Body[];
  readonly schema: ApiSchema | undefined;
}

const MOST_LEVELS = 6;

/** A protocol of its own, which the document leaves to its specification. */
const MCP: Operation = {
  method: 'POST',
  path: '/v1/mcp',
  params: [],
  bodies: SEED_BODIES['/v1/mcp'] ?? [],
  schema: undefined,
};

export class Corpus {
  readonly operations: readonly Operation[];
  readonly cases: readonly RequestCase[];
  readonly #document: ApiDocument;
  readonly #patterns: readonly (readonly [RegExp, string])[];
  /** Values of path parameters in golden cases, by name. */
  readonly #pathValues = new Map<string, string[]>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#patterns = patternsOf(document);
    this.cases = goldenPaths().map((path) => goldenCase(path));
    const bodies = this.#readCases();
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const known = [...(bodies.get(endpointOf(path)) ?? []), ...(SEED_BODIES[path] ?? [])];
        return toOperation(method.toUpperCase(), path, operation, known);
      }),
    );
    this.operations = [...documented, MCP];
  }

  /** Undefined: the document does not contain it. */
  operationOf(method: string, address: string): Operation | undefined {
    const path = this.#pathOf(method, address) ?? address;
    return this.operations.find((one) => one.method === method && one.path === path);
  }

  /** A value from golden cases; undefined: none has such a parameter. */
  pathValue(name: string, choice: Choice): string | undefined {
    return choice.pick(this.#pathValues.get(name) ?? []);
  }

  /** A body for the operation; undefined: it has none. */
  bodyOf({ bodies, schema }: Operation, choice: Choice): Body | undefined {
    if (bodies.length > 0 && choice.chance(0.9)) return choice.pick(bodies);
    return schema === undefined ? undefined : { value: this.sample(schema, choice) };
  }

  /** A value that matches the schema. */
  sample(given: ApiSchema, choice: Choice, level = 0): unknown {
    const schema = resolveSchema(this.#document, given);
    if (schema.enum !== undefined) return choice.pick(schema.enum);
    if (schema.anyOf !== undefined) {
      return this.sample(choice.pick(schema.anyOf) ?? {}, choice, level + 1);
    }
    const { properties = {}, items = {} } = schema;
    switch (level > MOST_LEVELS ? 'null' : schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(properties)
            .filter(() => choice.chance(0.7))
            .map(([name, member]) => [name, this.sample(member, choice, level + 1)]),
        );
      case 'array':
        return [this.sample(items, choice, level + 1)];
      case 'integer':
        return choice.pick([0, 1, 2, 10]);
      case 'number':
        return choice.pick([0, 0.5, 1]);
      case 'boolean':
        return choice.chance(0.5);
      case 'string':
        return choice.pick(['a', 'title', 'm1', '1m', 'books', '1']);
      default:
        return choice.pick([1, 'a', {}, null]);
    }
  }

  #pathOf(method: string, address: string): string | undefined {
    const url = address.split('?')[0] ?? '';
    return this.#patterns.find(
      ([pattern, path]) =>
        pattern.test(url) && this.#document.paths[path]?.[method.toLowerCase()] !== undefined,
    )?.[1];
  }

  /** Bodies of the cases' requests, by endpoint. */
  #readCases(): ReadonlyMap<string, readonly Body[]> {
    const bodies = new Map<string, Body[]>();
    for (const { given = [], when } of this.cases) {
      for (const request of [...given, when]) {
        const path = this.#pathOf(request.method, request.path);
        if (path === undefined) continue;
        this.#readPathValues(path, request.path);
        const body = toBody(request);
        const endpoint = endpointOf(path);
        if (body !== undefined) bodies.set(endpoint, [...(bodies.get(endpoint) ?? []), body]);
      }
    }
    return bodies;
  }

  #readPathValues(path: string, address: string): void {
    const segments = (address.split('?')[0] ?? '').split('/');
    for (const [at, segment] of path.split('/').entries()) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) continue;
      const values = this.#pathValues.get(name) ?? [];
      this.#pathValues.set(name, [...values, segments[at] ?? '']);
    }
  }
}

export function toBody({ body, lines }: ApiRequest): Body | undefined {
  if (lines !== undefined) return { lines };
  return body === undefined ? undefined : { value: body };
}

function toOperation(
  method: string,
  path: string,
  operation: ApiOperation,
  bodies: readonly Body[],
): Operation {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const params = operation.parameters.filter((parameter) => parameter.in === 'query');
  // The body of a GET is documented with the POST, and is sent with both here.
  const takesBody = operation.requestBody !== undefined || method === 'GET';
  return { method, path, params, bodies: takesBody ? bodies : [], schema };
}

/**
 * The last part of a path, which determines the kind of body: `/_search` and `/{index}/_search` are
 * equal.
 */
function endpointOf(path: string): string {
  const named = path.split('/').filter((segment) => /^_/.test(segment));
  return named.length === 0 ? path : named.join('/').replace('_mappings', '_mapping');
}

function patternsOf(document: ApiDocument): readonly (readonly [RegExp, string])[] {
  const parameters = (path: string): number => path.split('{').length;
  return Object.keys(document.paths)
    .toSorted((a, b) => parameters(a) - parameters(b) || a.localeCompare(b))
    .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path]);
}
