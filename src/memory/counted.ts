// Parses the aggregations of a search response, which the backend returns as JSON text in pieces.
import type { AggregationText } from '../backend/index.js';

/** `T`: the shape of the requested aggregations, which must not contain documents. */
export function readCounted<T>(pieces: AggregationText = []): T {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else if (piece instanceof Uint8Array) text += Buffer.from(piece).toString('utf8');
    else throw new Error('aggregations that are counted have no documents');
  }
  return JSON.parse(text) as T;
}
