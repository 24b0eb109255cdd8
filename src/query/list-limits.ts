// How long the lists of a search body may be, where each entry costs work for every hit, bucket or shard. Elasticsearch has no
// limits there; these are beyond what anybody was seen to need.
import { illegal } from './values.js';

/** By what a refusal calls the list. */
const MOST = {
  '[aggs] of all levels': 2000,
  '[fields]': 1000,
  '[fields] of a query': 1024,
  '[fields] of [highlight]': 500,
  '[functions] of [function_score]': 1024,
  '[indices_boost]': 1000,
  '[inner_hits] of [collapse]': 16,
  '[ranges]': 1000,
  '[sort]': 100,
  '[sources] of [composite]': 64,
  '[suggest]': 100,
} as const;

type LimitedList = keyof typeof MOST;

/** illegal_argument_exception for more entries than the list may have. `remedy`: what to do instead. */
export function checkLength(list: LimitedList, count: number, remedy: string): void {
  const most = MOST[list];
  if (count <= most) return;
  throw illegal(`${list} has [${count}] entries, more than [${most}]: ${remedy}`);
}
