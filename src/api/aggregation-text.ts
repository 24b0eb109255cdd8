// Writes a tree of aggregations as JSON, with steps: one of tens of thousands of buckets is written in stretches. No
// recursion: a tree may be as deep as it likes.
import type { AggregationTree, NestedHits } from '../backend.js';
import type { Steps } from '../ops/turns.js';
import type { Pieces } from './pieces.js';

/** An array or object that is begun and not ended. */
interface Level {
  /** Of the members of an object. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly AggregationTree[];
  next: number;
}

export function* writeAggregations(
  out: Pieces,
  root: AggregationTree,
  writeHits: (hits: NestedHits) => void,
): Steps<void> {
  const levels: Level[] = [];
  begin(out, root, levels, writeHits);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (out.counted()) yield;
    const { names, values } = level;
    const at = level.next++;
    if (at === values.length) {
      levels.pop();
      out.add(names === undefined ? ']' : '}');
      continue;
    }
    if (at > 0) out.add(',');
    if (names !== undefined) out.add(`${JSON.stringify(names[at])}:`);
    begin(out, values[at] ?? null, levels, writeHits);
  }
}

function begin(
  out: Pieces,
  value: AggregationTree,
  levels: Level[],
  writeHits: (hits: NestedHits) => void,
): void {
  if (typeof value === 'bigint') {
    out.add(String(value));
  } else if (typeof value !== 'object' || value === null) {
    out.add(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    out.add('[');
    levels.push({ names: undefined, values: value as readonly AggregationTree[], next: 0 });
  } else if ('nestedHits' in value) {
    writeHits(value as NestedHits);
  } else if (isFlat(value)) {
    out.add(JSON.stringify(value));
  } else {
    out.add('{');
    levels.push({ names: Object.keys(value), values: Object.values(value), next: 0 });
  }
}

/** Nothing inside, as most buckets are. */
function isFlat(value: object): boolean {
  return Object.values(value).every(
    (member) => (typeof member !== 'object' || member === null) && typeof member !== 'bigint',
  );
}
