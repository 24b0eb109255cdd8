// Completion for the editor of requests: names within the quotes around the caret.
import type { Field } from '../../data/mapping.js';

/** Keys of a search body and names of clauses with their most used parameters. */
const KEYS = [
  ...['query', 'size', 'from', 'sort', 'aggs', 'highlight', '_source', 'knn', 'retriever'],
  ...['post_filter', 'min_score', 'track_total_hits', 'collapse', 'rescore', 'fields', 'explain'],
  ...['search_after', 'suggest', 'timeout', 'indices_boost', 'docvalue_fields'],
];
const CLAUSES = [
  ...[
    'match',
    'match_all',
    'match_phrase',
    'match_phrase_prefix',
    'multi_match',
    'combined_fields',
    'match_bool_prefix',
  ],
  ...[
    'bool',
    'must',
    'should',
    'filter',
    'must_not',
    'minimum_should_match',
    'boosting',
    'dis_max',
  ],
  ...[
    'constant_score',
    'term',
    'terms',
    'range',
    'exists',
    'prefix',
    'wildcard',
    'regexp',
    'fuzzy',
  ],
  ...[
    'ids',
    'nested',
    'semantic',
    'hybrid',
    'graph',
    'group_score',
    'function_score',
    'script',
    'script_score',
    'terms_set',
  ],
  ...['distance_feature', 'query_string', 'simple_query_string', 'rrf', 'linear', 'standard'],
];
const PARAMETERS = [
  ...['field', 'fields', 'boost', 'operator', 'analyzer', 'fuzziness', 'query_vector', 'k'],
  ...['num_candidates', 'gte', 'gt', 'lte', 'lt', 'value', 'values', 'queries', 'weight', 'fusion'],
  ...['rrf_k', 'path', 'score_mode', 'inner_hits', 'order', 'brain', 'node', 'types', 'as_of'],
  ...[
    'avg',
    'cardinality',
    'date_histogram',
    'histogram',
    'max',
    'min',
    'multi_terms',
    'stats',
    'sum',
    'top_hits',
    'top_metrics',
  ],
  ...['calendar_interval', 'fixed_interval', 'interval', 'percentiles', 'missing', 'doc_count'],
];

export interface Suggestion {
  readonly text: string;
  /** What it is: "clause", "keyword field". */
  readonly about: string;
}

export interface Completion {
  /** The part of the text that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

const MANY = 8;

/** Undefined if the caret is not within quotes, or nothing fits. */
export function complete(
  text: string,
  caret: number,
  fields: readonly Field[],
): Completion | undefined {
  const from = quoteBefore(text, caret);
  if (from === undefined) return undefined;
  const typed = text.slice(from, caret).toLowerCase();
  const rest = /^[^"\n]*/.exec(text.slice(caret))?.[0].length ?? 0;
  const all: Suggestion[] = [
    ...fields.map(({ path, type }) => ({ text: path, about: `${type} field` })),
    ...KEYS.map((key) => ({ text: key, about: 'key of a search' })),
    ...CLAUSES.map((name) => ({ text: name, about: 'clause' })),
    ...PARAMETERS.map((name) => ({ text: name, about: 'parameter' })),
  ];
  const seen = new Set<string>();
  const matches = (test: (name: string) => boolean): readonly Suggestion[] =>
    all.filter(({ text: name }) => {
      if (seen.has(name) || !test(name.toLowerCase())) return false;
      seen.add(name);
      return true;
    });
  const suggestions = [
    ...matches((name) => name.startsWith(typed)),
    ...matches((name) => typed.length > 1 && name.includes(typed)),
  ].slice(0, MANY);
  if (suggestions.length === 0) return undefined;
  if (suggestions.length === 1 && suggestions[0]?.text.toLowerCase() === typed) return undefined;
  return { from, to: caret + rest, suggestions };
}

/** The offset behind the quote that opens the string around the caret. */
function quoteBefore(text: string, caret: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  let open: number | undefined;
  for (let at = lineStart; at < caret; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') open = open === undefined ? at + 1 : undefined;
  }
  return open;
}
