// multi_terms: one bucket for each combination of the values of several fields.
import type { Json } from '../../../backend/index.js';
import { quote } from '../../../base/json-text.js';
import { checkLength } from '../../list-limits.js';
import { illegal, isArray, isObject, malformed, tokenName } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult, ShardBucket } from '../agg.js';
import {
  type BucketRows,
  type CountColumns,
  type Groups,
  insideOf,
  join,
  RowBuckets,
  readStarts,
  rememberedInside,
} from '../buckets.js';
import type { Calendar } from '../calendar.js';
import { doubleText, ValueTexts } from '../format.js';
import {
  COUNT_DESCENDING,
  compareBuckets,
  lookInside,
  readOrder,
  type Sortable,
  writeOrders,
} from '../order.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';
import {
  compareInColumns,
  readValueColumns,
  tupleIdentity,
  type ValueColumn,
} from '../value-columns.js';
import { DEFAULT_SIZE, EXACT_BUCKETS } from './terms-nodes.js';

interface Columns extends CountColumns {
  readonly other: ArrayLike<number>;
  readonly error: ArrayLike<number>;
  readonly sources: readonly ValueColumn[];
}

function readSources({ params, name }: AggContext): readonly Source[] {
  const given = params.raw('terms');
  if (given !== undefined && !isArray(given)) {
    throw malformed(`[multi_terms] [terms] must be an array, found [${tokenName(given)}]`);
  }
  const terms = given ?? [];
  if (terms.length < 2) {
    throw illegal(
      `The [terms] parameter in the aggregation [${name}] must be present and have at least 2 fields or scripts.${terms.length === 1 ? ' Use the terms aggregation for a single field.' : ''}`,
    );
  }
  checkLength('[terms] of [multi_terms]', terms.length, 'leave out what groups nothing');
  return terms.map((entry: Json) => {
    if (!isObject(entry)) {
      throw malformed(
        `[multi_terms] [terms] must hold objects with a [field], found [${tokenName(entry)}]`,
      );
    }
    const params = new AggParams('multi_terms', entry, name);
    const source = params.sourceInZone();
    params.finish();
    return source;
  });
}

/** How the keys of one source are shown. */
function printerOf(source: Source, column: ValueColumn, calendar: Calendar) {
  const texts = new ValueTexts(column, source, calendar);
  const { keys, kind } = column;
  return {
    value(row: number): Json {
      const value = keys.value(row);
      if (kind === 'boolean') return Number(value) !== 0;
      return !keys.isText && texts.shown ? texts.text(Number(value)) : value;
    },
    /** The value as JSON. */
    json(row: number): string {
      if (kind === 'boolean') return String(Number(keys.value(row)) !== 0);
      return !keys.isText && texts.shown
        ? quote(texts.text(Number(keys.value(row))))
        : keys.json(row);
    },
    /** As in the text of the key. */
    text(row: number): string {
      if (!keys.isText && texts.shown) return texts.text(Number(keys.value(row)));
      return kind === 'double' ? doubleText(Number(keys.value(row))) : String(keys.value(row));
    },
  };
}

type Printer = ReturnType<typeof printerOf>;

function multiTermsRows(
  sources: readonly Source[],
  groups: Groups<Columns>,
  calendar: Calendar,
  more: (group: number) => string,
): BucketRows {
  const known = new Map<Columns, readonly Printer[]>();
  const printersOf = (columns: Columns) => {
    const made =
      known.get(columns) ??
      columns.sources.map((column, at) => printerOf(sources[at] as Source, column, calendar));
    known.set(columns, made);
    return made;
  };
  const shown = <T>(group: number, how: (printer: Printer, row: number) => T): readonly T[] => {
    const row = groups.bucket(group);
    return printersOf(groups.columns(group)).map((printer) => how(printer, row));
  };
  const name = (group: number): string =>
    shown(group, (printer, row) => printer.text(row)).join('|');
  const json = (group: number): string =>
    shown(group, (printer, row) => printer.json(row)).join(',');
  return {
    length: groups.length,
    name,
    key: (group) => shown(group, (printer, row) => printer.value(row)),
    docCount: (group) => groups.docCount(group),
    json: (group) =>
      `"key":[${json(group)}],"key_as_string":${quote(name(group))},"doc_count":${groups.docCount(group)}${more(group)}`,
  };
}

function compareTuples(groups: Groups<Columns>, a: number, b: number): number {
  const [left, right] = [groups.columns(a).sources, groups.columns(b).sources];
  const [i, j] = [groups.bucket(a), groups.bucket(b)];
  for (let at = 0; at < left.length; at++) {
    const order = compareInColumns(left[at] as ValueColumn, i, right[at] as ValueColumn, j);
    if (order !== 0) return order;
  }
  return 0;
}

export function multiTerms(context: AggContext): AggBody<Columns> {
  const { params, children } = context;
  const sources = readSources(context);
  const size = params.count('size', 1) ?? DEFAULT_SIZE;
  const shardSize = Math.max(
    size,
    params.count('shard_size', 1) ?? Math.floor(size * 1.5) + DEFAULT_SIZE,
  );
  // There are no combinations without documents.
  const minDocCount = Math.max(1, params.count('min_doc_count', 0) ?? 1);
  const leastOfShard = Math.min(params.count('shard_min_doc_count', 0) ?? 0, minDocCount);
  const order = readOrder(params.raw('order'), children, COUNT_DESCENDING);
  const showError = params.flag('show_term_doc_count_error') ?? false;
  params.choice('collect_mode', ['depth_first', 'breadth_first']);
  return {
    opcode: 'agg:multi_terms',
    encode({ writer, shards }) {
      const several = shards > 1;
      writer.list(sources, (source) => writeSource(writer, source));
      writer.u32(shardSize).u32(EXACT_BUCKETS);
      writer.u32(several ? Math.max(1, leastOfShard) : minDocCount);
      writeOrders(writer, order, children);
    },
    readColumns(reader, { owners, buckets, extra }) {
      const ofOwners = () => reader.align(8).numbers(owners);
      return {
        starts: readStarts(reader, owners),
        other: ofOwners(),
        error: ofOwners(),
        counts: reader.align(8).doubles(buckets),
        sources: readValueColumns(reader, extra, buckets),
      };
    },
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      const groups = yield* join(parts, (columns, row) => tupleIdentity(columns.sources, row));
      const inside = rememberedInside(
        insideOf(agg as Agg, reducer, (group) => groups.parts(group)),
      );
      const wanted = yield* numbersSteps(
        groups.length,
        (group) => groups.docCount(group) >= minDocCount,
      );
      yield* lookInside(order, inside, wanted);
      const sortable: Sortable = {
        docCount: (group) => groups.docCount(group),
        compareKeys: (a, b) => compareTuples(groups, a, b),
        inside,
      };
      const all = yield* sortSteps(wanted, compareBuckets(order, sortable));
      const shown = all.length > size ? all.slice(0, size) : all;
      let rest = 0;
      for (let at = size; at < all.length; at++) rest += groups.docCount(all[at] ?? 0);
      const errors = errorsOf(parts, order[0]?.by === 'key');
      const more = (group: number): string =>
        showError
          ? `,"doc_count_error_upper_bound":${errors.without(groups.parts(group).map(({ shard }) => shard))}`
          : '';
      return {
        agg,
        typed: 'multi_terms',
        members: {
          doc_count_error_upper_bound: parts.length === 1 ? 0 : errors.without([]),
          sum_other_doc_count: parts.reduce(
            (sum, { node, owner }) => sum + (node.columns.other[owner] ?? 0),
            rest,
          ),
        },
        buckets: new RowBuckets(
          multiTermsRows(sources, groups, reducer.calendar, more),
          shown,
          inside,
        ),
        value: () => undefined,
      };
    },
  };
}

/** How many documents of a bucket shards that left buckets out may hide. */
function errorsOf(parts: readonly ShardBucket<Columns>[], byKey: boolean) {
  const errorOf = ({ node, owner }: ShardBucket<Columns>): number =>
    // In key order, buckets that a shard cut off sort after everything that is shown.
    byKey ? 0 : (node.columns.error[owner] ?? 0);
  const unknown = parts.some((part) => errorOf(part) < 0);
  return {
    /** Of all shards but those; -1: unknown. */
    without(shards: readonly number[]): number {
      if (unknown) return -1;
      const others = parts.filter(({ shard }) => !shards.includes(shard));
      return others.reduce((sum, part) => sum + errorOf(part), 0);
    },
  };
}
