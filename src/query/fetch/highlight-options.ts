// The options of `highlight`, which are given next to `fields` for all fields, or inside it for one
// field.

import type { Json, JsonObject } from '../../backend/index.js';
import { didYouMean } from '../../base/similar-names.js';
import { checkRepeated } from '../list-limits.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  shortened,
  toFlag,
  toInteger,
  tokenName,
} from '../values.js';

/** Lengths are in characters; 0: no limit. */
export interface HighlightOptions {
  /** `type: plain`: the text is analysed, whatever offsets the mapping keeps. */
  readonly plain: boolean;
  readonly preTag: string;
  readonly postTag: string;
  readonly html: boolean;
  readonly byScore: boolean;
  readonly requireFieldMatch: boolean;
  readonly fragmentSize: number;
  /** 0: the whole field is one fragment. */
  readonly numberOfFragments: number;
  readonly noMatchSize: number;
  readonly boundaryScanner: 'sentence' | 'word' | 'chars';
  readonly boundaryChars: string;
  readonly boundaryMaxScan: number;
  readonly maxAnalyzedOffset: number;
  readonly phraseLimit: number;
  readonly matchedFields: readonly string[];
}

const COMMON = [
  'boundary_chars',
  'boundary_max_scan',
  'boundary_scanner',
  'boundary_scanner_locale',
  'force_source',
  'fragment_size',
  'fragmenter',
  'highlight_filter',
  'highlight_query',
  'max_analyzed_offset',
  'no_match_size',
  'number_of_fragments',
  'options',
  'order',
  'phrase_limit',
  'post_tags',
  'pre_tags',
  'require_field_match',
  'type',
];
export const TOP_ONLY: readonly string[] = ['encoder', 'tags_schema'];
export const FIELD_ONLY: readonly string[] = ['fragment_offset', 'matched_fields'];

/** Elasticsearch marks single terms with the first of its ten classes. */
const STYLED = { pre: '<em class="hlt1">', post: '</em>' };
const TYPES = ['unified', 'plain', 'fvh'];
const SCANNERS = ['sentence', 'word', 'chars'] as const;

/**
 * `also` are the options that are allowed in addition to the common ones. `field` is for error
 * messages.
 */
export function readOptions(
  what: 'highlight' | 'highlight_field',
  body: JsonObject,
  also: readonly string[],
  field: string,
): HighlightOptions {
  const unknown = Object.keys(body).find((key) => !COMMON.includes(key) && !also.includes(key));
  if (unknown !== undefined) {
    const known = [...COMMON, ...also];
    throw malformed(`[${what}] unknown field [${shortened(unknown)}]${didYouMean(unknown, known)}`);
  }
  const type = readType(body, field);
  checkWithoutEffect(body, field);
  const { preTag, postTag } = readTags(body);
  const requireFieldMatch = flag(body, 'require_field_match') ?? true;
  const matchedFields = texts(body, 'matched_fields') ?? [];
  if (!requireFieldMatch && matchedFields.length > 0) {
    throw illegal(
      'Matched fields are not supported when [require_field_match] is set to [false], leave one of them out',
    );
  }
  return {
    plain: type === 'plain',
    preTag,
    postTag,
    html: choice(body, 'encoder', ['default', 'html'], 'default') === 'html',
    byScore: choice(body, 'order', ['none', 'score'], 'none') === 'score',
    requireFieldMatch,
    fragmentSize: count(body, 'fragment_size') ?? 100,
    numberOfFragments: count(body, 'number_of_fragments') ?? 5,
    noMatchSize: count(body, 'no_match_size') ?? 0,
    boundaryScanner: choice(body, 'boundary_scanner', SCANNERS, 'sentence'),
    boundaryChars: text(body, 'boundary_chars') ?? '.,!? \t\n',
    boundaryMaxScan: count(body, 'boundary_max_scan') ?? 20,
    maxAnalyzedOffset: positive(body, 'max_analyzed_offset') ?? 0,
    phraseLimit: positive(body, 'phrase_limit') ?? 0,
    matchedFields,
  };
}

function readType(body: JsonObject, field: string): string | undefined {
  const type = text(body, 'type');
  if (type === undefined || TYPES.includes(type)) return type;
  throw illegal(
    `unknown highlighter type [${shortened(type)}]${ofField(field)}, expected one of [${TYPES.join(', ')}]`,
  );
}

const ofField = (field: string): string => (field === '' ? '' : ` for the field [${field}]`);

/**
 * Checks options that have no effect; Elasticsearch's unified highlighter ignores them in the same
 * way.
 */
function checkWithoutEffect(body: JsonObject, field: string): void {
  const fragmenter = text(body, 'fragmenter');
  if (fragmenter !== undefined && fragmenter !== 'simple' && fragmenter !== 'span') {
    throw illegal(`unknown fragmenter option [${shortened(fragmenter)}]${ofField(field)}`);
  }
  const { options } = body;
  if (options !== undefined && !(isObject(options) && Object.keys(options).length === 0)) {
    throw malformed(
      '[highlight] [options] of other highlighters are not supported, leave them out',
    );
  }
  flag(body, 'force_source');
  flag(body, 'highlight_filter');
  text(body, 'boundary_scanner_locale');
  count(body, 'fragment_offset');
}

function readTags(body: JsonObject): Pick<HighlightOptions, 'preTag' | 'postTag'> {
  const schema = choice(body, 'tags_schema', ['default', 'styled'], 'default');
  const base = schema === 'styled' ? STYLED : { pre: '<em>', post: '</em>' };
  const pre = texts(body, 'pre_tags');
  const post = texts(body, 'post_tags');
  if (pre?.length === 0 || post?.length === 0) {
    throw malformed('pre_tags or post_tags must not be empty');
  }
  if (pre !== undefined && post === undefined) {
    throw malformed('pre_tags are set but post_tags are not set');
  }
  checkRepeated('[pre_tags]', pre?.[0] ?? '');
  checkRepeated('[post_tags]', post?.[0] ?? '');
  const later = laterOf(body, 'tags_schema', 'pre_tags');
  if (later === 'tags_schema') return { preTag: base.pre, postTag: base.post };
  return { preTag: pre?.[0] ?? base.pre, postTag: post?.[0] ?? base.post };
}

/** Returns the last of `keys` in the body, which takes precedence. */
function laterOf(body: JsonObject, ...keys: readonly string[]): string | undefined {
  return Object.keys(body).findLast((key) => keys.includes(key));
}

function given(body: JsonObject, key: string): Json | undefined {
  const value = body[key];
  if (value === undefined || (value !== null && typeof value !== 'object')) return value;
  throw malformed(`[highlight] ${key} doesn't support values of type: ${tokenName(value)}`);
}

function text(body: JsonObject, key: string): string | undefined {
  const value = given(body, key);
  if (value === undefined || typeof value === 'string') return value;
  throw malformed(`[highlight] ${key} doesn't support values of type: ${tokenName(value)}`);
}

function flag(body: JsonObject, key: string): boolean | undefined {
  const value = given(body, key);
  return value === undefined ? undefined : toFlag(value, `[${key}] of [highlight]`);
}

/** -1 means absent, as in Elasticsearch. */
function count(body: JsonObject, key: string): number | undefined {
  const value = given(body, key);
  if (value === undefined) return undefined;
  const number = toInteger(value, `[${key}] of [highlight]`);
  if (number === -1) return undefined;
  if (number >= 0) return number;
  throw illegal(`[highlight] [${key}] cannot be negative, got [${number}]`);
}

function positive(body: JsonObject, key: string): number | undefined {
  const value = given(body, key);
  if (value === undefined) return undefined;
  const number = toInteger(value, `[${key}] of [highlight]`);
  if (number > 0) return number;
  throw illegal(`[${key}] must be a positive integer`);
}

function choice<T extends string>(
  body: JsonObject,
  key: string,
  choices: readonly T[],
  otherwise: T,
): T {
  const value = text(body, key);
  if (value === undefined) return otherwise;
  const found = choices.find((one) => one === value.toLowerCase());
  if (found !== undefined) return found;
  throw illegal(
    `[highlight] unknown value [${printed(value)}] of [${key}], expected one of [${choices.join(', ')}]`,
  );
}

/** Returns a list of strings from a string or an array of strings; undefined if absent. */
function texts(body: JsonObject, key: string): readonly string[] | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  const list = isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return one;
    throw malformed(`[highlight] ${key} doesn't support values of type: ${tokenName(one)}`);
  });
}
