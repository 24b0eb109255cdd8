// The maximum lengths of lists in a search body whose entries each cost work for every hit, bucket
// or shard, and of texts that an answer may repeat. Elasticsearch has no such limits; these exceed any
// need seen in practice.
import { illegal, shortened } from './values.js';

/** By the name of the list in error messages. */
const MOST = {
  '[_script] keys of [sort] of type [string]': 8,
  '[aggs] of all levels': 2000,
  '[direct_generator] of [phrase]': 32,
  '[fields]': 1000,
  '[fields] of a query': 1024,
  '[fields] of [highlight]': 500,
  '[fields] of [more_like_this]': 1024,
  '[functions] of [function_score]': 1024,
  '[indices_boost]': 1000,
  '[inner_hits] of [collapse]': 16,
  '[like] and [unlike] of [more_like_this]': 1000,
  '[more_like_this] clauses of a search': 16,
  '[metrics] of [top_metrics]': 100,
  '[options] of [suggest]': 65_536,
  '[ranges]': 1000,
  '[sort]': 100,
  '[sources] of [composite]': 64,
  '[stop_words] of [more_like_this]': 10_000,
  '[suggest]': 100,
  '[terms] of [multi_terms]': 64,
  'lookups of [terms]': 256,
  'the terms of the liked texts and documents of [more_like_this]': 50_000,
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

/**
 * Characters of a text of the request that an answer may repeat for every hit or bucket: a name, a key, a
 * tag, a format, a substitute for missing values. With a million, ten thousand hits are ten gigabytes.
 */
export const MOST_REPEATED = 1024;

/** Returns the text. Throws illegal_argument_exception if it is too long; `what` says where it is. */
export function checkRepeated(what: string, text: string): string {
  if (text.length <= MOST_REPEATED) return text;
  throw illegal(
    `${what} [${shortened(text)}] has [${text.length}] characters, more than [${MOST_REPEATED}]: give a shorter one, answers repeat it`,
  );
}
