// Pipelines with a script, and the one that sorts and cuts: bucket_script, bucket_selector,
// bucket_sort.

import { compile, type Result } from '../../script/evaluate.js';
import { LANGUAGES, type ScriptLanguage } from '../../script/expression.js';
import { parseSort } from '../../sort.js';
import { illegal, isObject } from '../../values.js';
import { AggParams } from '../params.js';
import type { PipelineWork } from '../pipeline-work.js';
import { sortSteps } from '../steps.js';
import {
  numberAt,
  type PipelineBody,
  type PipelineBucket,
  type PipelineContext,
  type PipelineResult,
  withPolicy,
} from './kit.js';

export interface ScriptSource {
  readonly source: string;
  readonly language: ScriptLanguage;
  readonly params: Readonly<Record<string, number>>;
}

/**
 * Parses a script, given as a string or as `{source, lang, params}`. Parameters must be numbers.
 */
export function scriptOf(params: AggParams, name: string): ScriptSource {
  const given = params.raw('script');
  if (typeof given === 'string') return { source: given, language: 'painless', params: {} };
  if (!isObject(given)) throw illegal(`Required [script]: [${name}]`);
  const inner = new AggParams('script', given, name);
  const lang = inner.text('lang') ?? 'painless';
  const language = LANGUAGES.find((known) => known === lang);
  if (language === undefined) {
    throw illegal(`script_lang not supported [${lang}], use one of [${LANGUAGES.join(', ')}]`);
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
  return { source, language, params: numbers };
}

function scripted(context: PipelineContext) {
  const { params, name } = context;
  const paths = context.named();
  const gaps = context.gaps();
  const { source, language, params: given } = scriptOf(params, name);
  const names = [...Object.keys(paths), ...Object.keys(given)];
  const script = compile(source, { language, names });
  /** Undefined: the bucket has a gap, and gaps are skipped. */
  const evaluate = (bucket: PipelineBucket, work: PipelineWork): Result | undefined => {
    const values: Record<string, number> = { ...given };
    for (const [key, path] of Object.entries(paths)) {
      const value = withPolicy(bucket, path, gaps, work);
      if (value === null) return undefined;
      values[key] = value;
    }
    work.spend(OPERATION_WORK * (script.operations + Object.keys(given).length));
    return script.run(values);
  };
  return { paths: Object.values(paths), evaluate };
}

/** Cost of each part of a script. */
const OPERATION_WORK = 4;

export function bucketScript(context: PipelineContext): PipelineBody {
  const { paths, evaluate } = scripted(context);
  return {
    paths,
    *buckets(buckets, work) {
      for (const bucket of buckets) {
        const value = evaluate(bucket, work);
        // Null leaves the value out, like a gap.
        if (value !== undefined && value !== null) {
          context.add(bucket, resultOf(context, Number(value)));
        }
        if (work.isDue()) yield;
      }
      return buckets;
    },
  };
}

function resultOf(context: PipelineContext, number: number): PipelineResult {
  return {
    typed: 'simple_value',
    members: context.print(number),
    value: (property) => (property === 'value' ? number : undefined),
  };
}

export function bucketSelector(context: PipelineContext): PipelineBody {
  const { paths, evaluate } = scripted(context);
  return {
    paths,
    *buckets(buckets, work) {
      const chosen: PipelineBucket[] = [];
      for (const bucket of buckets) {
        const value = evaluate(bucket, work);
        if (value === null) {
          throw illegal(
            `the script of [${context.name}] must say true or false, it returned [null]`,
          );
        }
        if (value === true || (typeof value === 'number' && value !== 0)) chosen.push(bucket);
        if (work.isDue()) yield;
      }
      return chosen;
    },
  };
}

/**
 * Keys of a bucket_sort. The limit exists because each may be compared for every pair of buckets.
 */
const MAX_SORT_KEYS = 32;

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
  if (keys.length > MAX_SORT_KEYS)
    throw illegal(
      `[sort] of [${name}] has [${keys.length}] keys, more than [${MAX_SORT_KEYS}]: leave out the last ones`,
    );
  const sortValueOf = (bucket: PipelineBucket, path: string, work: PipelineWork): SortValue => {
    if (path === '_key' && typeof bucket.key === 'string') return bucket.key;
    return path === '_key' ? numberAt(bucket, path, work) : withPolicy(bucket, path, gaps, work);
  };
  return {
    paths: keys.map(({ field }) => field),
    *buckets(buckets, work) {
      const kept: SortedBucket[] = [];
      for (const bucket of buckets) {
        const values = keys.map(({ field }) => sortValueOf(bucket, field, work));
        // A bucket with a number for some of the keys is kept, after those that have all of them.
        if (gaps !== 'skip' || keys.length === 0 || values.some((value) => value !== null)) {
          kept.push({ bucket, values });
        }
        if (work.isDue()) yield;
      }
      const sorted = yield* sortSteps(kept, (a, b) => compareValues(keys, a.values, b.values));
      return sorted
        .slice(from, size === undefined ? undefined : from + size)
        .map(({ bucket }) => bucket);
    },
  };
}

type SortValue = number | string | null;

interface SortedBucket {
  readonly bucket: PipelineBucket;
  readonly values: readonly SortValue[];
}

function compareValues(
  keys: readonly { readonly order: string }[],
  lefts: readonly SortValue[],
  rights: readonly SortValue[],
): number {
  for (const [at, { order }] of keys.entries()) {
    const [left, right] = [lefts[at] ?? null, rights[at] ?? null];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return (left < right ? -1 : 1) * (order === 'desc' ? -1 : 1);
  }
  return 0;
}
