// Resolves the paths of pipelines to a number, through single-bucket aggregations and named buckets
// of others.
import { illegal } from '../values.js';
import type { AggBucket, AggResult, Inside } from './agg.js';
import { bucketsOf } from './buckets.js';
import { numberOf, splitPath } from './order.js';
import type { PipelineWork } from './pipeline-work.js';

const RULE =
  'buckets_path must reference either a number value or a single value numeric metric aggregation';
const CLASSES: Readonly<Record<string, string>> = {
  lterms: 'LongTerms',
  sterms: 'StringTerms',
  dterms: 'DoubleTerms',
};

/** The name of a result's class in Elasticsearch's messages. */
function className({ typed }: AggResult): string {
  const words = typed.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return CLASSES[typed] ?? `Internal${words.join('')}`;
}

/** Parses `name['key']`, which selects the bucket of that name. */
export function chosenBucket(step: string): { readonly name: string; readonly key: string | null } {
  const open = step.endsWith("']") ? step.lastIndexOf("['", step.length - 4) : -1;
  if (open < 0) return { name: step, key: null };
  return { name: step.slice(0, open), key: step.slice(open + 2, -2) };
}

/** The aggregations inside a step of the path; undefined: the step does not exist. */
function insideOf(result: AggResult, key: string | null, name: string): Inside | undefined {
  if (result.single !== undefined) return result.single.inside;
  if (key !== null) return bucketNamed(result, key)?.inside;
  if (result.buckets === undefined) return undefined;
  throw illegal(`${RULE}, got: [Object[]] at aggregation [${name}]`);
}

function numberIn(result: AggResult, key: string | null, property: string): number | null {
  if (key !== null) {
    return bucketNamed(result, key)?.docCount ?? null;
  }
  if (property === '_bucket_count' && result.buckets !== undefined) return result.buckets.length;
  const value = numberOf(result, property);
  if (value !== undefined) return value;
  const { name } = result.agg;
  if (result.buckets !== undefined) {
    throw illegal(`${RULE}, got: [${className(result)}] at aggregation [${name}]`);
  }
  if (property !== '') throw illegal(`path not supported for [${name}]: it has no [${property}]`);
  throw illegal(`${RULE}, but [${name}] contains multiple values. Please specify which to use.`);
}

/**
 * Null if the bucket lacks what the path names; illegal_argument_exception if the path can never
 * lead to a number.
 */
export function numberThrough(level: Inside, path: string, work: PipelineWork): number | null {
  const whole = level.get(path);
  if (whole !== undefined) return numberIn(whole, null, '');
  const key = chosenBucket(path);
  const { path: steps, property } =
    key.key === null ? splitPath(path) : { path: path.split('>'), property: '' };
  let at: Inside | undefined = level;
  let before: { readonly result: AggResult; readonly key: string | null } | undefined;
  for (const [index, step] of steps.entries()) {
    const { name, key: wanted } = chosenBucket(step);
    // Finding a bucket by name scans all buckets.
    if (wanted !== null) work.spend(2 * (at?.get(name)?.buckets?.length ?? 0));
    const isCount = step === '_count' && index === steps.length - 1 && property === '';
    if (isCount && before !== undefined) return countOf(before.result, before.key);
    const result: AggResult | undefined = at?.get(name);
    if (result === undefined) return null;
    if (index === steps.length - 1) return numberIn(result, wanted, property);
    at = insideOf(result, wanted, name);
    before = { result, key: wanted };
  }
  return null;
}

/** Document count of the bucket that a path leads to. */
function countOf(result: AggResult, key: string | null): number | null {
  if (result.single !== undefined) return result.single.docCount;
  return key === null ? null : (bucketNamed(result, key)?.docCount ?? null);
}

function bucketNamed(result: AggResult, key: string): AggBucket | undefined {
  return bucketsOf(result)?.find(({ name }) => name === key);
}
