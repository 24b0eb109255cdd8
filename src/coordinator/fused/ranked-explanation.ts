// `_explanation` of a hit of fused lists: for each list the document's rank, its score in the list,
// its share of the fused score and the explanation of its score in the list, recursively.
import type { FusedHit, Share } from '../../fusion/fuse.js';
import { DEFAULT_RANK_CONSTANT } from '../../fusion/rrf.js';
import type { FusedPart, Fusion } from '../../query/ranking.js';
import { jsonText } from '../catalog/json-text.js';
import type { FusedResult, RankedResult } from './fused-lists.js';
import type { Place } from './ranked-lists.js';

const SUM = 'sum of the shares of lists';

/** The explanation of a document's score in a list, as JSON; undefined if there is none. */
export type LegExplanation = (leg: number) => string | undefined;

export function explanationOf(
  hit: FusedHit<Place>,
  result: FusedResult,
  fusion: Fusion,
  ofLeg: LegExplanation,
): string {
  const details = fusion.parts.map((part, i) => {
    const share = hit.shares[i];
    const list = result.parts[i];
    const listed = list?.hits.find(({ id }) => id === hit.hit.id);
    if (share === undefined || list === undefined || listed === undefined) {
      return text(0, `list [${i}] of weight [${part.weight}] does not count for this document`, []);
    }
    const why = `list [${i}]: rank [${share.rank}], score [${digits(listed.score)}], share ${formula(fusion, part, share)}`;
    return text(share.share, why, inner(part, list, listed, ofLeg));
  });
  const { method } = fusion;
  const how =
    method.kind === 'rrf'
      ? `rrf, rank_constant [${method.rankConstant ?? DEFAULT_RANK_CONSTANT}], ${SUM}`
      : `linear, ${SUM}`;
  const isAlone = hit.shares.some((share) => share?.alone === true);
  const rest = isAlone
    ? `; of shares beyond rank [${fusion.window}] the best counts, if it is more`
    : '';
  return text(hit.score, how + rest, details);
}

function formula({ method }: Fusion, { weight, normalizer }: FusedPart, share: Share): string {
  if (method.kind === 'rrf') {
    const constant = method.rankConstant ?? DEFAULT_RANK_CONSTANT;
    return `= weight [${weight}] / (rank_constant [${constant}] + rank [${share.rank}])`;
  }
  return `= weight [${weight}] * score by [${normalizer}]`;
}

function inner(
  { ranking }: FusedPart,
  { fusion }: RankedResult,
  listed: Place,
  ofLeg: LegExplanation,
): readonly string[] {
  if (ranking.kind === 'leg') {
    const why = ofLeg(ranking.leg);
    return why === undefined ? [] : [why];
  }
  const hit = fusion?.fused.find((one) => one.hit.id === listed.id);
  if (fusion === undefined || hit === undefined) return [];
  return [explanationOf(hit, fusion, ranking, ofLeg)];
}

/** Rounds to the number of significant digits that a float32 has. */
function digits(score: number): number {
  return Number(score.toPrecision(7));
}

function text(value: number, description: string, details: readonly string[]): string {
  return `{"value":${value},"description":${jsonText(description)},"details":[${details.join(',')}]}`;
}
