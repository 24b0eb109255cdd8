// Builders of requests with invalid aggregations: one search without hits each.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const BUCKETS = 'too_many_buckets_exception';

const search = (aggs: unknown) => ['POST', '/books/_search', { size: 0, aggs }] as const;
export const illegal = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, ILLEGAL, words]);
export const parsing = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'parsing_exception', words]);
export const tooMany = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'search_phase_execution_exception', words], BUCKETS);
/** An error that only a shard detects, because it has the mapping. */
export const ofShard = (name: string, aggs: unknown, words: string, cause = ILLEGAL): BadCase =>
  bad(name, search(aggs), [400, 'search_phase_execution_exception', words], cause);
/** One aggregation, named `a`. */
export const one = (type: string, body: unknown) => ({ a: { [type]: body } });
