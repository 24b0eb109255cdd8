// A mapping as a flat list: every field by full path, including objects and multi-fields, and its
// capabilities.

import type { Json, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { isPattern, patternMatcher } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';

export interface MappedField {
  /** Type as field capabilities report it; for an alias, the type of its target. */
  readonly type: string;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
  readonly parent: boolean;
  /** A field of a nested object. */
  readonly nested: boolean;
  readonly multiField: boolean;
  readonly metadata: boolean;
  /** The `meta` of the mapping. */
  readonly meta?: JsonObject;
}

type Fields = Map<string, MappedField>;

const field = (type: string, searchable: boolean, aggregatable: boolean): MappedField => ({
  type,
  searchable,
  aggregatable,
  parent: false,
  nested: false,
  multiField: false,
  metadata: false,
});

const METADATA: readonly (readonly [string, MappedField])[] = (
  [
    ['_id', true, false],
    ['_ignored', true, false],
    ['_index', true, true],
    ['_routing', true, false],
    ['_seq_no', true, true],
    ['_source', false, false],
    ['_version', false, true],
  ] as const
).map(([name, searchable, aggregatable]) => [
  name,
  { ...field(name, searchable, aggregatable), metadata: true },
]);

/** Types that field capabilities report as another type. */
const FAMILY: Readonly<Record<string, string>> = {
  semantic_text: 'text',
  search_as_you_type: 'text',
  constant_keyword: 'keyword',
  match_only_text: 'text',
  token_count: 'integer',
  wildcard: 'keyword',
};
/** Types without doc values, whatever the mapping says. */
const NO_COLUMN = [
  ...['text', 'binary', 'dense_vector', 'knn_vector', 'completion', 'rank_feature'],
  'rank_features',
];
/** Types that no query of fields searches, whatever the mapping says. */
const NOT_INDEXED = ['binary', 'rank_features'];

/** Maximum number of patterns; each is compared with every field of every index. */
const MAX_PATTERNS = 256;

/** Whether a path is one of the names, or matches one of the patterns among them. */
export function fieldMatcher(names: readonly string[]): (path: string) => boolean {
  const exact = new Set(names.filter((name) => !isPattern(name)));
  const starred = new Set(names.filter(isPattern));
  if (starred.size > MAX_PATTERNS) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[fields] has [${starred.size}] patterns, more than [${MAX_PATTERNS}]: use fewer and wider ones`,
    );
  }
  const tests = [...starred].map(patternMatcher);
  return (path) => exact.has(path) || tests.some((test) => test(path));
}

/** Fields by path, including metadata fields. */
export function capableFields(mappings: JsonObject): ReadonlyMap<string, MappedField> {
  const fields: Fields = new Map(METADATA);
  const aliases: (readonly [string, string])[] = [];
  addProperties(fields, aliases, '', asObject(mappings['properties']), false);
  for (const [alias, path] of aliases) {
    const target = fields.get(path);
    if (target !== undefined) fields.set(alias, target);
  }
  return fields;
}

function addProperties(
  fields: Fields,
  aliases: (readonly [string, string])[],
  prefix: string,
  properties: JsonObject,
  nested: boolean,
): void {
  for (const [name, given] of Object.entries(properties)) {
    const path = `${prefix}${name}`;
    addObjectsOf(fields, prefix, name, nested);
    const definition = asObject(given);
    const type = definition['type'] ?? 'object';
    if (type === 'alias') {
      aliases.push([path, asText(definition['path'])]);
    } else if (type === 'object' || type === 'nested') {
      fields.set(path, { ...field(type, false, false), parent: true, nested });
      const below = nested || type === 'nested';
      addProperties(fields, aliases, `${path}.`, asObject(definition['properties']), below);
    } else {
      fields.set(path, { ...ofDefinition(asText(type), definition), nested });
      for (const [sub, subGiven] of Object.entries(asObject(definition['fields']))) {
        const one = asObject(subGiven);
        fields.set(`${path}.${sub}`, {
          ...ofDefinition(asText(one['type']), one),
          nested,
          multiField: true,
        });
      }
    }
  }
}

/** The objects that a name with dots stands for, in an object without subobjects. */
function addObjectsOf(fields: Fields, prefix: string, name: string, nested: boolean): void {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const path = `${prefix}${name.slice(0, dot)}`;
    if (fields.has(path)) continue;
    fields.set(path, { ...field('object', false, false), parent: true, nested });
  }
}

function ofDefinition(mapped: string, definition: JsonObject): MappedField {
  const type = FAMILY[mapped] ?? mapped;
  const columns = definition['doc_values'] !== false && !NO_COLUMN.includes(type);
  const indexed = definition['index'] !== false && !NOT_INDEXED.includes(type);
  const made = field(type, indexed || (columns && type !== 'text'), columns);
  const { meta } = definition;
  return meta === undefined ? made : { ...made, meta: asObject(meta) };
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
