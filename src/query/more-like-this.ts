// The parameters of `more_like_this`: the liked and unliked texts and documents, and how the terms
// that are looked for are selected from them. The clause is replaced by those terms before a search
// is compiled, so that the compiler does not know it.
import type { Json, JsonObject } from '../backend/index.js';
import { checkLength } from './list-limits.js';
import { readMinimumShouldMatch } from './minimum-should-match.js';
import { Params } from './params.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  shortened,
  tokenName,
  toText,
} from './values.js';

export const MORE_LIKE_THIS = 'more_like_this';

/** A document of an index, or one that is given in the request. */
export interface LikedDocument {
  /** Undefined: the searched indexes. */
  readonly index: string | undefined;
  readonly id: string | undefined;
  readonly doc: JsonObject | undefined;
  readonly routing: string | undefined;
  /** Names and patterns; undefined: those of the clause. */
  readonly fields: readonly string[] | undefined;
  /** Analyzers by field, instead of those of the fields. */
  readonly analyzers: ReadonlyMap<string, string>;
  readonly version: bigint | undefined;
  readonly versionType: 'internal' | 'external' | 'external_gte' | undefined;
}

export interface Examples {
  readonly texts: readonly string[];
  readonly documents: readonly LikedDocument[];
}

/** How terms are selected from the examples. */
export interface TermSelection {
  readonly maxQueryTerms: number;
  readonly minTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  /** In UTF-16 units; 0: no limit, as for the next. */
  readonly minWordLength: number;
  readonly maxWordLength: number;
  readonly stopWords: ReadonlySet<string>;
  /** The factor of the terms' boosts; 0: terms have none. */
  readonly boostTerms: number;
}

export interface MoreLikeThis extends TermSelection {
  /** Undefined: those of the index settings. */
  readonly fields: readonly string[] | undefined;
  readonly failOnUnsupportedField: boolean;
  readonly like: Examples;
  readonly unlike: Examples;
  /** Of the texts; empty: the index analyzer of the first field. */
  readonly analyzer: string;
  readonly minimumShouldMatch: string;
  /** Whether the liked documents themselves may match. */
  readonly include: boolean;
  /** `boost` and `_name`, as given. */
  readonly rest: JsonObject;
}

const ALL_DOCUMENTS = 2 ** 31 - 1;
const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

export function readMoreLikeThis(body: Json): MoreLikeThis {
  const params = Params.of(MORE_LIKE_THIS, body);
  const like = readExamples(params, 'like');
  const unlike = readExamples(params, 'unlike');
  const { boost, name } = params.base();
  const clause = {
    fields: readTexts(params, 'fields'),
    failOnUnsupportedField: params.flag('fail_on_unsupported_field') ?? true,
    like,
    unlike,
    analyzer: params.analyzer(),
    maxQueryTerms: params.integer('max_query_terms', 1) ?? 25,
    minTermFreq: params.integer('min_term_freq') ?? 2,
    minDocFreq: params.integer('min_doc_freq') ?? 5,
    maxDocFreq: params.integer('max_doc_freq') ?? ALL_DOCUMENTS,
    minWordLength: params.integer('min_word_length') ?? 0,
    maxWordLength: params.integer('max_word_length') ?? 0,
    stopWords: new Set(readTexts(params, 'stop_words')),
    minimumShouldMatch: readMinimumShouldMatch(params) || '30%',
    boostTerms: readBoostTerms(params),
    include: params.flag('include') ?? false,
    rest: { ...(boost === 1 ? {} : { boost }), ...(name === '' ? {} : { _name: name }) },
  };
  params.finish();
  if (like.texts.length + like.documents.length === 0) {
    throw malformed(`${MORE_LIKE_THIS} requires 'like' to be specified`);
  }
  if (clause.fields?.length === 0) {
    throw malformed(`${MORE_LIKE_THIS} requires 'fields' to be non-empty`);
  }
  checkLength(
    '[like] and [unlike] of [more_like_this]',
    [like, unlike].reduce((sum, { texts, documents }) => sum + texts.length + documents.length, 0),
    'name fewer documents',
  );
  return clause;
}

function readBoostTerms(params: Params): number {
  const boost = params.float('boost_terms') ?? 0;
  if (boost >= 0) return boost;
  throw illegal(`[${MORE_LIKE_THIS}] requires [boost_terms] to be at least 0, got [${boost}]`);
}

function readTexts(params: Params, name: 'fields' | 'stop_words'): readonly string[] | undefined {
  const value = params.raw(name);
  if (value === undefined) return undefined;
  return textList(value, name);
}

function textList(value: Json, name: 'fields' | 'stop_words'): readonly string[] {
  if (!isArray(value)) {
    throw malformed(
      `[${MORE_LIKE_THIS}] [${name}] must be a list of texts, found [${tokenName(value)}]`,
    );
  }
  checkLength(`[${name}] of [more_like_this]`, value.length, 'leave some out');
  return value.map((item) => {
    const text = toText(item);
    if (text !== undefined && text !== '') return text;
    throw malformed(
      `[${MORE_LIKE_THIS}] [${name}] must be a list of texts, found [${printed(item)}] in it`,
    );
  });
}

function readExamples(params: Params, name: 'like' | 'unlike'): Examples {
  const value = params.raw(name);
  const texts: string[] = [];
  const documents: LikedDocument[] = [];
  for (const one of value === undefined ? [] : isArray(value) ? value : [value]) {
    const text = toText(one);
    if (text !== undefined) texts.push(text);
    else if (isObject(one)) documents.push(readDocument(one, name));
    else {
      throw illegal(
        `Content of '${name}' parameter should either be a string or an object, found [${tokenName(one)}]`,
      );
    }
  }
  return { texts, documents };
}

const DOCUMENT_KEYS = [
  '_index',
  '_id',
  'doc',
  'fields',
  'per_field_analyzer',
  'routing',
  'version',
  'version_type',
];

function readDocument(item: JsonObject, name: 'like' | 'unlike'): LikedDocument {
  const unknown = Object.keys(item).find((key) => !DOCUMENT_KEYS.includes(key));
  if (unknown !== undefined) throw wrongItem(name, `unknown field [${shortened(unknown)}]`);
  const { doc, fields } = item;
  const id = textOf(item, '_id', name);
  if ((id === undefined) === (doc === undefined)) {
    throw wrongItem(name, 'it needs either [_id] or [doc]');
  }
  if (doc !== undefined && !isObject(doc)) {
    throw wrongItem(name, `[doc] must be an object, found [${tokenName(doc)}]`);
  }
  const names = fields === undefined ? undefined : textList(fields, 'fields');
  return {
    index: textOf(item, '_index', name),
    id,
    doc,
    routing: textOf(item, 'routing', name),
    fields: names?.length === 0 ? undefined : names,
    analyzers: readAnalyzers(item['per_field_analyzer'], name),
    ...readVersion(item, name),
  };
}

function textOf(item: JsonObject, key: string, name: string): string | undefined {
  const value = item[key];
  if (value === undefined) return undefined;
  const text = toText(value);
  if (text !== undefined && text !== '') return text;
  throw wrongItem(name, `[${key}] must be a text, found [${printed(value)}]`);
}

function readAnalyzers(value: Json | undefined, name: string): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  if (!isObject(value)) {
    throw wrongItem(name, `[per_field_analyzer] must be an object, found [${tokenName(value)}]`);
  }
  const given = Object.keys(value);
  checkLength('[fields] of [more_like_this]', given.length, 'leave some out');
  return new Map(given.map((field) => [field, textOf(value, field, name) ?? '']));
}

function readVersion(
  item: JsonObject,
  name: string,
): Pick<LikedDocument, 'version' | 'versionType'> {
  const version = textOf(item, 'version', name);
  const type = textOf(item, 'version_type', name)?.toLowerCase();
  const versionType = VERSION_TYPES.find((one) => one === type);
  if (type !== undefined && versionType === undefined) {
    throw wrongItem(
      name,
      `[version_type] must be one of [${VERSION_TYPES.join(', ')}], found [${shortened(type)}]`,
    );
  }
  if (version !== undefined && !/^\d{1,18}$/.test(version)) {
    throw wrongItem(name, `[version] must be a whole number, found [${shortened(version)}]`);
  }
  return { version: version === undefined ? undefined : BigInt(version), versionType };
}

function wrongItem(name: string, reason: string): Error {
  return malformed(`[${MORE_LIKE_THIS}] failed to parse a document of [${name}]: ${reason}`);
}
