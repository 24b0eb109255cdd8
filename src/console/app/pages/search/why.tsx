// How the score of a hit came about: the parts of it as bars, and all of it as a tree.
import { Bar } from '../../kit/bars.js';
import { numberText } from '../../kit/format.js';
import { Tree, type TreeNode } from '../../kit/tree.js';
import type { Explanation } from './results.js';

export function Why({ explanation }: { readonly explanation: Explanation }) {
  const most = Math.abs(explanation.value);
  return <Tree label="Why this score" nodes={[nodeOf(explanation, most, '0')]} openLevels={3} />;
}

/**
 * `most`: the whole score, of which amounts are shares; undefined below a formula, whose inputs are
 * no parts of the score.
 */
function nodeOf(
  { value, description, details = [] }: Explanation,
  most: number | undefined,
  key: string,
): TreeNode {
  const inside = description.includes('computed as') ? undefined : most;
  return {
    key,
    label: (
      <span class="why">
        {most !== undefined && <Bar share={most === 0 ? 0 : value / most} />}
        <strong>{numberText(value)}</strong> <span>{description}</span>
      </span>
    ),
    children: details.map((detail, at) => nodeOf(detail, inside, `${key}.${at}`)),
  };
}
