// Pipelines with a script, and the one that sorts and cuts: bucket_script, bucket_selector, bucket_sort.

import { compile } from '../../script/evaluate.js';
import { parseSort } from '../../sort.js';
import { illegal, isObject } from '../../values.js';
import type { AggBucket } from '../agg.js';
import { AggParams } from '../params.js';
import { numberAt, type PipelineBody, type PipelineContext, withPolicy } from '../pipeline.js';

const LANGUAGES = ['painless', 'expression'];

/** A script as a text or as `{source, lang, params}`. Parameters are numbers. */
export function scriptOf(
  params: AggParams,
  name: string,
): { readonly source: string; readonly params: Readonly<Record<string, number>> } {
  const given = params.raw('script');
  if (typeof given === 'string') return { source: given, params: {} };
  if (!isObject(given)) throw illegal(`Required [script]: [${name}]`);
  const inner = new AggParams('script', given, name);
  const language = inner.text('lang') ?? 'painless';
  if (!LANGUAGES.includes(language)) {
    throw illegal(`script_lang not supported [${language}], use one of [${LANGUAGES.join(', ')}]`);
  }
  const source = inner.text('source') ?? inner.text('inline');
  const values = inner.object('params') ?? {};
  inner.finish();
  if (source === undefined) throw illegal(`Required [source] of the script of [${name}]`);
  const numbers: Record<string, number> = {};
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== 'number')
      throw illegal(`parameter [${key}] of the script of [${name}] must be a number`);
    numbers[key] = value;
  }
  return { source, params: numbers };
}

function scripted(context: PipelineContext) {
  const { params, name } = context;
  const paths = context.named();
  const gaps = context.gaps();
  const { source, params: given } = scriptOf(params, name);
  const run = compile(source, { names: [...Object.keys(paths), ...Object.keys(given)] });
  const evaluate = (bucket: AggBucket): number | boolean | null => {
    const values: Record<string, number> = { ...given };
    for (const [key, path] of Object.entries(paths)) {
      const value = withPolicy(bucket, path, gaps);
      if (value === null) return null;
      values[key] = value;
    }
    return run(values);
  };
  return { paths: Object.values(paths), evaluate };
}

export function bucketScript(context: PipelineContext): PipelineBody {
  const { paths, evaluate } = scripted(context);
  return {
    paths,
    buckets: (buckets) =>
      buckets.map((bucket) => {
        const value = evaluate(bucket);
        if (value === null) return bucket;
        const number = Number(value);
        return context.add(bucket, {
          typed: 'simple_value',
          members: context.print(number),
          value: (property) => (property === 'value' ? number : undefined),
        });
      }),
  };
}

export function bucketSelector(context: PipelineContext): PipelineBody {
  const { paths, evaluate } = scripted(context);
  return {
    paths,
    buckets: (buckets) =>
      buckets.filter((bucket) => {
        const value = evaluate(bucket);
        return value === true || (typeof value === 'number' && value !== 0);
      }),
  };
}

export function bucketSort(context: PipelineContext): PipelineBody {
  const { params, name } = context;
  const gaps = context.gaps();
  const given = params.raw('sort');
  const keys = given === undefined ? [] : parseSort(given);
  const from = params.integer('from', Number.MIN_SAFE_INTEGER) ?? 0;
  const size = params.integer('size', Number.MIN_SAFE_INTEGER);
  if (from < 0) throw illegal(`[from] must be a non-negative integer: [${from}] in [${name}]`);
  if (size !== undefined && size <= 0)
    throw illegal(`[size] must be a positive integer: [${size}] in [${name}]`);
  if (keys.length === 0 && from === 0 && size === undefined) {
    throw illegal(
      `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
    );
  }
  const value = (bucket: AggBucket, path: string): number | string | null => {
    if (path === '_key')
      return typeof bucket.key === 'string' ? bucket.key : numberAt(bucket, path);
    return withPolicy(bucket, path, gaps);
  };
  return {
    paths: keys.map(({ field }) => field),
    buckets(buckets) {
      // A bucket with a number for some of the keys stays, behind those that have it.
      const kept = buckets.filter(
        (bucket) =>
          gaps !== 'skip' ||
          keys.length === 0 ||
          keys.some(({ field }) => value(bucket, field) !== null),
      );
      const sorted = [...kept].sort((a, b) => {
        for (const { field, order } of keys) {
          const [left, right] = [value(a, field), value(b, field)];
          if (left === right) continue;
          if (left === null || right === null) return left === null ? 1 : -1;
          return (left < right ? -1 : 1) * (order === 'desc' ? -1 : 1);
        }
        return 0;
      });
      return sorted.slice(from, size === undefined ? undefined : from + size);
    },
  };
}
