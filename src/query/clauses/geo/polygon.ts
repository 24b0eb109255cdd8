// `geo_polygon`: documents with a point in a polygon.
import { printExact } from '../../../base/exact-json.js';
import { type ClauseKind, queryNode } from '../../clause.js';
import { type GeoShape, readShape } from '../../geo/request.js';
import { Params } from '../../params.js';
import { isArray, isObject, malformed } from '../../values.js';
import { writeShape } from './bounding-box.js';

export interface GeoPolygonClause extends GeoShape {
  readonly kind: 'geo_polygon';
}

export const geoPolygon: ClauseKind<GeoPolygonClause> = {
  parse(body) {
    const params = Params.of('geo_polygon', body);
    const shape = readShape(params, body);
    const value = isObject(body) ? body[shape.field] : undefined;
    const points = isObject(value) ? value['points'] : undefined;
    if (!isObject(value) || !isArray(points)) {
      throw malformed(`[geo_polygon] [${shape.field}] must be an object with a list of [points]`);
    }
    const unknown = Object.keys(value).find((name) => name !== 'points');
    if (unknown !== undefined) {
      throw malformed(`[geo_polygon] query does not support [${unknown}]`);
    }
    return { kind: 'geo_polygon', ...shape, shape: printExact(points) };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'geo_polygon', clause, (writer) => writeShape(writer, clause));
  },
};
