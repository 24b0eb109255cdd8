// `geo_distance`: documents with a point within a distance of another one.
import type { Scalar } from '../../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../../clause.js';
import { type GeoShape, readPlane, readShape } from '../../geo/request.js';
import { Params } from '../../params.js';
import { illegal, malformed } from '../../values.js';
import { writeShape } from './bounding-box.js';

export interface GeoDistanceClause extends GeoShape {
  readonly kind: 'geo_distance';
  readonly distance: Scalar;
  /** Of a distance without one; empty: meters. */
  readonly unit: string;
}

export const geoDistance: ClauseKind<GeoDistanceClause> = {
  parse(body) {
    const params = Params.of('geo_distance', body);
    const distance = params.scalar('distance');
    const unit = params.text('unit') ?? '';
    // The distance is that of an arc whatever the type is, as in Elasticsearch.
    readPlane(params);
    if (distance === undefined || distance.kind === 'null') {
      throw malformed("geo_distance requires 'distance' to be specified");
    }
    if (distance.kind === 'boolean' || distance.text === '') {
      throw illegal(
        `[geo_distance] [distance] must be a number with a unit such as [12km], found [${distance.text}]`,
      );
    }
    const shape = readShape(params, body, ['distance', 'unit', 'distance_type']);
    return { kind: 'geo_distance', ...shape, distance, unit };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'geo_distance', clause, (writer) => {
      writeShape(writer, clause);
      writer.scalar(clause.distance).str(clause.unit);
    });
  },
};
