// `indices_boost`: a factor on the scores of single indexes.
import type { Json, JsonObject } from '../backend/index.js';
import { checkLength } from './list-limits.js';
import { illegal, isArray, isObject, malformed, toFloat, tokenName } from './values.js';

export interface IndexBoost {
  /** A name, an alias or a pattern. */
  readonly index: string;
  readonly boost: number;
}

/** Parses `[{"a": 2}, {"b*": 0.5}]`. The first entry that matches an index applies. */
export function parseIndicesBoost(value: Json | undefined): readonly IndexBoost[] {
  if (value === undefined) return [];
  if (!isArray(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [indices_boost].`);
  checkLength('[indices_boost]', value.length, 'use patterns such as [logs-*]');
  return value.flatMap((entry) => {
    if (isObject(entry) && Object.keys(entry).length === 1) return parseObject(entry);
    throw malformed(
      '[indices_boost] expected objects with one index name and its boost, such as {"index": 2.0}',
    );
  });
}

function parseObject(value: JsonObject): readonly IndexBoost[] {
  return Object.entries(value).map(([index, factor]) => {
    const boost = toFloat(factor, `the boost of [${index}] in [indices_boost]`);
    if (boost >= 0) return { index, boost };
    throw illegal(`[indices_boost] boost of [${index}] cannot be negative, got [${boost}]`);
  });
}
