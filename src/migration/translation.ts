// Translates settings and mappings of Elasticsearch and OpenSearch. The service itself is asked
// what it takes: what it refuses is left out or replaced, one thing at a time, and each change is
// reported with the reason that it gave. So there is no list of supported types to keep.
import type { Json, JsonObject } from '../backend/index.js';
import { isObject, memberOf } from './sequence-reader.js';

/** A thing that is not at the service as it was at the source. */
export interface Change {
  readonly index: string;
  /** `field [a.b]`, `setting [index.codec]`, `filter [x]`, `alias [y]`. */
  readonly what: string;
  /** What became of it. */
  readonly now: string;
  readonly reason: string;
}

/** Settings that belong to the index as it was, and not to what it does. */
const OWN_SETTINGS =
  /^(?:creation_date|history|provided_name|resize|routing\.|routing_path|shrink|uuid|verified_before_close|version|replication|remote_store|hidden$|lifecycle\.(?:indexing_complete|origination_date))/;

/** Settings without the analysis, as dotted names below `index`. */
export function flatSettings(settings: JsonObject): ReadonlyMap<string, Json> {
  const flat = new Map<string, Json>();
  const add = (value: JsonObject, prefix: string): void => {
    for (const [name, inner] of Object.entries(value)) {
      const path = `${prefix}${name}`;
      if (path === 'analysis' || OWN_SETTINGS.test(path)) continue;
      if (isObject(inner) && Object.keys(inner).length > 0) add(inner, `${path}.`);
      else flat.set(path, inner);
    }
  };
  add(settings, '');
  return flat;
}

/** The setting that a reason names in brackets, with or without `index.`. */
export function refusedSetting(
  settings: ReadonlyMap<string, Json>,
  reason: string,
): string | undefined {
  return [...settings.keys()]
    .sort((a, b) => b.length - a.length)
    .find((name) => reason.includes(`[${name}]`) || reason.includes(`[index.${name}]`));
}

export type AnalysisKind = 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter';

const KINDS: readonly AnalysisKind[] = [
  'filter',
  'char_filter',
  'tokenizer',
  'normalizer',
  'analyzer',
];

export interface AnalysisComponent {
  readonly kind: AnalysisKind;
  readonly name: string;
}

/** The part of the analysis that a reason names; the parts of analyzers are preferred to these. */
export function refusedComponent(
  analysis: JsonObject,
  reason: string,
): AnalysisComponent | undefined {
  const parts = KINDS.flatMap((kind) =>
    Object.entries(memberOf(analysis, kind)).map(([name, definition]) => ({
      kind,
      name,
      type: memberOf(definition)['type'],
    })),
  );
  return (
    parts.find(({ name }) => reason.includes(`[${name}]`)) ??
    parts.find(({ type }) => typeof type === 'string' && reason.includes(`[${type}]`))
  );
}

/** The analysis without a part: analyzers lose a filter, have the standard tokenizer, or are it. */
export function withoutComponent(
  analysis: JsonObject,
  { kind, name }: AnalysisComponent,
): JsonObject {
  const kept = omit(memberOf(analysis, kind), name);
  if (kind === 'analyzer')
    return { ...analysis, analyzer: { ...kept, [name]: { type: 'standard' } } };
  if (kind === 'normalizer') {
    return { ...analysis, normalizer: { ...kept, [name]: { type: 'custom', filter: [] } } };
  }
  const users = Object.fromEntries(
    (['analyzer', 'normalizer'] as const)
      .filter((one) => analysis[one] !== undefined)
      .map((one) => [
        one,
        mapValues(memberOf(analysis, one), (user) => withoutUse(user, kind, name)),
      ]),
  );
  return { ...analysis, ...users, [kind]: kept };
}

function withoutUse(user: Json, kind: AnalysisKind, name: string): Json {
  if (!isObject(user)) return user;
  if (kind === 'tokenizer')
    return user['tokenizer'] === name ? { ...user, tokenizer: 'standard' } : user;
  const list = user[kind];
  if (list === name) return { ...user, [kind]: [] };
  if (!Array.isArray(list)) return user;
  return { ...user, [kind]: (list as readonly Json[]).filter((one) => one !== name) };
}

/** Parameters without which a field is another one. */
const ESSENTIAL = [
  'type',
  'dims',
  'dimension',
  'similarity',
  'element_type',
  'data_type',
  'space_type',
  'method',
  'model_id',
  'format',
  'path',
  'scaling_factor',
];

/** Types whose documents another type takes too. */
const SIMILAR_TYPES: Readonly<Record<string, string>> = {
  annotated_text: 'text',
  constant_keyword: 'keyword',
  counted_keyword: 'keyword',
  flat_object: 'flattened',
  icu_collation_keyword: 'keyword',
  match_only_text: 'text',
  pattern_text: 'text',
  version: 'keyword',
  wildcard: 'keyword',
};

export interface Candidate {
  readonly definition: JsonObject;
  /** What it loses against the field of the source. */
  readonly now: string;
}

/**
 * What to try next for a field whose definition was refused: without the parameters that the reason
 * names, with the essential ones alone, as a similar type, and at last kept without being searched.
 */
export function candidatesOf(definition: JsonObject, reason: string): readonly Candidate[] {
  const { type = 'object' } = definition;
  const names = Object.keys(definition).filter((name) => !ESSENTIAL.includes(name));
  const named = names.filter((name) => reason.includes(`[${name}]`));
  const bare = Object.fromEntries(
    Object.entries(definition).filter(([name]) => ESSENTIAL.includes(name)),
  );
  const similar = SIMILAR_TYPES[String(type)];
  const without = (list: readonly string[]): string =>
    `without ${list.map((one) => `[${one}]`).join(', ')}`;
  return [
    ...(named.length > 0 && named.length < names.length
      ? [{ definition: omit(definition, ...named), now: without(named) }]
      : []),
    ...(names.length > 0 ? [{ definition: bare, now: without(names) }] : []),
    ...(similar === undefined ? [] : [{ definition: { type: similar }, now: `type [${similar}]` }]),
    {
      definition: { type: 'object', enabled: false },
      now: 'kept in the documents, not searched',
    },
  ];
}

export function omit(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
