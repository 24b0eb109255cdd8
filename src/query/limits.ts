// How much one search may ask for, as the settings of the searched indexes have it.

export interface SearchLimits {
  /** `from` and `size` together, also of a batch: index.max_result_window. */
  readonly resultWindow: number;
  /** Hits that a rescore query looks at: index.max_rescore_window. */
  readonly rescoreWindow: number;
  /** `from` and `size` of the hits inside others and inside buckets: index.max_inner_result_window. */
  readonly innerResultWindow: number;
  /** index.max_docvalue_fields_search */
  readonly docvalueFields: number;
  /** Values of one terms query: index.max_terms_count. */
  readonly termsCount: number;
  /** Characters of a regular expression: index.max_regex_length. */
  readonly regexLength: number;
  /** Characters of a text that is highlighted: index.highlight.max_analyzed_offset. */
  readonly highlightOffset: number;
}

/** Clauses of one query, whatever memory and configuration allow. */
export const MOST_CLAUSES = 65_536;
const LEAST_CLAUSES = 1024;
const CLAUSES_PER_GIB = 16_384;
const GIB = 1024 ** 3;

/** Clauses of one query. `setting` 0: as many as memory allows, which is what Elasticsearch allows its heap. */
export function clauseLimit(setting: number, memoryBytes: number): number {
  if (setting > 0) return setting;
  const byMemory = Math.floor((memoryBytes / GIB) * CLAUSES_PER_GIB);
  return Math.min(MOST_CLAUSES, Math.max(LEAST_CLAUSES, byMemory));
}

export const DEFAULT_LIMITS: SearchLimits = {
  resultWindow: 10_000,
  rescoreWindow: 10_000,
  innerResultWindow: 100,
  docvalueFields: 100,
  termsCount: 65_536,
  regexLength: 1000,
  highlightOffset: 1_000_000,
};

/** Buckets in the answer of one search, unless a cluster setting says otherwise. */
export const DEFAULT_MAX_BUCKETS = 65_536;

/** What the core takes of a plan: native/core/query/clauses/terms_query.cc and pattern_query.cc. */
export const LARGEST_TERMS_COUNT = 1_048_576;
export const LARGEST_REGEX_LENGTH = 10_000;

/** Of several indexes that are searched at once: what all of them allow. None: the defaults. */
export function leastLimits(all: readonly SearchLimits[]): SearchLimits {
  const [first = DEFAULT_LIMITS] = all;
  // Nearly always the same object.
  if (all.every((one) => one === first)) return first;
  const least = (read: (one: SearchLimits) => number): number => Math.min(...all.map(read));
  return {
    resultWindow: least((one) => one.resultWindow),
    rescoreWindow: least((one) => one.rescoreWindow),
    innerResultWindow: least((one) => one.innerResultWindow),
    docvalueFields: least((one) => one.docvalueFields),
    termsCount: least((one) => one.termsCount),
    regexLength: least((one) => one.regexLength),
    highlightOffset: least((one) => one.highlightOffset),
  };
}
