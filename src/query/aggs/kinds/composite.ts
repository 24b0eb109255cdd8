// composite: the combinations of the values of several sources, in pages.
import type { Json } from '../../../backend/index.js';
import { quote } from '../../../base/json-text.js';
import type { KeyValue } from '../../../wire/agg-keys.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { checkLength, checkRepeated } from '../../list-limits.js';
import { illegal, isArray, isObject, malformed, toScalar } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult } from '../agg.js';
import { tooLargePage } from '../bucket-limit.js';
import {
  type BucketRows,
  type CountColumns,
  type Groups,
  insideOf,
  join,
  RowBuckets,
  readStarts,
} from '../buckets.js';
import { type Calendar, type Rounding, writeRounding } from '../calendar.js';
import { decimalFormat, firstFormat } from '../format.js';
import { readRounding } from '../intervals.js';
import { jsonOf } from '../json.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { type CooperativeTask, numbersSteps, sortSteps } from '../steps.js';
import {
  compareInColumns,
  readValueColumns,
  tupleIdentity,
  type ValueColumn,
} from '../value-columns.js';

const DEFAULT_SIZE = 10;
const TYPES = ['terms', 'histogram', 'date_histogram'] as const;
const MISSING_ORDERS = ['default', 'first', 'last'] as const;
const NONE: Scalar = { kind: 'null', text: '' };

interface KeySource {
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly source: Source;
  readonly descending: boolean;
  readonly missingBucket: boolean;
  readonly missingOrder: (typeof MISSING_ORDERS)[number];
  readonly interval: number;
  readonly rounding: Rounding | undefined;
}

interface Columns extends CountColumns {
  readonly sources: readonly ValueColumn[];
}

function readSources({ params, name }: AggContext): readonly KeySource[] {
  const given = params.raw('sources');
  if (!isArray(given)) throw malformed(`Required [sources]: [${name}]`);
  checkLength('[sources] of [composite]', given.length, 'leave out what groups nothing');
  const sources = given.map((item: Json) => {
    const [entry, more] = isObject(item) ? Object.entries(item) : [];
    if (entry === undefined || more !== undefined) {
      throw malformed(`[composite] a source must be an object with one name: [${name}]`);
    }
    return readSource(entry[0], entry[1]);
  });
  if (sources.length === 0) throw illegal(`Composite [sources] cannot be null or empty: [${name}]`);
  const places = new Map(sources.map(({ name: one }, at) => [one, at]));
  const twice = sources.find(({ name: one }, at) => places.get(one) !== at);
  if (twice !== undefined)
    throw illegal(`Composite source names must be unique, found duplicates: [${twice.name}]`);
  return sources;
}

function readSource(name: string, value: Json): KeySource {
  const [entry, more] = isObject(value) ? Object.entries(value) : [];
  const type = TYPES.find((known) => known === entry?.[0]);
  if (entry === undefined || more !== undefined || type === undefined) {
    throw malformed(`[composite] source [${name}] must be one of [${TYPES.join(', ')}]`);
  }
  checkRepeated('[composite] the name of the source', name);
  const params = new AggParams(type, entry[1], name);
  const rounding = type === 'date_histogram' ? readRounding(params, name) : undefined;
  const source = params.keySource(type === 'date_histogram');
  const interval = type === 'histogram' ? params.number('interval') : 1;
  if (interval === undefined || interval <= 0) {
    throw illegal(`[interval] must be greater than 0 for [histogram] source: [${name}]`);
  }
  const order = params.choice('order', ['asc', 'desc']) ?? 'asc';
  const missingBucket = params.flag('missing_bucket') ?? false;
  const missingOrder = params.choice('missing_order', MISSING_ORDERS) ?? 'default';
  params.finish();
  if (!missingBucket && missingOrder !== 'default') {
    throw illegal(`missingOrder can only be set if missingBucket is true: [${name}]`);
  }
  return {
    name,
    type,
    source,
    descending: order === 'desc',
    missingBucket,
    missingOrder,
    interval,
    rounding,
  };
}

/** The values of `after`, one for each source, by name. */
function readAfter({ params, name }: AggContext, sources: readonly KeySource[]): readonly Scalar[] {
  const after = params.object('after');
  if (after === undefined) return [];
  const unknown = Object.keys(after).find((key) => !sources.some((source) => source.name === key));
  if (unknown !== undefined || Object.keys(after).length !== sources.length) {
    throw illegal(
      `[after] has ${Object.keys(after).length} value(s) but [sources] has ${sources.length}: [${name}]`,
    );
  }
  return sources.map((source) => {
    const scalar = toScalar(after[source.name] ?? null);
    if (scalar === undefined)
      throw illegal(`Invalid [after] value of source [${source.name}], expected a plain value`);
    if (scalar.kind !== 'null' || source.missingBucket) return scalar;
    throw illegal(
      `Invalid value [null] of source [${source.name}] in [after], it has no [missing_bucket]`,
    );
  });
}

function compareValues(
  { descending, missingOrder }: KeySource,
  a: ValueColumn,
  i: number,
  b: ValueColumn,
  j: number,
): number {
  const [isNone, isOtherNone] = [a.nulls[i] === 1, b.nulls[j] === 1];
  if (isNone || isOtherNone) {
    if (isNone === isOtherNone) return 0;
    const first = missingOrder === 'first' || (missingOrder === 'default' && !descending);
    return isNone === first ? -1 : 1;
  }
  const order = compareInColumns(a, i, b, j);
  return descending ? -order : order;
}

function compositeRows(
  sources: readonly KeySource[],
  groups: Groups<Columns>,
  calendar: Calendar,
): BucketRows {
  /** Quoted names, each preceded by its separator. */
  const names = sources.map(({ name }, at) => `${at === 0 ? '' : ','}${quote(name)}:`);
  /** Printers by the sources' formats. */
  const printers = new Map<string, (value: number) => string>();
  const printer = (format: string): ((value: number) => string) => {
    const made = printers.get(format) ?? decimalFormat(format);
    printers.set(format, made);
    return made;
  };
  const shown = (
    { type, source, rounding }: KeySource,
    column: ValueColumn | undefined,
    bucket: number,
  ): KeyValue | boolean | null => {
    if (column === undefined || column.nulls[bucket] === 1) return null;
    const value = column.keys.value(bucket);
    if (column.kind === 'boolean') return Number(value) !== 0;
    if (type === 'histogram' && column.kind === 'date')
      return calendar.text(Number(value), firstFormat(column.format), '');
    const { format } = source;
    if (format === '') return value;
    if (column.kind !== 'date') return printer(format)(Number(value));
    return calendar.exactText(Number(value), format, rounding?.timeZone ?? '');
  };
  return {
    length: groups.length,
    name: () => '',
    key(group) {
      const bucket = groups.bucket(group);
      const columns = groups.columns(group).sources;
      return Object.fromEntries(
        sources.map((source, i) => [source.name, shown(source, columns[i], bucket)]),
      );
    },
    docCount: (group) => groups.docCount(group),
    json(group) {
      const bucket = groups.bucket(group);
      const columns = groups.columns(group).sources;
      let key = '';
      for (const [i, source] of sources.entries()) {
        const column = columns[i];
        const isPlain = column?.keys.isText === true && column.nulls[bucket] !== 1;
        const value = isPlain ? column.keys.json(bucket) : jsonOf(shown(source, column, bucket));
        key += `${names[i]}${value}`;
      }
      return `"key":{${key}},"doc_count":${groups.docCount(group)}`;
    },
  };
}

export function composite(context: AggContext): AggBody<Columns> {
  const { params } = context;
  const size = params.count('size', 1) ?? DEFAULT_SIZE;
  const sources = readSources(context);
  const after = readAfter(context, sources);
  return {
    opcode: 'agg:composite',
    encode({ writer }) {
      writer.u32(size).list(sources, (source) => {
        writer.u8(TYPES.indexOf(source.type));
        writeSource(writer, {
          ...source.source,
          timeZone: source.rounding?.timeZone ?? '',
        });
        writer.bool(source.descending).bool(source.missingBucket);
        writer.u8(MISSING_ORDERS.indexOf(source.missingOrder));
        if (source.type === 'histogram') writer.f64(source.interval);
        if (source.rounding !== undefined) writeRounding(writer, source.rounding);
      });
      writer.list(after, (value) => writer.scalar(value ?? NONE));
    },
    readColumns: (reader, { owners, buckets, extra }) => ({
      starts: readStarts(reader, owners),
      counts: reader.align(8).doubles(buckets),
      sources: readValueColumns(reader, extra, buckets),
    }),
    *reduce(agg, parts, reducer): CooperativeTask<AggResult> {
      if (size > reducer.maxBuckets)
        throw tooLargePage(size, reducer.maxBuckets, reducer.indexName(0));
      const groups = yield* join(parts, ({ sources: columns }, bucket) =>
        tupleIdentity(columns, bucket),
      );
      const all = yield* numbersSteps(groups.length, () => true);
      const sorted = yield* sortSteps(all, (a, b) => {
        const [left, right] = [groups.columns(a).sources, groups.columns(b).sources];
        const [i, j] = [groups.bucket(a), groups.bucket(b)];
        for (const [at, source] of sources.entries()) {
          const order = compareValues(
            source,
            left[at] as ValueColumn,
            i,
            right[at] as ValueColumn,
            j,
          );
          if (order !== 0) return order;
        }
        return 0;
      });
      const page = sorted.length > size ? sorted.slice(0, size) : sorted;
      const rows = compositeRows(sources, groups, reducer.calendar);
      const inside = insideOf(agg as Agg, reducer, (group) => groups.parts(group));
      const buckets = new RowBuckets(rows, page, inside);
      const members = page.length === 0 ? {} : { after_key: buckets.key(page.length - 1) };
      return { agg, typed: 'composite', members, buckets, value: () => undefined };
    },
  };
}
