// percentiles, percentile_ranks and median_absolute_deviation.
import type { Json } from '../../../backend/index.js';
import { illegal } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult, ShardBucket } from '../agg.js';
import { numberResult } from '../agg.js';
import { once } from '../buckets.js';
import { doubleText, type ValueTexts } from '../format.js';
import { HdrBins, HdrRanks, NO_BINS } from '../hdr.js';
import { AggParams, type Source, writeSource } from '../params.js';
import { Ranks, readSketchColumns, type SketchColumns } from '../sketch.js';

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];
const DEFAULT_COMPRESSION = 100;
const MAD_COMPRESSION = 1000;
/**
 * Accepted values of `tdigest.execution_hint`; they have no effect here, all values are kept while
 * they are few.
 */
const HINTS = ['default', 'high_accuracy'];

function merged(parts: readonly ShardBucket<SketchColumns>[]): Ranks {
  const ranks = new Ranks();
  for (const { node, owner } of parts) ranks.add(node.columns, owner);
  return ranks;
}

/** How values are stored, and how percentiles are read from them. */
interface Method {
  readonly compression: number;
  /** Undefined: values are kept as they are. */
  readonly bins: HdrBins | undefined;
}

function body(
  source: Source,
  { compression, bins }: Method,
): Pick<AggBody<SketchColumns>, 'opcode' | 'encode' | 'readColumns'> {
  return {
    opcode: 'agg:percentiles',
    encode: ({ writer }) => {
      writeSource(writer, source);
      writer.f64(compression).u8(bins?.mantissaBits ?? NO_BINS);
    },
    readColumns: readSketchColumns,
  };
}

/** Parses `tdigest.compression` or the bins of `hdr`. */
function readMethod({ params, name }: AggContext): Method {
  const tdigest = params.object('tdigest');
  const hdr = params.object('hdr');
  if (tdigest !== undefined && hdr !== undefined) {
    throw illegal(`[${params.clause}] takes one of [tdigest] and [hdr], got both in [${name}]`);
  }
  if (hdr !== undefined) {
    const inner = new AggParams('hdr', hdr, name);
    const digits =
      inner.integer('number_of_significant_value_digits', Number.MIN_SAFE_INTEGER) ?? 3;
    inner.finish();
    if (digits < 0 || digits > 5) {
      throw illegal(`[numberOfSignificantValueDigits] must be between 0 and 5: [${name}]`);
    }
    return { compression: DEFAULT_COMPRESSION, bins: new HdrBins(digits) };
  }
  const inner = new AggParams('tdigest', tdigest ?? {}, name);
  const compression = inner.number('compression') ?? DEFAULT_COMPRESSION;
  inner.choice('execution_hint', HINTS);
  inner.finish();
  if (compression < 0) {
    throw illegal(
      `[compression] must be greater than or equal to 0. Found [${doubleText(compression)}] in [${name}]`,
    );
  }
  return { compression: Math.max(20, compression), bins: undefined };
}

type RankReader = (ranks: Ranks | HdrRanks, at: number) => number | null;

/** An aggregation with one value for each number of a list. */
function table(
  context: AggContext,
  list: readonly number[],
  read: RankReader,
  typed: string,
): AggBody<SketchColumns> {
  const { params } = context;
  const source = params.source();
  const keyed = params.flag('keyed') ?? true;
  const method = readMethod(context);
  return {
    ...body(source, method),
    reduce(agg: Agg<SketchColumns>, parts, reducer): AggResult {
      const all = merged(parts);
      const ranks = method.bins === undefined ? all : new HdrRanks(all, method.bins);
      const texts = reducer.texts(agg, parts, source);
      // Ranks are not values of the field, so they are formatted only with an explicit format.
      const isShown = texts.shown && (typed === 'percentiles' || source.format !== '');
      const rowsOf = (some: readonly number[]): readonly Row[] =>
        some.map((at) => ({ at, value: read(ranks, at) }));
      const members = once(() => {
        const rows = rowsOf(list);
        const shown = isShown ? texts : undefined;
        const values = keyed ? keyedValues(rows, shown) : listedValues(rows, shown);
        return { values };
      });
      return {
        agg,
        typed: `${method.bins === undefined ? 'tdigest' : 'hdr'}_${typed}`,
        numbers: list.length,
        get members() {
          return members();
        },
        value: (property) => rowsOf(list.filter((at) => sameNumber(at, property)))[0]?.value,
      };
    },
  };
}

interface Row {
  readonly at: number;
  readonly value: number | null;
}

/** `texts`: prints the strings in addition to the numbers, if they are shown. */
function keyedValues(rows: readonly Row[], texts: ValueTexts | undefined): Record<string, Json> {
  return Object.fromEntries(
    rows.flatMap(({ at, value }): [string, Json][] => {
      const name = doubleText(at);
      if (texts === undefined || value === null) return [[name, value]];
      return [
        [name, value],
        [`${name}_as_string`, texts.text(value)],
      ];
    }),
  );
}

function listedValues(rows: readonly Row[], texts: ValueTexts | undefined): readonly Json[] {
  return rows.map(({ at, value }) => ({
    key: at,
    value,
    ...(texts !== undefined && value !== null ? { value_as_string: texts.text(value) } : {}),
  }));
}

function sameNumber(at: number, property: string): boolean {
  return property !== '' && Number(property) === at;
}

export function percentiles(context: AggContext): AggBody<SketchColumns> {
  const percents = context.params.numbers('percents') ?? DEFAULT_PERCENTS;
  if (percents.length === 0) throw illegal(`[percents] must not be empty: [${context.name}]`);
  const wrong = percents.find((percent) => percent < 0 || percent > 100);
  if (wrong !== undefined) {
    throw illegal(`percent must be in [0,100], got [${doubleText(wrong)}]: [${context.name}]`);
  }
  const ascending = [...percents].sort((a, b) => a - b);
  const twice = ascending.find((percent, at) => percent === ascending[at + 1]);
  if (twice !== undefined) {
    throw illegal(`percent [${doubleText(twice)}] has been specified twice: [${context.name}]`);
  }
  return table(context, ascending, (ranks, at) => ranks.percentile(at), 'percentiles');
}

export function percentileRanks(context: AggContext): AggBody<SketchColumns> {
  const values = context.params.numbers('values');
  if (values === undefined || values.length === 0) {
    throw illegal(`[values] must not be an empty array: [${context.name}]`);
  }
  const ascending = [...values].sort((a, b) => a - b);
  return table(context, ascending, (ranks, at) => ranks.percentileRank(at), 'percentile_ranks');
}

export function medianAbsoluteDeviation({ params, name }: AggContext): AggBody<SketchColumns> {
  const source = params.source();
  const compression = params.number('compression') ?? MAD_COMPRESSION;
  params.choice('execution_hint', HINTS);
  if (compression <= 0) {
    throw illegal(
      `[compression] must be greater than 0. Found [${doubleText(compression)}] in [${name}]`,
    );
  }
  return {
    ...body(source, { compression, bins: undefined }),
    reduce(agg, parts, reducer) {
      const value = merged(parts).medianAbsoluteDeviation();
      const texts = reducer.texts(agg, parts, source);
      return numberResult(agg, 'median_absolute_deviation', texts.number('value', value), value);
    },
  };
}
