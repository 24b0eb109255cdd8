// How a score is printed: with the digits that identify it.
import { shortestFloat } from '../../base/shortest-floats.js';

/** A float32 score with the digits that identify it, as Java prints floats (1 is 1.0); a fused one with all of its own. */
export function scoreText(score: number | null): string {
  if (score === null || !Number.isFinite(score)) return 'null';
  if (Number.isInteger(score) && Math.abs(score) < 1e16) return `${score}.0`;
  return String(Math.fround(score) === score ? shortestFloat(score) : score);
}
