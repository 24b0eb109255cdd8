// Reads the bodies of index templates, component templates and legacy templates, and checks them
// before they are stored. The result is the form in which they are printed.
import type { Json, JsonObject, TemplateKind } from '../../backend/index.js';
import { checkPrintable, unprintable } from '../../base/names.js';
import { QuarryError } from '../../errors.js';
import { printAliasTable, readAliasTable } from '../catalog/aliases.js';
import { templateSettings } from '../catalog/settings.js';

/** A template as stored and printed. */
export interface TemplateBody {
  readonly index_patterns?: readonly string[];
  readonly template?: JsonObject;
  readonly composed_of?: readonly string[];
  readonly ignore_missing_component_templates?: readonly string[];
  readonly priority?: number;
  /** Of legacy templates. */
  readonly order?: number;
  readonly settings?: JsonObject;
  readonly mappings?: JsonObject;
  readonly aliases?: JsonObject;
  readonly version?: number;
  readonly allow_auto_create?: boolean;
  readonly deprecated?: boolean;
  readonly _meta?: JsonObject;
}

const PARTS = ['settings', 'mappings', 'aliases'] as const;
const KEYS: Readonly<Record<TemplateKind, readonly string[]>> = {
  index: [
    'index_patterns',
    'template',
    'composed_of',
    'ignore_missing_component_templates',
    'priority',
    'version',
    '_meta',
    'allow_auto_create',
    'deprecated',
  ],
  component: ['template', 'version', '_meta', 'deprecated'],
  legacy: ['index_patterns', 'order', 'version', ...PARTS],
};
/** Keys of Elasticsearch that are not supported. */
const REFUSED = ['data_stream', 'data_stream_options', 'lifecycle', 'data_stream_lifecycle'];
/** The name of each kind in error messages. */
export const CALLED: Readonly<Record<TemplateKind, string>> = {
  index: 'index_template',
  component: 'component_template',
  legacy: 'template',
};

export type CheckFilter = (filter: JsonObject) => void;

export function readTemplate(
  kind: TemplateKind,
  name: string,
  body: JsonObject,
  checkFilter: CheckFilter,
): TemplateBody {
  checkName(kind, name);
  checkKeys(CALLED[kind], body, KEYS[kind]);
  refuseNulls(CALLED[kind], kind === 'legacy' ? { ...body, order: body['order'] ?? 0 } : body);
  const patterns = kind === 'component' ? undefined : patternsOf(body['index_patterns']);
  const settingsOf = (given: JsonObject): JsonObject => readSettings(kind, name, given);
  const parts = (given: JsonObject): JsonObject => readParts(given, settingsOf, checkFilter);
  if (kind === 'component' && body['template'] === undefined) {
    throw bad('x_content_parse_exception', '[component_template] Required [template]');
  }
  const template = body['template'];
  return {
    ...(patterns === undefined ? {} : { index_patterns: patterns }),
    ...(kind === 'legacy'
      ? { order: whole(body, 'order') ?? 0, ...EMPTY_PARTS, ...parts(body) }
      : {}),
    ...(template === undefined
      ? {}
      : { template: parts(checkedTemplate(object('template', template))) }),
    ...(kind === 'index' ? { composed_of: textsOf(body, 'composed_of') ?? [] } : {}),
    ...member(
      'ignore_missing_component_templates',
      textsOf(body, 'ignore_missing_component_templates'),
    ),
    ...member('priority', kind === 'index' ? whole(body, 'priority', 0) : undefined),
    ...member('version', whole(body, 'version')),
    ...member('allow_auto_create', flag(body, 'allow_auto_create')),
    ...member('deprecated', flag(body, 'deprecated')),
    ...(body['_meta'] === undefined ? {} : { _meta: object('_meta', body['_meta']) }),
  };
}

const EMPTY_PARTS = { settings: {}, mappings: {}, aliases: {} };

function member<K extends string, T>(key: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: T });
}

function checkName(kind: TemplateKind, name: string): void {
  const unprinted = unprintable(name);
  if (unprinted !== undefined) throw invalidTemplate(name, `its name ${unprinted}`);
  const wrong = /[\s,*#]/.test(name) || name.startsWith('_') || name !== name.toLowerCase();
  if (!wrong && name !== '') return;
  throw invalidTemplate(
    name,
    `name of a ${CALLED[kind]} must be lower case, without blanks, [,], [#] and [*], and not begin with [_]`,
  );
}

function checkKeys(what: string, body: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue;
    if (REFUSED.includes(key)) {
      throw bad(
        'illegal_argument_exception',
        `[${what}] [${key}] is not supported: there are no data streams here, write to an index or an alias`,
      );
    }
    throw bad(
      'x_content_parse_exception',
      `[${what}] unknown field [${key}], known are [${known.join(', ')}]`,
    );
  }
}

function refuseNulls(what: string, body: JsonObject): void {
  const key = Object.keys(body).find((name) => body[name] === null);
  if (key === undefined) return;
  throw bad(
    'x_content_parse_exception',
    `[${what}] ${key} doesn't support values of type: VALUE_NULL`,
  );
}

function checkedTemplate(template: JsonObject): JsonObject {
  checkKeys('template', template, PARTS);
  return template;
}

/**
 * Settings, mappings and aliases; the mappings are checked later, merged with those of all
 * components.
 */
function readParts(
  given: JsonObject,
  settingsOf: (given: JsonObject) => JsonObject,
  checkFilter: CheckFilter,
): JsonObject {
  const parts: Record<string, Json> = {};
  for (const key of PARTS) {
    const value = given[key];
    if (value !== undefined) parts[key] = object(key, value);
  }
  const { settings, mappings, aliases } = parts as Readonly<Record<string, JsonObject>>;
  if (settings !== undefined) parts['settings'] = settingsOf(settings);
  if (mappings !== undefined) parts['mappings'] = unwrapped(mappings);
  if (aliases === undefined) return parts;
  const table = readAliasTable(aliases);
  for (const { filter } of table.values()) if (filter !== undefined) checkFilter(filter);
  return { ...parts, aliases: printAliasTable(table) };
}

/** Errors of an index template name the template. */
function readSettings(kind: TemplateKind, name: string, given: JsonObject): JsonObject {
  try {
    return templateSettings(given);
  } catch (error) {
    if (kind !== 'index' || !(error instanceof QuarryError)) throw error;
    throw invalidTemplate(name, `Validation Failed: 1: ${error.message};`);
  }
}

/** `{_doc: {…}}` stands for its content. */
function unwrapped(mappings: JsonObject): JsonObject {
  const inner = mappings['_doc'];
  return Object.keys(mappings).length === 1 && inner !== undefined
    ? object('_doc', inner)
    : mappings;
}

function patternsOf(value: Json | undefined): readonly string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) {
    throw bad(
      'action_request_validation_exception',
      'Validation Failed: 1: index patterns are missing;',
    );
  }
  const patterns = texts('index_patterns', list);
  for (const pattern of patterns) {
    if (pattern === '' || /[\s,#:"\\/<>|]/.test(pattern) || /^[_\-+]/.test(pattern)) {
      throw bad(
        'illegal_argument_exception',
        `[index_patterns] [${pattern}] names no index: no blanks, commas and [#:"\\/<>|], and no [_], [-] or [+] in front`,
      );
    }
  }
  return patterns;
}

function textsOf(body: JsonObject, key: string): readonly string[] | undefined {
  const value = body[key];
  return value === undefined || value === null
    ? undefined
    : texts(key, typeof value === 'string' ? [value] : value);
}

function texts(key: string, value: Json): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw bad('x_content_parse_exception', `[${key}] must be a list of strings`);
  }
  for (const name of value) checkPrintable(name, `[${key}]`);
  return value;
}

function whole(body: JsonObject, key: string, least?: number): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw bad('x_content_parse_exception', `[${key}] must be a whole number`);
  }
  if (least !== undefined && number < least) {
    throw bad(
      'action_request_validation_exception',
      `Validation Failed: 1: index template priority must be >= ${least};`,
    );
  }
  return number;
}

function flag(body: JsonObject, key: string): boolean | undefined {
  const value = body[key];
  if (value === undefined || value === null || typeof value === 'boolean')
    return value ?? undefined;
  throw bad('x_content_parse_exception', `[${key}] must be true or false`);
}

function object(key: string, value: Json): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw bad('x_content_parse_exception', `[${key}] must be an object`);
}

export function invalidTemplate(name: string, why: string): QuarryError {
  return bad(
    'invalid_index_template_exception',
    `index_template [${name}] invalid, cause [${why}]`,
  );
}

function bad(type: ConstructorParameters<typeof QuarryError>[0], reason: string): QuarryError {
  return new QuarryError(type, reason);
}
