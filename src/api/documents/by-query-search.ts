// The search part of `_delete_by_query`, `_update_by_query` and `_reindex`: which members of a
// search body select the documents, and which are rejected.
import type { Json, JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { illegal, invalidAll, wholeNumber } from './by-query-options.js';

/**
 * Accepted members. Those after the query and its order only add to a page; they are checked and
 * read like those of any scroll.
 */
const SEARCH_KEYS = [
  'query',
  'post_filter',
  'min_score',
  'slice',
  'sort',
  'size',
  'timeout',
  '_source',
  'aggs',
  'aggregations',
  'docvalue_fields',
  'explain',
  'fields',
  'highlight',
  'indices_boost',
  'profile',
  'seq_no_primary_term',
  'stats',
  'track_scores',
  'track_total_hits',
  'version',
];
/** Members of a search body that the scroll rejects with its own messages. */
const REFUSED_BY_SCROLL = ['collapse', 'rescore', 'search_after', 'pit', 'knn', 'retriever'];

const BATCH_SIZE = 1000;

export interface ByQuerySearch {
  /** The search body without `size`, which is in `batchSize`. */
  readonly body: JsonObject;
  readonly batchSize: number;
}

/**
 * `where` and `others` name the section and its other keys in the message about an unknown key.
 * `scrollSize` is the URL parameter `scroll_size`, which overrides `size`.
 */
export function readSearch(
  body: JsonObject,
  where: string,
  others: readonly string[],
  scrollSize?: number,
): ByQuerySearch {
  for (const [key, value] of Object.entries(body)) checkKey(key, value, where, others);
  const wrong: string[] = [];
  const size = scrollSize ?? sizeOf(body['size']) ?? BATCH_SIZE;
  if (size < 0) throw illegal(`[size] parameter cannot be negative, found [${size}]`);
  if (size === 0) wrong.push('[size] cannot be [0] in a scroll context');
  wrong.push(...wrongFrom(body['from']));
  if (body['stored_fields'] !== undefined)
    wrong.push('stored_fields is not supported in this context');
  if (wrong.length > 0) throw invalidAll(wrong);
  const { size: _batch, from: _from, ...search } = body;
  return { body: search, batchSize: size };
}

/** Documents are rewritten from their source, so it cannot be switched off. */
export function refuseWithoutSource({ _source: wanted }: JsonObject): void {
  if (wanted !== false && wanted !== 'false') return;
  throw invalidAll(['_source:false is not supported in this context']);
}

function checkKey(key: string, value: Json, where: string, others: readonly string[]): void {
  if (key === 'terminate_after') {
    if (wholeNumber(value, '[terminate_after]') === 0) return;
    throw illegal('[terminate_after] is not supported here, use [max_docs]');
  }
  if ([...SEARCH_KEYS, ...REFUSED_BY_SCROLL, 'from', 'stored_fields'].includes(key)) return;
  throw new QuarryError(
    where === 'source' ? 'x_content_parse_exception' : 'parsing_exception',
    `[${where}] unknown field [${key}], it takes [${[...others, ...SEARCH_KEYS].join(', ')}]`,
  );
}

function sizeOf(value: Json | undefined): number | undefined {
  return value === undefined ? undefined : wholeNumber(value, '[size]');
}

function wrongFrom(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const from = wholeNumber(value, '[from]');
  if (from < 0) throw illegal(`[from] parameter cannot be negative but was [${from}]`);
  return [
    ...(from > 0 ? ['using [from] is not allowed in a scroll context'] : []),
    'from is not supported in this context',
  ];
}
