// Validates responses of a running server against its API document: the operation must exist, and
// the body must match.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiDocument, ApiOperation } from './api-document.ts';

export interface Exchange {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export class ApiChecker {
  readonly #document: ApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #patterns: readonly (readonly [RegExp, string])[];
  readonly #compiled = new Map<object, ValidateFunction>();
  readonly seen = new Set<string>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#ajv.addSchema({ $id: 'api', components: document.components });
    this.#patterns = Object.keys(document.paths)
      .toSorted((a, b) => parameters(a) - parameters(b) || a.localeCompare(b))
      .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path]);
  }

  /** The errors found; none for paths that the document does not contain. */
  faults({ method, path, status, contentType, text }: Exchange): readonly string[] {
    const url = path.split('?')[0] ?? '';
    const known = this.#patterns.find(
      ([pattern, name]) => pattern.test(url) && this.#operation(name, method) !== undefined,
    );
    if (known === undefined || /[?&]filter_path=/.test(path)) return [];
    const operation = this.#operation(known[1], method);
    if (operation === undefined) return [];
    this.seen.add(operation.operationId);
    const response = operation.responses[status] ?? operation.responses['default'];
    if (status < 400 && operation.responses[status] === undefined) {
      return [`${operation.operationId}: status ${status} is not in the document`];
    }
    if (text === '') return [];
    const type = (contentType ?? '').split(';')[0]?.replace(/vnd\.elasticsearch\+/, '') ?? '';
    const schema = response?.content?.[type]?.schema;
    if (schema === undefined)
      return [`${operation.operationId}: ${status} as ${type} is not there`];
    if (type !== 'application/json') return [];
    const validate = this.#compile(schema);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(
      (error: ErrorObject) =>
        `${operation.operationId} ${status}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
  }

  #operation(path: string, method: string): ApiOperation | undefined {
    return this.#document.paths[path]?.[method.toLowerCase()];
  }

  #compile(schema: object): ValidateFunction {
    const found = this.#compiled.get(schema);
    if (found !== undefined) return found;
    const absolute = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"api#/components'),
    );
    const made = this.#ajv.compile(absolute);
    this.#compiled.set(schema, made);
    return made;
  }
}

function parameters(path: string): number {
  return path.split('{').length;
}
