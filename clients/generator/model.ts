// The clients' methods and types, read from the API document, for the printers of both languages.
import type { ClientMethod } from './operations.ts';
import { CLIENT_METHODS, TYPE_NAMES } from './operations.ts';

export type Type =
  | { readonly kind: 'text' | 'integer' | 'number' | 'flag' | 'null' | 'any' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Type }
  | { readonly kind: 'map'; readonly value: Type }
  | { readonly kind: 'either'; readonly options: readonly Type[] }
  | { readonly kind: 'named'; readonly name: string };

export interface Member {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly description: string | undefined;
}

export interface NamedType {
  readonly name: string;
  /** Sent to the service, where the other types are answers. */
  readonly isInput: boolean;
  readonly members: readonly Member[];
}

export interface Method extends ClientMethod {
  readonly id: string;
  readonly summary: string;
  readonly verb: string;
  /** The address with `{name}` for each argument. */
  readonly path: string;
  readonly pathArguments: readonly string[];
  /** Names of the members that go into the query string. */
  readonly query: readonly string[];
  readonly body: 'json' | 'lines' | 'none';
  /** Query string and body together. */
  readonly members: readonly Member[];
  /** Undefined: the members are those of the query string alone, and there are none. */
  readonly input: string | undefined;
  /** Of one line of the body. */
  readonly line: Type | undefined;
  /** Undefined: the answer is lines. */
  readonly answer: Type | undefined;
  /** Type of an item of a paged list. */
  readonly item: Type | undefined;
  /** 404 without an error is an answer: what was requested is not there. */
  readonly missing: boolean;
}

export interface Model {
  readonly types: readonly NamedType[];
  readonly methods: readonly Method[];
}

/** The keywords that the schemas of these operations use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly contentMediaType?: string;
}

interface Content {
  readonly [type: string]: { readonly schema: Schema } | undefined;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The paths of the API document. */
export type DocumentPaths = Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;

const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json';

export function modelOf(paths: DocumentPaths): Model {
  const types = new Types();
  const found = new Map<string, Method>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      const choice = CLIENT_METHODS[operation.operationId];
      if (choice === undefined) continue;
      found.set(operation.operationId, methodOf(types, choice, { path, verb, operation }));
    }
  }
  const methods = Object.keys(CLIENT_METHODS).map((id) => {
    const method = found.get(id);
    if (method === undefined) throw new Error(`the API document has no operation [${id}]`);
    return method;
  });
  return { types: types.all(), methods };
}

interface Place {
  readonly path: string;
  readonly verb: string;
  readonly operation: DocumentOperation;
}

function methodOf(types: Types, choice: ClientMethod, { path, verb, operation }: Place): Method {
  const { parameters, requestBody, responses } = operation;
  const inQuery = parameters.filter((one) => one.in === 'query');
  const query = inQuery.map(({ name }) => name);
  const content = choice.noBody === true ? undefined : requestBody?.content;
  const lines = content?.[LINES] !== undefined;
  const isFree = choice.api === 'search';
  const schema = lines ? undefined : content?.[JSON_TYPE]?.schema;
  const members = isFree
    ? []
    : [
        ...inQuery.map(
          ({ name, required, description, schema: one }): Member => ({
            name,
            required: required === true,
            description: description ?? one.description,
            type: choice.json?.includes(name) === true ? FREE : queryType(types, one, name),
          }),
        ),
        ...types.members(choice.type, schema ?? {}, true),
      ];
  const line = content?.[JSON_TYPE]?.schema.items;
  const [ok] = Object.keys(responses).sort();
  const answered = responses[ok ?? '']?.content;
  const answer = answered?.[JSON_TYPE]?.schema;
  const isLines = answer === undefined && answered?.[LINES] !== undefined;
  const named = isFree || answer === undefined ? FREE : types.answer(choice.type, answer);
  const items = choice.items === undefined ? undefined : answer?.properties?.[choice.items]?.items;
  return {
    ...choice,
    id: operation.operationId,
    summary: operation.summary,
    verb: verb.toUpperCase(),
    path,
    pathArguments: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query,
    body: content === undefined ? 'none' : lines ? 'lines' : 'json',
    members,
    input: inputOf(types, choice, members, query.length === 0 ? schema : undefined),
    line:
      lines && !isFree && line !== undefined
        ? types.of(`${choice.type}Line`, line, true)
        : undefined,
    answer: isLines ? undefined : named,
    item:
      items === undefined
        ? undefined
        : types.of(nested(choice.type, choice.items ?? '', true), items, false),
    missing: responses['404'] !== undefined,
  };
}

/** The name of the type of the input; a body alone is a schema that others may have as well. */
function inputOf(
  types: Types,
  { type }: ClientMethod,
  members: readonly Member[],
  body: Schema | undefined,
): string | undefined {
  if (members.length === 0) return undefined;
  const named = body === undefined ? undefined : types.of(`${type}Input`, body, true);
  return named?.kind === 'named' ? named.name : types.name(`${type}Input`, members, true);
}

const FREE: Type = { kind: 'map', value: { kind: 'any' } };

/** A list in the query string is names between commas; a moment may be a number. */
function queryType(types: Types, schema: Schema, name: string): Type {
  const type = types.of(name, schema, true);
  if (name === 'types' || name === 'detectors') return { kind: 'list', item: { kind: 'text' } };
  const isMoment = ['as_of', 'known_at', 'invalid_at'].includes(name);
  return isMoment ? { kind: 'either', options: [{ kind: 'integer' }, { kind: 'text' }] } : type;
}

/** Collects the object types; equal schemas share a name. */
class Types {
  readonly #bySchema = new Map<string, string>();
  readonly #named = new Map<string, NamedType>();

  all(): readonly NamedType[] {
    return [...this.#named.values()];
  }

  of(name: string, schema: Schema, isInput: boolean): Type {
    const { type, items, properties } = schema;
    const options = schema.anyOf ?? schema.oneOf;
    if (schema.enum !== undefined) return { kind: 'choice', values: schema.enum };
    if (options !== undefined) {
      return { kind: 'either', options: options.map((one) => this.of(name, one, isInput)) };
    }
    if (type === 'array') {
      return { kind: 'list', item: this.of(name, items ?? {}, isInput) };
    }
    if (type === 'object' && properties !== undefined) {
      const key = `${isInput}${JSON.stringify(schema)}`;
      const known = this.#bySchema.get(key);
      if (known !== undefined) return { kind: 'named', name: known };
      const free = this.#free(name);
      this.#bySchema.set(key, free);
      this.name(free, this.members(name, schema, isInput), isInput);
      return { kind: 'named', name: free };
    }
    if (type === 'object') {
      const values = schema.additionalProperties;
      const value = typeof values === 'object' ? this.of(name, values, isInput) : ANY;
      return { kind: 'map', value };
    }
    return { kind: SCALARS[type ?? ''] ?? 'any' };
  }

  /** Equal schemas of several statuses, or the members of all of them. */
  answer(base: string, schema: Schema): Type {
    return this.of(`${base}Answer`, schema, false);
  }

  members(base: string, { properties = {}, required = [] }: Schema, isInput: boolean): Member[] {
    return Object.entries(properties).map(([name, one]) => ({
      name,
      type: this.of(nested(base.replace(/Answer$/, ''), name, isList(one)), one, isInput),
      required: required.includes(name),
      description: one.description,
    }));
  }

  name(name: string, members: readonly Member[], isInput: boolean): string {
    this.#named.set(name, { name, members, isInput });
    return name;
  }

  /** The name, or where another type has it, one that says that it is of an answer. */
  #free(name: string): string {
    const better = TYPE_NAMES[name] ?? name;
    const isTaken = [...this.#bySchema.values()].includes(better);
    return isTaken ? `${better}Part` : better;
  }
}

const ANY: Type = { kind: 'any' };
const SCALARS: Readonly<Record<string, 'text' | 'integer' | 'number' | 'flag' | 'null'>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'flag',
  null: 'null',
};

function isList(schema: Schema): boolean {
  return schema.type === 'array';
}

/** The name of the type of a member; an item of a list is in the singular. */
function nested(base: string, member: string, isItem: boolean): string {
  const one = !isItem ? member : member.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
  const name = `${base}${one.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}`;
  return TYPE_NAMES[name] ?? name;
}
