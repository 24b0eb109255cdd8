// composite: every combination of the values of several sources, a page at a time.
import type { Json } from '../../../backend.js';
import { type KeyColumn, readKeys, readKind, type ValueKind } from '../../../wire/agg-reader.js';
import type { ByteReader } from '../../../wire/byte-reader.js';
import type { Scalar } from '../../../wire/plan-writer.js';
import { illegal, isArray, isObject, malformed, toScalar } from '../../values.js';
import type { AggBody, AggContext, AggResult } from '../agg.js';
import { eachBucket, Joining, once, startsOf } from '../buckets.js';
import { type Calendar, type Rounding, writeRounding } from '../calendar.js';
import { readRounding } from '../intervals.js';
import { compareKeys } from '../order.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { mapSteps, type Steps, sortSteps } from '../steps.js';

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

interface Column {
  readonly kind: ValueKind;
  readonly format: string;
  readonly nulls: Uint8Array;
  readonly keys: KeyColumn;
}

interface Columns {
  readonly starts: readonly number[];
  readonly counts: Float64Array;
  readonly sources: readonly Column[];
}

type KeyValue = number | bigint | string | null;
interface Key {
  readonly values: readonly KeyValue[];
  readonly order: readonly KeyValue[];
  readonly columns: readonly Column[];
}

function readSources({ params, name }: AggContext): readonly KeySource[] {
  const given = params.raw('sources');
  if (!isArray(given)) throw malformed(`Required [sources]: [${name}]`);
  const sources = given.map((item: Json) => {
    const [entry, more] = isObject(item) ? Object.entries(item) : [];
    if (entry === undefined || more !== undefined) {
      throw malformed(`[composite] a source must be an object with one name: [${name}]`);
    }
    return readSource(entry[0], entry[1]);
  });
  if (sources.length === 0) throw illegal(`Composite [sources] cannot be null or empty: [${name}]`);
  const twice = sources.find(
    ({ name: one }, at) => sources.findIndex((other) => other.name === one) !== at,
  );
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
  const params = new AggParams(type, entry[1], name);
  const rounding = type === 'date_histogram' ? readRounding(params, name) : undefined;
  const source = params.source();
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

/** One value for each source, by name. */
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

function readColumn(reader: ByteReader, buckets: number): Column {
  const kind = readKind(reader.align(8));
  const format = reader.align(8).str();
  const nulls = reader.align(8).bytes(buckets);
  return { kind, format, nulls, keys: readKeys(reader, kind, buckets) };
}

function compareValues(a: KeyValue, b: KeyValue, { descending, missingOrder }: KeySource): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    const first = missingOrder === 'first' || (missingOrder === 'default' && !descending);
    return (a === null) === first ? -1 : 1;
  }
  return (descending ? -1 : 1) * compareKeys(a, b);
}

function shown(
  value: KeyValue,
  column: Column | undefined,
  source: KeySource,
  calendar: Calendar,
): Json {
  if (value === null) return null;
  if (column?.kind === 'boolean') return Number(value) !== 0;
  if (source.source.format !== '' && column?.kind === 'date') {
    return calendar.text(
      Number(value),
      source.source.format,
      source.rounding?.timeZone ?? source.source.timeZone,
    );
  }
  return value;
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
          timeZone: source.rounding?.timeZone ?? source.source.timeZone,
        });
        writer.bool(source.descending).bool(source.missingBucket);
        writer.u8(MISSING_ORDERS.indexOf(source.missingOrder));
        if (source.type === 'histogram') writer.f64(source.interval);
        if (source.rounding !== undefined) writeRounding(writer, source.rounding);
      });
      writer.list(after, (value) => writer.scalar(value ?? NONE));
    },
    readColumns: (reader, { owners, buckets, extra }) => ({
      starts: startsOf(reader.align(8).uint32s(owners)),
      counts: reader.align(8).doubles(buckets),
      sources: Array.from({ length: extra }, () => readColumn(reader, buckets)),
    }),
    *reduce(agg, parts, reducer): Steps<AggResult> {
      const joining = new Joining<Key>();
      for (const part of parts) {
        const { columns } = part.node;
        yield* eachBucket(part, (bucket, place) => {
          const read = (side: 'value' | 'order'): KeyValue[] =>
            columns.sources.map(({ nulls, keys }) =>
              nulls[bucket] === 1 ? null : keys[side](bucket),
            );
          const values = read('value');
          const identity = JSON.stringify(values, (_, value) =>
            typeof value === 'bigint' ? `${value}n` : value,
          );
          const key = { values, order: read('order'), columns: columns.sources };
          joining.add(identity, key, columns.counts[bucket] ?? 0, place);
        });
      }
      const all = yield* sortSteps(joining.all(), (a, b) => {
        for (const [at, source] of sources.entries()) {
          const order = compareValues(a.key.order[at] ?? null, b.key.order[at] ?? null, source);
          if (order !== 0) return order;
        }
        return 0;
      });
      const page = all.slice(0, size);
      const buckets = yield* mapSteps(page, ({ key, docCount, parts: joined }) => {
        const inside = once(() => reducer.inside(agg, joined));
        const values = Object.fromEntries(
          sources.map((source, at) => [
            source.name,
            shown(key.values[at] ?? null, key.columns[at], source, reducer.calendar),
          ]),
        );
        return {
          name: '',
          key: values,
          docCount,
          members: { key: values, doc_count: docCount },
          get inside() {
            return inside();
          },
        };
      });
      const last = buckets.at(-1);
      const members = last === undefined ? {} : { after_key: last.key };
      return { agg, typed: 'composite', members, buckets, value: () => undefined };
    },
  };
}
