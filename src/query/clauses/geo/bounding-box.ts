// `geo_bounding_box`: documents with a point in a box.
import type { PlanWriter } from '../../../wire/plan-writer.js';
import { type ClauseKind, queryNode } from '../../clause.js';
import { type GeoShape, readShape } from '../../geo/request.js';
import { Params } from '../../params.js';

export interface GeoBoundingBoxClause extends GeoShape {
  readonly kind: 'geo_bounding_box';
}

/** Ways to execute the query that Elasticsearch had once; they change no result. */
const TYPES = ['indexed', 'memory'] as const;

export const geoBoundingBox: ClauseKind<GeoBoundingBoxClause> = {
  parse(body) {
    const params = Params.of('geo_bounding_box', body);
    params.choice('type', TYPES);
    return { kind: 'geo_bounding_box', ...readShape(params, body, ['type']) };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'geo_bounding_box', clause, (writer) => writeShape(writer, clause));
  },
};

/** The payload that all clauses by place start with. */
export function writeShape(writer: PlanWriter, clause: GeoShape): void {
  writer.str(clause.field).str(clause.shape).u8(clause.validation).bool(clause.ignoreUnmapped);
}
