// What can be said of pipelines before anything is searched: where they may stand, and whether their paths lead somewhere.
import { validationFailed } from '../values.js';
import type { Agg } from './agg.js';
import { chosenBucket } from './paths.js';
import type { Pipeline } from './pipeline.js';

type Named = Pick<Agg, 'name' | 'children' | 'pipelines'> | Pipeline;

const SERIES: ReadonlySet<string> = new Set([
  'cumulative_sum',
  'derivative',
  'moving_fn',
  'serial_diff',
]);
const HISTOGRAMS: ReadonlySet<string> = new Set([
  'histogram',
  'date_histogram',
  'auto_date_histogram',
]);
const SINGLE: ReadonlySet<string> = new Set([
  'filter',
  'missing',
  'global',
  'sampler',
  'diversified_sampler',
]);

/** `parent`: the type of the aggregation that they stand in; undefined at the top of a request. */
export function checkPipelines(
  aggs: readonly Agg[],
  pipelines: readonly Pipeline[],
  parent: string | undefined,
): void {
  const level: readonly Named[] = [...aggs, ...pipelines];
  for (const pipeline of pipelines) {
    if (pipeline.parent) checkPlace(pipeline, parent);
    for (const path of pipeline.paths) {
      if (!leads(level, path.split('>'))) {
        throw validationFailed([`No aggregation found for path [${path}]`]);
      }
    }
  }
}

function checkPlace({ type, name }: Pipeline, parent: string | undefined): void {
  if (parent === undefined) {
    throw validationFailed([
      `${type} aggregation [${name}] must be declared inside of another aggregation`,
    ]);
  }
  if (SERIES.has(type) && !HISTOGRAMS.has(parent)) {
    throw validationFailed([
      `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`,
    ]);
  }
  if (SINGLE.has(parent)) {
    throw validationFailed([
      `${type} aggregation [${name}] must have an aggregation with buckets as parent, [${parent}] has one`,
    ]);
  }
}

function leads(level: readonly Named[], [step = '', ...rest]: readonly string[]): boolean {
  if (step.startsWith('_')) return rest.length === 0;
  const { name: wanted } = chosenBucket(step);
  const found =
    level.find(({ name }) => name === wanted) ??
    level.find(({ name }) => wanted.startsWith(`${name}.`) || wanted.startsWith(`${name}[`));
  if (found === undefined) return false;
  if (rest.length === 0) return true;
  return 'children' in found && leads([...found.children, ...found.pipelines], rest);
}
