// How much pipeline aggregations of one search may do: a few bytes of a request can ask for windows as wide as a histogram in every
// bucket, by many names. What is beyond is refused by name; what is within leaves the thread again and again.
import type { QuarryError } from '../../errors.js';
import { illegal } from '../values.js';

/** Units of work, about a nanosecond or two each: numbers in windows, operators of scripts, buckets looked at. */
export const MAX_WORK = 20_000_000;
/** For one bucket, which is not left half done. */
export const MAX_WORK_AT_ONCE = 1_000_000;
/** Numbers that parent pipelines put into buckets. */
export const MAX_MADE = 200_000;
/** Units between two places where the work may be left. */
const PACE_WORK = 20_000;

export class PipelineWork {
  #all = 0;
  #made = 0;
  #atOnce = 0;
  #sinceDue = 0;

  /** Units that are about to be done. illegal_argument_exception beyond MAX_WORK. */
  spend(units: number): void {
    this.#all += units;
    this.#atOnce += units;
    this.#sinceDue += units;
    if (this.#all > MAX_WORK) throw tooMuch(MAX_WORK, 'steps');
    if (this.#atOnce > MAX_WORK_AT_ONCE) throw tooMuch(MAX_WORK_AT_ONCE, 'steps for one bucket');
  }

  /** Numbers that may go into buckets, before any is made. */
  reserve(count: number): void {
    this.#made += count;
    if (this.#made > MAX_MADE) throw tooMuch(MAX_MADE, 'numbers in buckets');
  }

  /** A bucket is done. True where the thread is to be left for a while. */
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
