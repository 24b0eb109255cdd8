// top_metrics: values of some fields of the documents of a bucket that are the best by a sort key.
import type { Json } from '../../../backend/index.js';
import { compareHits, mergeOrder, type RankedList } from '../../../wire/hit-order.js';
import { type LegHits, readLeg } from '../../../wire/hits-reader.js';
import { type PlanSortKey, writeSortKey } from '../../../wire/plan-writer.js';
import { checkLength } from '../../list-limits.js';
import { parseSort } from '../../sort.js';
import { illegal, isArray, malformed } from '../../values.js';
import type { AggBody, AggContext } from '../agg.js';
import { readStarts } from '../buckets.js';
import type { Calendar } from '../calendar.js';
import { firstFormat } from '../format.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { readValueColumns, type ValueColumn } from '../value-columns.js';

interface Columns {
  readonly starts: ArrayLike<number>;
  readonly leg: LegHits;
  readonly metrics: readonly ValueColumn[];
}

function readMetrics({ params, name }: AggContext): readonly Source[] {
  const given = params.raw('metrics');
  if (given === undefined) throw illegal(`Required [metrics]: [${name}]`);
  const metrics = isArray(given) ? given : [given];
  if (metrics.length === 0) throw illegal(`[metrics] must not be empty: [${name}]`);
  checkLength('[metrics] of [top_metrics]', metrics.length, 'ask for fewer fields');
  return metrics.map((metric: Json) => {
    const inner = new AggParams('metrics', metric, name);
    const source = inner.bareSource();
    inner.finish();
    return source;
  });
}

function readKey({ params, name }: AggContext): PlanSortKey {
  const given = params.raw('sort');
  if (given === undefined) throw malformed(`Required [sort]: [${name}]`);
  const keys = parseSort(given);
  const [key] = keys;
  if (key === undefined || keys.length !== 1) {
    throw illegal('[sort] must contain exactly one sort');
  }
  const { field, numericType } = key;
  if (field === '_script' && numericType === 'string') {
    throw illegal(
      'error building sort for [_script]: script sorting only supported on [numeric] scripts but was [string]',
    );
  }
  if (['_doc', '_id', '_index'].includes(field)) {
    throw illegal(`error building sort for [${field}]: only supported on numeric fields`);
  }
  return key;
}

function readSize({ params, limits }: AggContext): number {
  const size = params.integer('size', Number.MIN_SAFE_INTEGER) ?? 1;
  if (size < 1) throw illegal(`[size] must be more than 0 but was [${size}]`);
  if (size <= limits.topMetrics) return size;
  throw illegal(
    `[top_metrics.size] must not be more than [${limits.topMetrics}] but was [${size}]. This limit can be set by changing the [index.top_metrics_max_size] index level setting.`,
  );
}

/** Dates and booleans are shown as strings, as in Elasticsearch. */
function shown({ kind, format, nulls, keys }: ValueColumn, row: number, calendar: Calendar): Json {
  if (nulls[row] === 1) return null;
  const value = keys.value(row);
  if (kind === 'boolean') return String(Number(value) !== 0);
  return kind === 'date' ? calendar.text(Number(value), firstFormat(format), '') : value;
}

/** Dates count in milliseconds, booleans as 0 and 1; strings are no numbers. */
function numberAt(column: ValueColumn | undefined, row: number): number | null {
  if (column === undefined || column.nulls[row] === 1 || column.keys.isText) return null;
  return Number(column.keys.value(row));
}

export function topMetrics(context: AggContext): AggBody<Columns> {
  const size = readSize(context);
  const key = readKey(context);
  const metrics = readMetrics(context);
  const names = metrics.map(({ field }) => field);
  return {
    opcode: 'agg:top_metrics',
    metrics: { names, size },
    encode({ writer }) {
      writer.u32(size).list([key], (one) => writeSortKey(writer, one));
      writer.list(metrics, (metric) => writeSource(writer, metric));
    },
    readColumns: (reader, { owners, buckets, extra }) => ({
      starts: readStarts(reader, owners),
      leg: readLeg(reader, 1),
      metrics: readValueColumns(reader, extra, buckets),
    }),
    reduce(agg, parts, reducer) {
      const { calendar } = reducer;
      const order = mergeOrder([key]);
      const found: { list: RankedList; hit: number; metrics: readonly ValueColumn[] }[] = [];
      for (const { node, owner, shard } of parts) {
        const { starts, leg, metrics: columns } = node.columns;
        const list = { indexName: reducer.indexName(shard), hits: leg };
        for (let hit = starts[owner] ?? 0; hit < (starts[owner + 1] ?? 0); hit++)
          found.push({ list, hit, metrics: columns });
      }
      found.sort((a, b) => compareHits(a.list, a.hit, b.list, b.hit, order));
      const best = found.slice(0, size);
      const valuesOf = (at: number): readonly Json[] => {
        const one = best[at];
        return one?.metrics.map((column) => shown(column, one.hit, calendar)) ?? [];
      };
      const top = best.map(({ list, hit }, at) => ({
        sort: [list.hits.sort[0]?.reader()(hit) ?? null],
        metrics: Object.fromEntries(valuesOf(at).map((value, i) => [names[i] ?? '', value])),
      }));
      return {
        agg,
        typed: 'top_metrics',
        members: { top },
        value(property) {
          const at = names.indexOf(property);
          const [first] = best;
          return at < 0 ? undefined : numberAt(first?.metrics[at], first?.hit ?? 0);
        },
      };
    },
  };
}
