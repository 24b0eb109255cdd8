// top_hits: the best documents of a bucket, printed like the hits of a search.
import type { Json } from '../../../backend/index.js';
import type { ByteReader } from '../../../wire/byte-reader.js';
import { compareHits, mergeOrder, type RankedList } from '../../../wire/hit-order.js';
import { type LegHits, readLeg } from '../../../wire/hits-reader.js';
import { type PlanSortKey, writeSortKey } from '../../../wire/plan-writer.js';
import { parseSort } from '../../sort.js';
import { illegal } from '../../values.js';
import type { AggBody, AggContext } from '../agg.js';
import { readStarts } from '../buckets.js';

const DEFAULT_SIZE = 3;
/** Options of the fetch phase, parsed by the search that fetches the hits. */
const SHOWN = [
  '_source',
  'stored_fields',
  'docvalue_fields',
  'fields',
  'highlight',
  'script_fields',
  'explain',
  'version',
  'seq_no_primary_term',
  'track_scores',
];

interface Columns {
  readonly starts: ArrayLike<number>;
  readonly totals: Float64Array;
  readonly maxScores: Float64Array;
  readonly leg: LegHits;
}

export interface TopHitsBody extends AggBody<Columns> {
  /** The body of a search that prints its hits in the same way. */
  readonly shows: Readonly<Record<string, Json>>;
}

export function topHits({ params, name, limits }: AggContext): TopHitsBody {
  const from = params.count('from', 0) ?? 0;
  const size = params.count('size', 0) ?? DEFAULT_SIZE;
  if (from + size > limits.innerResultWindow) {
    throw illegal(
      `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${limits.innerResultWindow}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    );
  }
  const given = params.raw('sort');
  const parsed: readonly PlanSortKey[] = given === undefined ? [] : parseSort(given);
  const byScore =
    parsed.length === 1 && parsed[0]?.field === '_score' && parsed[0].order === 'desc';
  const sort = byScore ? [] : parsed;
  const trackScores = params.flag('track_scores') ?? false;
  const scores = sort.length === 0 || trackScores || sort.some(({ field }) => field === '_score');
  const shows = Object.fromEntries(
    SHOWN.flatMap((key) => {
      const value = params.raw(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  return {
    shows,
    opcode: 'agg:top_hits',
    encode: ({ writer }) => {
      writer
        .u32(from + size)
        .bool(scores)
        .list(sort, (key) => writeSortKey(writer, key));
    },
    readColumns: (reader: ByteReader, { owners, extra }) => ({
      starts: readStarts(reader, owners),
      totals: reader.align(8).doubles(owners),
      maxScores: reader.align(8).doubles(owners),
      leg: readLeg(reader, extra),
    }),
    reduce(agg, parts, reducer) {
      const order = mergeOrder(sort);
      const found: { list: RankedList; hit: number; shard: number }[] = [];
      let total = 0;
      let best = Number.NEGATIVE_INFINITY;
      for (const { node, owner, shard } of parts) {
        const { starts, totals, maxScores, leg } = node.columns;
        total += totals[owner] ?? 0;
        const score = maxScores[owner] ?? Number.NaN;
        if (!Number.isNaN(score)) best = Math.max(best, score);
        const list = { indexName: reducer.indexName(shard), hits: leg };
        for (let hit = starts[owner] ?? 0; hit < (starts[owner + 1] ?? 0); hit++)
          found.push({ list, hit, shard });
      }
      found.sort((a, b) => compareHits(a.list, a.hit, b.list, b.hit, order));
      const hits = found.slice(from, from + size).map(({ list, hit, shard }) => {
        const score = list.hits.scores[hit] ?? Number.NaN;
        return {
          shard,
          doc: list.hits.docs[hit] ?? 0,
          score: Number.isNaN(score) || !scores ? null : score,
          sort: list.hits.sort.map((column) => column.json(hit)),
        };
      });
      const maxScore = scores && best > Number.NEGATIVE_INFINITY ? best : null;
      const firstKey = hits[0]?.sort[0];
      const sortValue = firstKey === undefined ? undefined : Number(firstKey);
      return {
        agg,
        typed: 'top_hits',
        members: {},
        value: (property) => (property === '_score' ? maxScore : sortValue),
        hits: { total, maxScore, hits, shows },
      };
    },
  };
}
