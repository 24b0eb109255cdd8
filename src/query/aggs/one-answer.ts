// The answer of one shard as the answer: where there is nothing to merge, to put in order or to look up, its text is written as it came.
import type { AggPart } from '../../wire/agg-reader.js';
import { jsonOf, quotedText } from './json.js';
import type { AggTree } from './parse.js';

/** What a kind makes of one shard's answer at the top of a request. */
export interface OneAnswer {
  /** Prefix of the name where types are asked for. */
  readonly typed: string;
  /** Everything but `meta`, as JSON without braces; never empty. */
  readonly members: string;
}

/** Of some trees; each of them may be reduced as well. */
export function mayBeOne({ aggs, pipelines }: AggTree): boolean {
  return pipelines.length === 0 && aggs.every(({ ofOne }) => ofOne !== undefined);
}

/** `parts`: in the order of the tree. Undefined: they have to be reduced. */
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
