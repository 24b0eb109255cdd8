// `distance_feature`: the nearer a document's date or point is to an origin, the higher is its score.
import type { Scalar } from '../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { originScalar } from '../geo/request.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal } from '../values.js';

export interface DistanceFeatureClause extends ClauseBase {
  readonly kind: 'distance_feature';
  readonly field: string;
  readonly origin: Scalar;
  /** A duration, or a distance of points: the distance from the origin at which the score is half of the boost. */
  readonly pivot: Scalar;
}

export const distanceFeature: ClauseKind<DistanceFeatureClause> = {
  parse(body) {
    const params = Params.of('distance_feature', body);
    const field = params.text('field');
    const origin = params.raw('origin');
    const given = origin === undefined ? undefined : originScalar(origin);
    const pivot = params.scalar('pivot');
    const base = params.namedBase();
    params.finish();
    if (field === undefined) throw illegal('[distance_feature] Required [field]');
    if (given === undefined || given.kind === 'null') {
      throw illegal('[distance_feature] Required [origin]');
    }
    if (pivot === undefined || pivot.kind === 'null') {
      throw illegal('[distance_feature] Required [pivot]');
    }
    return { kind: 'distance_feature', ...base, field, origin: given, pivot };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'distance_feature', clause, (writer) => {
      writer.str(clause.field).scalar(clause.origin).scalar(clause.pivot);
    });
  },
};
