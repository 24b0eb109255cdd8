// Limits the work of the pipeline aggregations of one search: a few bytes of a request can specify
// windows as wide as a histogram in every bucket, under many names. Work above the limit is
// rejected with an error; work within it yields regularly.
import type { QuarryError } from '../../errors.js';
import { illegal } from '../values.js';

/**
 * Units of work, about one or two nanoseconds each: numbers in windows, operators of scripts,
 * buckets examined.
 */
export const MAX_WORK = 10_000_000;
/** Limit for one bucket, which is computed without a yield. */
export const MAX_WORK_AT_ONCE = 1_000_000;
/** Numbers that parent pipelines may add to buckets. */
export const MAX_MADE = 200_000;
/** Units of work between two possible yields. */
const PACE_WORK = 20_000;

export class PipelineWork {
  #all = 0;
  #made = 0;
  #atOnce = 0;
  #sinceDue = 0;

  /** Accounts for units that are about to be done. illegal_argument_exception beyond MAX_WORK. */
  spend(units: number): void {
    this.#all += units;
    this.#atOnce += units;
    this.#sinceDue += units;
    if (this.#all > MAX_WORK) throw tooMuch(MAX_WORK, 'steps');
    if (this.#atOnce > MAX_WORK_AT_ONCE) throw tooMuch(MAX_WORK_AT_ONCE, 'steps for one bucket');
  }

  /** Accounts for numbers that will be added to buckets, before any is computed. */
  reserve(count: number): void {
    this.#made += count;
    if (this.#made > MAX_MADE) throw tooMuch(MAX_MADE, 'numbers in buckets');
  }

  /** Called after each bucket. True if the task should yield. */
  isDue(): boolean {
    this.#atOnce = 0;
    if (this.#sinceDue < PACE_WORK) return false;
    this.#sinceDue = 0;
    return true;
  }
}

function tooMuch(most: number, what: string): QuarryError {
  return illegal(
    `the pipeline aggregations take more than [${most}] ${what}: ask for fewer buckets or pipelines, shorter windows or scripts`,
  );
}
