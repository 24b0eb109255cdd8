// Checks of pipelines before the search: whether they are allowed in their place, and whether their
// paths lead to an aggregation.
import { validationFailed } from '../values.js';
import type { Agg } from './agg.js';
import { chosenBucket } from './paths.js';
import type { Pipeline } from './pipelines/kit.js';

type NamedAgg = Pick<Agg, 'name' | 'children' | 'pipelines'> | Pipeline;

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
  'nested',
  'reverse_nested',
  'sampler',
  'diversified_sampler',
]);

/** `parent`: the type of the aggregation that contains them; undefined at the top of a request. */
export function checkPipelines(
  aggs: readonly Agg[],
  pipelines: readonly Pipeline[],
  parent: string | undefined,
): void {
  const levels = new Levels();
  const level = levels.of({ children: aggs, pipelines });
  for (const pipeline of pipelines) {
    if (pipeline.parent) checkPlace(pipeline, parent);
    for (const path of pipeline.paths) {
      if (!levels.leads(level, path.split('>'), 0)) {
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

type Level = ReadonlyMap<string, NamedAgg>;

/** Aggregations by name, for each level that a path reaches. */
class Levels {
  readonly #known = new Map<unknown, Level>();

  of({ children, pipelines }: Pick<Agg, 'children' | 'pipelines'>): Level {
    const known = this.#known.get(children);
    if (known !== undefined) return known;
    const all: readonly NamedAgg[] = [...children, ...pipelines];
    const made = new Map(all.map((one) => [one.name, one]));
    this.#known.set(children, made);
    return made;
  }

  /** True if the steps of a path from `at` on lead to an aggregation. */
  leads(level: Level, path: readonly string[], at: number): boolean {
    const step = path[at] ?? '';
    const isLast = at === path.length - 1;
    if (step.startsWith('_')) return isLast;
    const { name: wanted } = chosenBucket(step);
    const found = level.get(wanted) ?? beginningOf(level, wanted);
    if (found === undefined) return false;
    if (isLast) return true;
    return 'children' in found && this.leads(this.of(found), path, at + 1);
  }
}

/** `a` of `a.value` and `a[value]`. */
function beginningOf(level: Level, wanted: string): NamedAgg | undefined {
  for (let at = 0; at < wanted.length; at++) {
    if (wanted[at] !== '.' && wanted[at] !== '[') continue;
    const found = level.get(wanted.slice(0, at));
    if (found !== undefined) return found;
  }
  return undefined;
}
