// `rank_feature`: documents with a feature; the score is a function of its value.
import type { Json } from '../../backend/index.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal } from '../values.js';

/** In the order of the core's numbers. */
const FUNCTIONS = ['log', 'saturation', 'sigmoid', 'linear'] as const;
type FunctionName = (typeof FUNCTIONS)[number];

export interface RankFeatureClause extends ClauseBase {
  readonly kind: 'rank_feature';
  readonly field: string;
  readonly score: FunctionName;
  /** For `log` the scaling factor; NaN for the default of the index, and for `linear`. */
  readonly pivot: number;
  readonly exponent: number;
}

type Score = Pick<RankFeatureClause, 'score' | 'pivot' | 'exponent'>;

const DEFAULT: Score = { score: 'saturation', pivot: Number.NaN, exponent: Number.NaN };

export const rankFeature: ClauseKind<RankFeatureClause> = {
  parse(body) {
    const params = Params.of('rank_feature', body);
    const field = params.text('field');
    const scores = FUNCTIONS.flatMap((name) => {
      const given = params.raw(name);
      return given === undefined ? [] : [readScore(name, given)];
    });
    const base = params.namedBase();
    params.finish();
    if (field === undefined) throw illegal('[rank_feature] Required [field]');
    if (scores.length > 1) {
      throw illegal('Can only specify one of [log], [saturation], [sigmoid] and [linear]');
    }
    return { kind: 'rank_feature', ...base, field, ...(scores[0] ?? DEFAULT) };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'rank_feature', clause, (writer) => {
      writer.str(clause.field).u8(FUNCTIONS.indexOf(clause.score));
      writer.f32(clause.pivot).f32(clause.exponent);
    });
  },
};

function readScore(score: FunctionName, body: Json): Score {
  const params = Params.of(score, body);
  const required = (name: string): number => {
    const value = params.float(name);
    if (value === undefined) throw illegal(`[rank_feature] [${score}] Required [${name}]`);
    return value;
  };
  let { pivot, exponent } = DEFAULT;
  if (score === 'log') pivot = required('scaling_factor');
  else if (score === 'sigmoid') [pivot, exponent] = [required('pivot'), required('exponent')];
  else if (score === 'saturation') pivot = params.float('pivot') ?? pivot;
  params.finish();
  return { score, pivot, exponent };
}
