// geohash_grid and geotile_grid: one bucket for each cell of a grid that has documents, those with
// the most documents first.
import type { Json } from '../../../backend/index.js';
import { printExact } from '../../../base/exact-json.js';
import { illegal } from '../../values.js';
import type { AggBody, AggContext, AggResult } from '../agg.js';
import {
  type BucketRows,
  type Groups,
  insideOf,
  join,
  RowBuckets,
  readStarts,
} from '../buckets.js';
import { writeSource } from '../params.js';
import { type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';

const DEFAULT_SIZE = 10_000;
const GEOHASH_DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz';

interface Columns {
  readonly starts: ArrayLike<number>;
  readonly keys: BigInt64Array;
  readonly counts: Float64Array;
}

interface Grid {
  readonly type: string;
  /** The number of the grid in a plan. */
  readonly number: number;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  readonly typed: string;
  /** Whether a precision may be a distance. */
  readonly distances: boolean;
  refusal(precision: number): string;
  /** `key`: native/core/query/aggs/geo/geo_grid_agg.cc has its bits. */
  text(key: bigint): string;
}

const GEOHASHES: Grid = {
  type: 'geohash_grid',
  number: 0,
  least: 1,
  most: 12,
  usual: 5,
  typed: 'geohash_grid',
  distances: true,
  refusal: (precision) =>
    `Invalid geohash aggregation precision of ${precision}. Must be between 1 and 12.`,
  text(key) {
    let text = '';
    let rest = BigInt.asUintN(64, key) >> 4n;
    for (let left = Number(key & 15n); left > 0; left--) {
      text = `${GEOHASH_DIGITS[Number(rest & 31n)] ?? ''}${text}`;
      rest >>= 5n;
    }
    return text;
  },
};

const TILES: Grid = {
  type: 'geotile_grid',
  number: 1,
  least: 0,
  most: 29,
  usual: 7,
  typed: 'geotile_grid',
  distances: false,
  refusal: (precision) =>
    `Invalid geotile_grid precision of ${precision}. Must be between 0 and 29.`,
  text(key) {
    const coordinate = 2n ** 29n - 1n;
    return `${key >> 58n}/${(key >> 29n) & coordinate}/${key & coordinate}`;
  },
};

function readPrecision({ params }: AggContext, grid: Grid): { number: number; distance: string } {
  const given = params.raw('precision');
  if (grid.distances && typeof given === 'string' && !/^\s*[+-]?\d+\s*$/.test(given)) {
    return { number: grid.usual, distance: given };
  }
  const number = params.integer('precision', Number.MIN_SAFE_INTEGER) ?? grid.usual;
  if (number < grid.least || number > grid.most) throw illegal(grid.refusal(number));
  return { number, distance: '' };
}

function cellRows(cells: Groups<Columns>, grid: Grid): BucketRows {
  const text = (cell: number): string => {
    const { keys } = cells.columns(cell);
    return grid.text(keys[cells.bucket(cell)] ?? 0n);
  };
  return {
    length: cells.length,
    name: text,
    key: text,
    docCount: (cell) => cells.docCount(cell),
    json: (cell) => `"key":"${text(cell)}","doc_count":${cells.docCount(cell)}`,
  };
}

function gridKind(grid: Grid) {
  return (context: AggContext): AggBody<Columns> => {
    const { params } = context;
    const source = params.pointSource();
    const precision = readPrecision(context, grid);
    const size = params.count('size', 1) ?? DEFAULT_SIZE;
    const shardSize = Math.max(size, params.count('shard_size', 1) ?? Math.floor(size * 1.5) + 10);
    const bounds: Json | undefined = params.object('bounds');
    return {
      opcode: 'agg:geo_grid',
      encode: ({ writer }) => {
        writeSource(writer, source);
        writer.u8(grid.number).u8(precision.number).str(precision.distance);
        writer.u32(Math.min(shardSize, 2 ** 31 - 1));
        writer.str(bounds === undefined ? '' : printExact(bounds));
      },
      readColumns: (reader, { owners, buckets }) => ({
        starts: readStarts(reader, owners),
        keys: reader.align(8).int64s(buckets),
        counts: reader.align(8).doubles(buckets),
      }),
      *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
        const cells = yield* join(parts, ({ keys }, bucket) => keys[bucket]);
        const keyOf = (cell: number): bigint => cells.columns(cell).keys[cells.bucket(cell)] ?? 0n;
        const all = yield* numbersSteps(cells.length, () => true);
        const sorted = yield* sortSteps(all, (a, b) => {
          const byCount = cells.docCount(b) - cells.docCount(a);
          return byCount !== 0 ? byCount : keyOf(a) < keyOf(b) ? 1 : -1;
        });
        return {
          agg,
          typed: grid.typed,
          members: {},
          buckets: new RowBuckets(
            cellRows(cells, grid),
            sorted.slice(0, size),
            insideOf(agg, reducer, (cell) => cells.parts(cell)),
          ),
          value: () => undefined,
        };
      },
    };
  };
}

export const geohashGrid = gridKind(GEOHASHES);
export const geotileGrid = gridKind(TILES);
