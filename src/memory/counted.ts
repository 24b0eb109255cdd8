// What the aggregations of a search say, as values: they come as the text that answers show.
import type { AggregationText } from '../backend/index.js';

/** `T`: the shape of what was asked for, which has no documents in it. */
export function readCounted<T>(pieces: AggregationText = []): T {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else if (piece instanceof Uint8Array) text += Buffer.from(piece).toString('utf8');
    else throw new Error('aggregations that are counted have no documents');
  }
  return JSON.parse(text) as T;
}
