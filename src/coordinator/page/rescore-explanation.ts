// `_explanation` of a rescored hit: combines the score of the query, times its weight, with the
// score of each rescore query, times the weight of that.
import type { SearchHit } from '../../backend/index.js';
import { quote } from '../../base/json-text.js';
import { shortestFloat } from '../../base/shortest-floats.js';
import { combined, type Rescore } from '../../query/rescore.js';
import type { RescoredHit } from './rescored.js';

const NAMES: Readonly<Record<Rescore['mode'], string>> = {
  total: 'sum of:',
  multiply: 'product of:',
  avg: 'avg of:',
  max: 'max of:',
  min: 'min of:',
};

interface ScorePart {
  readonly value: number;
  /** JSON. */
  readonly text: string;
}

/** The hit with an explanation of its final score; `hit` itself if it was not rescored. */
export function explainedAgain(
  hit: SearchHit,
  again: RescoredHit | undefined,
  rescores: readonly Rescore[],
  score: number,
  explanations: readonly (string | undefined)[],
): SearchHit {
  const { explanation: first } = hit;
  if (again === undefined || first === undefined) return hit;
  return { ...hit, explanation: rescoreExplanation(again, rescores, score, first, explanations) };
}

/**
 * `score` and `first`: score and explanation by the query. `explanations`: those of the rescore
 * queries, whose scores are in `seconds`.
 */
function rescoreExplanation(
  { seconds }: RescoredHit,
  rescores: readonly Rescore[],
  score: number,
  first: string,
  explanations: readonly (string | undefined)[],
): string {
  let part: ScorePart = { value: score, text: first };
  for (const [at, rescore] of rescores.entries()) {
    const second = seconds[at] ?? null;
    const value = combined(rescore, part.value, second);
    const primary = product(part, rescore.queryWeight, 'primaryWeight');
    if (second === null) {
      part = primary;
      continue;
    }
    const own = { value: second, text: explanations[at] ?? leaf(second, 'rescore query') };
    const secondary = product(own, rescore.rescoreWeight, 'secondaryWeight');
    part = { value, text: node(value, NAMES[rescore.mode], [primary.text, secondary.text]) };
  }
  return part.text;
}

function product({ value, text }: ScorePart, weight: number, name: string): ScorePart {
  const weighed = Math.fround(value * Math.fround(weight));
  return { value: weighed, text: node(weighed, 'product of:', [text, leaf(weight, name)]) };
}

function leaf(value: number, description: string): string {
  return node(value, description, []);
}

function node(value: number, description: string, details: readonly string[]): string {
  return `{"value":${numberText(value)},"description":${quote(description)},"details":[${details.join(',')}]}`;
}

/** The shortest text of the value as a float32. */
function numberText(value: number): string {
  const float = Math.fround(value);
  return String(Number.isFinite(float) ? shortestFloat(float) : float);
}
