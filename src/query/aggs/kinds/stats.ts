// avg, sum, min, max, stats and extended_stats: computed in one pass over the values of a field.
import type { Json } from '../../../backend/index.js';
import type { PartHeader } from '../../../wire/agg-reader.js';
import type { ByteReader } from '../../../wire/byte-reader.js';
import { illegal } from '../../values.js';
import type { Agg, AggBody, AggContext, AggResult, ShardBucket } from '../agg.js';
import { doubleText, type ValueTexts } from '../format.js';
import { writeSource } from '../params.js';
import { deviationBounds, spreadOf } from '../spread.js';
import { CompensatedSum } from '../sums.js';

interface Columns {
  readonly count: ArrayLike<number>;
  readonly sum: ArrayLike<number>;
  readonly sumDelta: ArrayLike<number>;
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
  readonly squares?: ArrayLike<number>;
  readonly squaresDelta?: ArrayLike<number>;
}

/** The combined numbers of all shards. */
export interface Numbers {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly squares: number;
}

const DEFAULT_SIGMA = 2;

function readColumns(reader: ByteReader, { owners }: PartHeader, squares: boolean): Columns {
  const column = () => reader.align(8).numbers(owners);
  const plain = {
    count: column(),
    sum: column(),
    sumDelta: column(),
    min: column(),
    max: column(),
  };
  return squares ? { ...plain, squares: column(), squaresDelta: column() } : plain;
}

function add(parts: readonly ShardBucket<Columns>[]): Numbers {
  const sum = new CompensatedSum();
  const squares = new CompensatedSum();
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { node, owner } of parts) {
    const { columns } = node;
    count += columns.count[owner] ?? 0;
    sum.addSum(columns.sum[owner] ?? 0, columns.sumDelta[owner] ?? 0);
    squares.addSum(columns.squares?.[owner] ?? 0, columns.squaresDelta?.[owner] ?? 0);
    min = Math.min(min, columns.min[owner] ?? min);
    max = Math.max(max, columns.max[owner] ?? max);
  }
  return { count, sum: sum.value, min, max, squares: squares.value };
}

type Show = (numbers: Numbers, texts: ValueTexts) => Readonly<Record<string, Json>>;
type Values = (numbers: Numbers) => Readonly<Record<string, number | null>>;

function kind(typed: string, squares: boolean, values: Values, show: Show) {
  return ({ params }: AggContext): AggBody<Columns> => {
    const source = params.source();
    return {
      opcode: 'agg:stats',
      encode: ({ writer }) => {
        writeSource(writer, source);
        writer.bool(squares);
      },
      readColumns: (reader, header) => readColumns(reader, header, squares),
      reduce(agg: Agg<Columns>, parts, reducer): AggResult {
        const numbers = add(parts);
        const found = values(numbers);
        return {
          agg,
          typed,
          members: show(numbers, reducer.texts(agg, parts, source)),
          value: (property) => (Object.hasOwn(found, property) ? found[property] : undefined),
        };
      },
    };
  };
}

function averageOf({ count, sum }: Numbers): number | null {
  return count === 0 ? null : sum / count;
}

function single(typed: string, read: (numbers: Numbers) => number | null) {
  return kind(
    typed,
    false,
    (numbers) => ({ value: read(numbers) }),
    (numbers, texts) => texts.number('value', read(numbers)),
  );
}

export const avg = single('avg', averageOf);
export const sum = single('sum', (numbers) => numbers.sum);
export const min = single('min', ({ count, min: least }) => (count === 0 ? null : least));
export const max = single('max', ({ count, max: most }) => (count === 0 ? null : most));

function statsValues(numbers: Numbers): Record<string, number | null> {
  const { count, min: least, max: most } = numbers;
  const empty = count === 0;
  return {
    count,
    min: empty ? null : least,
    max: empty ? null : most,
    avg: averageOf(numbers),
    sum: numbers.sum,
  };
}

/** Prints the numbers first, then their formatted strings, as Elasticsearch does. */
function showStats(
  values: Readonly<Record<string, number | null>>,
  texts: ValueTexts,
): Record<string, Json> {
  const plain: Record<string, Json> = { ...values };
  if (!texts.shown || values['count'] === 0) return plain;
  for (const [name, value] of Object.entries(values)) {
    if (name !== 'count' && value !== null) plain[`${name}_as_string`] = texts.text(value);
  }
  return plain;
}

export const stats = kind('stats', false, statsValues, (numbers, texts) =>
  showStats(statsValues(numbers), texts),
);

function spread({ count, sum: total, squares }: Numbers): Record<string, number | null> {
  const around = Math.max(0, squares - (total * total) / count);
  return { sum_of_squares: count === 0 ? null : squares, ...spreadOf(around, count) };
}

export function extendedStats(context: AggContext): AggBody<Columns> {
  const sigma = context.params.number('sigma') ?? DEFAULT_SIGMA;
  if (sigma < 0)
    throw illegal(
      `[sigma] must be greater than or equal to 0. Found [${doubleText(sigma)}] in [${context.name}]`,
    );
  const values = (numbers: Numbers) => {
    const more = spread(numbers);
    const bounds = deviationBounds(averageOf(numbers), more, sigma);
    const named = Object.entries(bounds).map(([name, value]) => [`std_${name}`, value]);
    return {
      ...statsValues(numbers),
      ...more,
      ...(Object.fromEntries(named) as Record<string, number | null>),
      'std_deviation_bounds.upper': bounds.upper,
      'std_deviation_bounds.lower': bounds.lower,
    };
  };
  const show: Show = (numbers, texts) => {
    const more = spread(numbers);
    const plain = showStats({ ...statsValues(numbers), ...more }, texts);
    const bounds = deviationBounds(averageOf(numbers), more, sigma);
    const shown = { ...plain, std_deviation_bounds: bounds };
    if (!texts.shown || numbers.count === 0) return shown;
    const printed = Object.entries(bounds).map(([name, value]) => [
      name,
      value === null ? null : texts.text(value),
    ]);
    return { ...shown, std_deviation_bounds_as_string: Object.fromEntries(printed) };
  };
  return { ...kind('extended_stats', true, values, show)(context), sigma };
}
