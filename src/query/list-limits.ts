// The maximum lengths of lists in a search body whose entries each cost work for every hit, bucket
// or shard. Elasticsearch has no such limits; these exceed any need seen in practice.
import { illegal } from './values.js';

/** By the name of the list in error messages. */
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

/**
 * Throws illegal_argument_exception if the list has too many entries. `remedy` says what to do
 * instead.
 */
export function checkLength(list: LimitedList, count: number, remedy: string): void {
  const most = MOST[list];
  if (count <= most) return;
  throw illegal(`${list} has [${count}] entries, more than [${most}]: ${remedy}`);
}
