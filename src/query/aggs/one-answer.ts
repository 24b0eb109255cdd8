// Uses the response of the only shard directly: if there is nothing to merge, to sort or to look
// up, its text is written as it was received.
import type { AggPart } from '../../wire/agg-reader.js';
import { jsonOf, quotedText } from './json.js';
import type { AggTree } from './parse.js';

/** What a kind prints for one shard's response at the top of a request. */
export interface OneAnswer {
  /** Prefix of the name when typed keys are requested. */
  readonly typed: string;
  /** Everything except `meta`, as JSON without braces; never empty. */
  readonly members: string;
}

/**
 * True if every aggregation of the tree can be printed without a reduction. A single response may
 * still need one.
 */
export function mayBeOne({ aggs, pipelines }: AggTree): boolean {
  return pipelines.length === 0 && aggs.every(({ ofOne }) => ofOne !== undefined);
}

/** `parts`: in the order of the tree. Undefined: they need a reduction. */
export function textOfOne(
  { aggs }: AggTree,
  parts: readonly AggPart[],
  typedKeys: boolean,
): string | undefined {
  let text = '';
  for (const [at, { name, meta, ofOne }] of aggs.entries()) {
    const part = parts[at];
    const answer = part === undefined ? undefined : ofOne?.(part);
    if (answer === undefined) return undefined;
    const shown = typedKeys ? `${answer.typed}#${name}` : name;
    const before = meta === undefined ? '' : `"meta":${jsonOf(meta)},`;
    text += `${at === 0 ? '{' : ','}${quotedText(shown)}:{${before}${answer.members}}`;
  }
  return `${text}}`;
}
