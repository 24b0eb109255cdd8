// geo_bounds and geo_centroid: the box around the points of the documents, and their mean.
import type { Json } from '../../../backend/index.js';
import type { Agg, AggBody, AggContext, AggResult, ShardBucket } from '../agg.js';
import { writeSource } from '../params.js';
import { CompensatedSum } from '../sums.js';

/** Longitudes of the eastern half are apart from those of the western one. */
interface Extents {
  readonly top: ArrayLike<number>;
  readonly bottom: ArrayLike<number>;
  readonly eastLeft: ArrayLike<number>;
  readonly eastRight: ArrayLike<number>;
  readonly westLeft: ArrayLike<number>;
  readonly westRight: ArrayLike<number>;
}

interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export function geoBounds({ params }: AggContext): AggBody<Extents> {
  const source = params.pointSource();
  const wraps = params.flag('wrap_longitude') ?? true;
  return {
    opcode: 'agg:geo_bounds',
    encode: ({ writer }) => writeSource(writer, source),
    readColumns: (reader, { owners }) => {
      const column = () => reader.align(8).numbers(owners);
      return {
        top: column(),
        bottom: column(),
        eastLeft: column(),
        eastRight: column(),
        westLeft: column(),
        westRight: column(),
      };
    },
    reduce: (agg, parts) => boundsResult(agg as Agg, boxOf(parts, wraps)),
  };
}

/** Undefined without points. */
function boxOf(parts: readonly ShardBucket<Extents>[], wraps: boolean): Box | undefined {
  const most = (column: keyof Extents): number =>
    Math.max(...parts.map(({ node, owner }) => node.columns[column][owner] ?? -Infinity));
  const least = (column: keyof Extents): number =>
    Math.min(...parts.map(({ node, owner }) => node.columns[column][owner] ?? Infinity));
  const [top, bottom] = [most('top'), least('bottom')];
  if (!Number.isFinite(top)) return undefined;
  const [eastLeft, eastRight] = [least('eastLeft'), most('eastRight')];
  const [westLeft, westRight] = [least('westLeft'), most('westRight')];
  if (!Number.isFinite(eastLeft)) return { top, left: westLeft, bottom, right: westRight };
  if (!Number.isFinite(westLeft)) return { top, left: eastLeft, bottom, right: eastRight };
  const plain = eastRight - westLeft;
  const wrapped = 180 - eastLeft - (-180 - westRight);
  return wraps && plain > wrapped
    ? { top, left: eastLeft, bottom, right: westRight }
    : { top, left: westLeft, bottom, right: eastRight };
}

function boundsResult(agg: Agg, box: Box | undefined): AggResult {
  const bounds = box && {
    top_left: { lat: box.top, lon: box.left },
    bottom_right: { lat: box.bottom, lon: box.right },
  };
  return {
    agg,
    typed: 'geo_bounds',
    members: bounds === undefined ? {} : { bounds },
    value: (property) => (box === undefined ? null : edgeOf(box, property)),
  };
}

function edgeOf(box: Box, property: string): number | undefined {
  return Object.hasOwn(box, property) ? box[property as keyof Box] : undefined;
}

interface Centroids {
  readonly count: ArrayLike<number>;
  readonly lat: ArrayLike<number>;
  readonly latDelta: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
  readonly lonDelta: ArrayLike<number>;
}

export function geoCentroid({ params }: AggContext): AggBody<Centroids> {
  const source = params.pointSource();
  return {
    opcode: 'agg:geo_centroid',
    encode: ({ writer }) => writeSource(writer, source),
    readColumns: (reader, { owners }) => {
      const column = () => reader.align(8).numbers(owners);
      return {
        count: column(),
        lat: column(),
        latDelta: column(),
        lon: column(),
        lonDelta: column(),
      };
    },
    reduce(agg, parts) {
      let count = 0;
      const lat = new CompensatedSum();
      const lon = new CompensatedSum();
      for (const { node, owner } of parts) {
        const { columns } = node;
        count += columns.count[owner] ?? 0;
        lat.addSum(columns.lat[owner] ?? 0, columns.latDelta[owner] ?? 0);
        lon.addSum(columns.lon[owner] ?? 0, columns.lonDelta[owner] ?? 0);
      }
      const place = { lat: lat.value / count, lon: lon.value / count };
      const members: Record<string, Json> = count === 0 ? { count } : { location: place, count };
      return {
        agg,
        typed: 'geo_centroid',
        members,
        value(property) {
          if (property === 'count') return count;
          const coordinate = /^(?:location\.)?(lat|lon)$/.exec(property)?.[1];
          if (coordinate === undefined) return undefined;
          return count === 0 ? null : place[coordinate as 'lat' | 'lon'];
        },
      };
    },
  };
}
