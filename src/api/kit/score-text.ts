// Prints scores.
import { shortestFloat } from '../../base/shortest-floats.js';

/**
 * Prints a float32 score with the shortest identifying digits, as Java prints floats (1 is 1.0). A
 * fused score is a double and keeps all of its digits.
 */
export function scoreText(score: number | null): string {
  if (score === null || !Number.isFinite(score)) return 'null';
  if (Number.isInteger(score) && Math.abs(score) < 1e16) return `${score}.0`;
  return String(Math.fround(score) === score ? shortestFloat(score) : score);
}
