// Prints a reduced response as JSON text. Buckets are computed when they are read, and released
// after they are written.

import { quote } from '../../base/json-text.js';
import type { QuarryError } from '../../errors.js';
import { DEFAULT_MAX_BUCKETS } from '../limits.js';
import { illegal } from '../values.js';
import type { AggResult, Buckets, Inside } from './agg.js';
import { tooManyBuckets } from './bucket-limit.js';
import { type AggPiece, AggText, jsonOf, membersOf } from './json.js';
import type { CooperativeTask } from './steps.js';

/** Numbers of percentiles in all buckets of a response. */
export const MAX_NUMBERS = 1_000_000;

/** A cooperative task: a response of tens of thousands of buckets is written in time slices. */
export function* writeAggs(
  level: Inside,
  typedKeys: boolean,
  maxBuckets = DEFAULT_MAX_BUCKETS,
  reserve?: (bytes: number) => void,
): CooperativeTask<readonly AggPiece[]> {
  const writer = new AggWriter(typedKeys, maxBuckets, new AggText(reserve));
  yield* writer.all(level);
  return writer.out.done();
}

class AggWriter {
  readonly out: AggText;
  readonly #typedKeys: boolean;
  readonly #maxBuckets: number;
  /** The quoted form of every name. */
  readonly #names = new Map<string, string>();
  /** Buckets of all levels. */
  #buckets = 0;
  #numbers = 0;

  constructor(typedKeys: boolean, maxBuckets: number, out: AggText) {
    this.out = out;
    this.#typedKeys = typedKeys;
    this.#maxBuckets = maxBuckets;
  }

  *all(level: Inside): CooperativeTask<void> {
    this.out.add('{');
    if (!this.#plain(level, '')) yield* this.#level(level, '');
    this.out.add('}');
  }

  /**
   * Writes a level whose aggregations have no buckets without a yield; returns false if it has
   * others.
   */
  #plain(level: Inside, comma: string): boolean {
    for (const { buckets, single } of level.values()) {
      if (buckets !== undefined || single !== undefined) return false;
    }
    let before = comma;
    for (const [name, result] of level) {
      this.#begin(before, name, result);
      this.out.add('}');
      before = ',';
    }
    return true;
  }

  *#level(level: Inside, comma: string): CooperativeTask<void> {
    let before = comma;
    for (const [name, result] of level) {
      const { buckets, single, keyed } = result;
      let inner = this.#begin(before, name, result);
      before = ',';
      if (single !== undefined) {
        this.out.add(`${inner}${single.json}`);
        inner = ',';
        if (!this.#plain(single.inside, ',')) yield* this.#level(single.inside, ',');
      }
      if (buckets !== undefined) yield* this.#all(buckets, keyed === true, inner);
      this.out.add('}');
    }
  }

  /**
   * Writes the name and everything except buckets. It counts first, so that nothing is computed for
   * a response that is rejected. Returns the separator for further members.
   */
  #begin(before: string, name: string, result: AggResult): string {
    const { agg, typed, hits, numbers = 0 } = result;
    this.#count(result.buckets?.length ?? 0, numbers);
    this.out.add(`${before}${this.#quoted(this.#typedKeys ? `${typed}#${name}` : name)}:{`);
    const meta = agg.meta === undefined ? '' : `"meta":${jsonOf(agg.meta)}`;
    const members = membersOf(result.members, this.#quoted);
    const both = meta !== '' && members !== '' ? `${meta},${members}` : `${meta}${members}`;
    this.out.add(both);
    if (hits === undefined) return both === '' ? '' : ',';
    this.out.add(both === '' ? '"hits":' : ',"hits":');
    this.out.hits(hits);
    return ',';
  }

  *#all(buckets: Buckets, keyed: boolean, comma: string): CooperativeTask<void> {
    this.out.add(`${comma}"buckets":${keyed ? '{' : '['}`);
    for (let at = 0; at < buckets.length; at++) {
      const name = keyed ? `${quote(buckets.name(at))}:` : '';
      this.out.add(`${at === 0 ? '' : ','}${name}{${buckets.json(at)}`);
      const steps = buckets.insideSteps?.(at);
      const inside = steps === undefined ? buckets.inside(at) : yield* steps;
      if (inside.size > 0 && !this.#plain(inside, ',')) yield* this.#level(inside, ',');
      this.out.add('}');
      if (this.out.counted()) yield;
    }
    this.out.add(keyed ? '}' : ']');
  }

  #count(buckets: number, numbers: number): void {
    this.#buckets += buckets;
    this.#numbers += numbers;
    if (this.#buckets > this.#maxBuckets) throw tooManyBuckets(this.#maxBuckets);
    if (this.#numbers > MAX_NUMBERS) throw tooManyNumbers();
  }

  readonly #quoted = (name: string): string => {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const quoted = quote(name);
    this.#names.set(name, quoted);
    return quoted;
  };
}

function tooManyNumbers(): QuarryError {
  return illegal(
    `the aggregations would answer more than [${MAX_NUMBERS}] percentiles: ask for fewer numbers, or for fewer buckets around them`,
  );
}
