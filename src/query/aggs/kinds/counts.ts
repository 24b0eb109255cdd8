// value_count, weighted_avg and cardinality.

import { illegal } from '../../values.js';
import type { AggBody, AggContext } from '../agg.js';
import { numberResult } from '../agg.js';
import { DistinctCounter, readSketches, type Sketches } from '../cardinality.js';
import { AggParams, NUMBER_TYPES, type Source, writeSource } from '../params.js';
import { CompensatedSum } from '../sums.js';

const DEFAULT_PRECISION = 3000;
const MAX_PRECISION = 40_000;
/** Accepted values of `execution_hint`; they have no effect here. */
const HINTS = [
  'direct',
  'global_ordinals',
  'segment_ordinals',
  'save_memory_heuristic',
  'save_time_heuristic',
];

export function valueCount({ params }: AggContext): AggBody<ArrayLike<number>> {
  const source = params.source();
  return {
    opcode: 'agg:value_count',
    encode: ({ writer }) => writeSource(writer, source),
    readColumns: (reader, { owners }) => reader.align(8).numbers(owners),
    reduce(agg, parts) {
      const value = parts.reduce((sum, { node, owner }) => sum + (node.columns[owner] ?? 0), 0);
      return numberResult(agg, 'value_count', { value }, value);
    },
  };
}

interface Weighted {
  readonly sum: ArrayLike<number>;
  readonly sumDelta: ArrayLike<number>;
  readonly weight: ArrayLike<number>;
  readonly weightDelta: ArrayLike<number>;
}

export function weightedAvg({ params, name }: AggContext): AggBody<Weighted> {
  const sourceOf = (part: 'value' | 'weight'): Source => {
    const body = params.object(part);
    if (body === undefined) throw illegal(`[weighted_avg] [${part}] is required in [${name}]`);
    const inner = new AggParams('weighted_avg', body, name);
    const source = inner.bareSource();
    inner.finish();
    return source;
  };
  const value = sourceOf('value');
  const weight = sourceOf('weight');
  const format = params.format();
  const valueType = params.choice('value_type', NUMBER_TYPES) ?? '';
  return {
    opcode: 'agg:weighted_avg',
    encode: ({ writer }) => {
      writeSource(writer, value);
      writeSource(writer, weight);
    },
    readColumns: (reader, { owners }) => {
      const column = () => reader.align(8).numbers(owners);
      return { sum: column(), sumDelta: column(), weight: column(), weightDelta: column() };
    },
    reduce(agg, parts, reducer) {
      const sum = new CompensatedSum();
      const weights = new CompensatedSum();
      for (const { node, owner } of parts) {
        sum.addSum(node.columns.sum[owner] ?? 0, node.columns.sumDelta[owner] ?? 0);
        weights.addSum(node.columns.weight[owner] ?? 0, node.columns.weightDelta[owner] ?? 0);
      }
      const average = weights.value === 0 ? null : sum.value / weights.value;
      const texts = reducer.texts(agg, parts, { format, timeZone: '', valueType });
      return numberResult(agg, 'weighted_avg', texts.number('value', average), average);
    },
  };
}

export function cardinality({ params, name }: AggContext): AggBody<Sketches> {
  const source = params.typedSource();
  const requested =
    params.integer('precision_threshold', Number.MIN_SAFE_INTEGER) ?? DEFAULT_PRECISION;
  params.choice('execution_hint', HINTS);
  if (requested < 0) {
    throw illegal(
      `[precisionThreshold] must be greater than or equal to 0. Found [${requested}] in [${name}]`,
    );
  }
  const threshold = Math.min(requested, MAX_PRECISION);
  return {
    opcode: 'agg:cardinality',
    encode: ({ writer, shards }) => {
      writeSource(writer, source);
      writer.u32(threshold).u8(shards > 1 ? 0 : 1);
    },
    readColumns: readSketches,
    reduce(agg, parts) {
      const distinct = new DistinctCounter(threshold);
      for (const { node, owner } of parts) distinct.add(node.columns, owner);
      const value = distinct.count();
      return numberResult(agg, 'cardinality', { value }, value);
    },
  };
}
