// Writes the text of aggregations into an answer as a cooperative task, since tens of thousands of
// buckets are many pieces.
import type { AggregationText, NestedHits } from '../../backend/index.js';
import type { CooperativeTask } from '../../base/cooperative-task.js';
import type { Pieces } from '../kit/pieces.js';

export function* writeAggregations(
  out: Pieces,
  pieces: AggregationText,
  writeHits: (hits: NestedHits) => void,
): CooperativeTask<void> {
  for (const piece of pieces) {
    if (typeof piece === 'string') out.add(piece);
    else if (piece instanceof Uint8Array) out.bytes(piece);
    else writeHits(piece);
    if (out.counted()) yield;
  }
}
