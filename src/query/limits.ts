// The limits of one search request, from the settings of the searched indexes.

export interface SearchLimits {
  /** The sum of `from` and `size`, also the size of a scroll batch: index.max_result_window. */
  readonly resultWindow: number;
  /** Hits that a rescore query scores: index.max_rescore_window. */
  readonly rescoreWindow: number;
  /**
   * The sum of `from` and `size` of inner hits and top hits of buckets:
   * index.max_inner_result_window.
   */
  readonly innerResultWindow: number;
  /** Entries of `docvalue_fields`: index.max_docvalue_fields_search. */
  readonly docvalueFields: number;
  /** Entries of `script_fields`: index.max_script_fields. */
  readonly scriptFields: number;
  /** Documents of a top_metrics aggregation: index.top_metrics_max_size. */
  readonly topMetrics: number;
  /** Values of one terms query: index.max_terms_count. */
  readonly termsCount: number;
  /** Characters of a regular expression: index.max_regex_length. */
  readonly regexLength: number;
  /** Characters of a highlighted text: index.highlight.max_analyzed_offset. */
  readonly highlightOffset: number;
}

const LEAST_CLAUSES = 1024;
/**
 * The most that is derived from memory: a query is compiled in one synchronous step, which takes
 * some 50 ms for so many clauses.
 */
const MOST_CLAUSES = 16_384;
const CLAUSES_PER_GIB = 16_384;
const GIB = 1024 ** 3;

/**
 * Returns the number of clauses that one query may have. A `setting` of 0 derives it from the
 * memory, with the ratio that Elasticsearch applies to its heap.
 */
export function clauseLimit(setting: number, memoryBytes: number): number {
  if (setting > 0) return setting;
  const byMemory = Math.floor((memoryBytes / GIB) * CLAUSES_PER_GIB);
  return Math.min(MOST_CLAUSES, Math.max(LEAST_CLAUSES, byMemory));
}

let parsedClauses = MOST_CLAUSES;

/**
 * The number of clauses at which a parser of this thread stops. Only an upper bound: the core counts
 * again after it has expanded clauses to terms and fields, and enforces the limit.
 */
export function maxParsedClauses(): number {
  return parsedClauses;
}

/** Adapts the parsers of this thread to the limit of the core. */
export function setClauseLimit(limit: number): void {
  parsedClauses = Math.max(MOST_CLAUSES, limit);
}

export const DEFAULT_LIMITS: SearchLimits = {
  resultWindow: 10_000,
  rescoreWindow: 10_000,
  innerResultWindow: 100,
  docvalueFields: 100,
  scriptFields: 32,
  topMetrics: 10,
  termsCount: 65_536,
  regexLength: 1000,
  highlightOffset: 1_000_000,
};

/** Buckets in the response of one search, unless a cluster setting overrides it. */
export const DEFAULT_MAX_BUCKETS = 65_536;

/**
 * Limits of the core: terms_query.cc and pattern_query.cc in native/core/query/clauses, and
 * aggs/single/top_metrics_agg.cc.
 */
export const LARGEST_TERMS_COUNT = 1_048_576;
export const LARGEST_TOP_METRICS = 10_000;
export const LARGEST_REGEX_LENGTH = 10_000;

/**
 * Returns the smallest limits of several indexes that are searched together; the defaults if there
 * are none.
 */
export function leastLimits(all: readonly SearchLimits[]): SearchLimits {
  const [first = DEFAULT_LIMITS] = all;
  // The common case: all indexes share one object.
  if (all.every((one) => one === first)) return first;
  const least = (read: (one: SearchLimits) => number): number => Math.min(...all.map(read));
  return {
    resultWindow: least((one) => one.resultWindow),
    rescoreWindow: least((one) => one.rescoreWindow),
    innerResultWindow: least((one) => one.innerResultWindow),
    docvalueFields: least((one) => one.docvalueFields),
    scriptFields: least((one) => one.scriptFields),
    topMetrics: least((one) => one.topMetrics),
    termsCount: least((one) => one.termsCount),
    regexLength: least((one) => one.regexLength),
    highlightOffset: least((one) => one.highlightOffset),
  };
}
