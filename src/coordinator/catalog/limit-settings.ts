// Index settings that limit searches: their rows, and the resulting limits of an index.
import {
  DEFAULT_LIMITS,
  LARGEST_REGEX_LENGTH,
  LARGEST_TERMS_COUNT,
  LARGEST_TOP_METRICS,
  type SearchLimits,
} from '../../query/limits.js';
import { integer, row, type SettingRow, type SettingValue } from './setting-row.js';

export const LIMIT_ROWS: Readonly<Record<string, SettingRow>> = {
  'index.max_result_window': row('dynamic', integer(1)),
  'index.max_rescore_window': row('dynamic', integer(1)),
  'index.max_inner_result_window': row('dynamic', integer(1)),
  'index.max_docvalue_fields_search': row('dynamic', integer(0)),
  'index.max_script_fields': row('dynamic', integer(0)),
  'index.top_metrics_max_size': row('dynamic', integer(1, LARGEST_TOP_METRICS)),
  'index.max_terms_count': row('dynamic', integer(1, LARGEST_TERMS_COUNT)),
  'index.max_regex_length': row('dynamic', integer(1, LARGEST_REGEX_LENGTH)),
  'index.highlight.max_analyzed_offset': row('dynamic', integer(1)),
};

/** Returns the same object for all indexes without such settings. */
export function limitsOf(settings: ReadonlyMap<string, SettingValue>): SearchLimits {
  if (!Object.keys(LIMIT_ROWS).some((key) => settings.has(key))) return DEFAULT_LIMITS;
  const number = (key: string, fallback: number): number => {
    const value = settings.get(key);
    return value === undefined ? fallback : Number(value);
  };
  const resultWindow = number('index.max_result_window', DEFAULT_LIMITS.resultWindow);
  return {
    resultWindow,
    // Defaults to the result window.
    rescoreWindow: number('index.max_rescore_window', resultWindow),
    innerResultWindow: number('index.max_inner_result_window', DEFAULT_LIMITS.innerResultWindow),
    docvalueFields: number('index.max_docvalue_fields_search', DEFAULT_LIMITS.docvalueFields),
    scriptFields: number('index.max_script_fields', DEFAULT_LIMITS.scriptFields),
    topMetrics: number('index.top_metrics_max_size', DEFAULT_LIMITS.topMetrics),
    termsCount: number('index.max_terms_count', DEFAULT_LIMITS.termsCount),
    regexLength: number('index.max_regex_length', DEFAULT_LIMITS.regexLength),
    highlightOffset: number('index.highlight.max_analyzed_offset', DEFAULT_LIMITS.highlightOffset),
  };
}
