// Cooperative tasks over tens of thousands of buckets, as generators that yield regularly. The
// caller decides whether to release the thread at a yield.

export type CooperativeTask<T> = Generator<undefined, T, undefined>;

/** Buckets between two yields. */
export const BUCKETS_PER_YIELD = 64;
/** Buckets that are sorted without a yield. */
const RUN = 1024;

/** Runs the task to its end, ignoring the yields. */
export function atOnce<T>(work: CooperativeTask<T>): T {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** The numbers below `count` for which `wanted` is true. */
export function* numbersSteps(
  count: number,
  wanted: (number: number) => boolean,
): CooperativeTask<readonly number[]> {
  const numbers: number[] = [];
  for (let number = 0; number < count; number++) {
    if (wanted(number)) numbers.push(number);
    if (number % BUCKETS_PER_YIELD === BUCKETS_PER_YIELD - 1) yield;
  }
  return numbers;
}

/** `items.map(make)` as a cooperative task. */
export function* mapSteps<T, R>(
  items: readonly T[],
  make: (item: T, at: number) => R,
): CooperativeTask<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item, made.length));
    if (made.length % BUCKETS_PER_YIELD === 0) yield;
  }
  return made;
}

/**
 * `items.toSorted(compare)` as a cooperative task: runs are sorted and then merged. Returns `items`
 * itself if it is already sorted.
 */
export function* sortSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): CooperativeTask<readonly T[]> {
  if (yield* isSorted(items, compare)) return items;
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* isSorted<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): CooperativeTask<boolean> {
  for (let at = 1; at < items.length; at++) {
    if (compare(items[at - 1] as T, items[at] as T) > 0) return false;
    if (at % BUCKETS_PER_YIELD === 0) yield;
  }
  return true;
}

/** Merges two sorted lists; of equal items those of `first` come first. */
function* mergeSteps<T>(
  first: T[],
  second: T[],
  compare: (a: T, b: T) => number,
): CooperativeTask<T[]> {
  const last = first.at(-1);
  const [head] = second;
  // Shards send buckets in order, so that runs often need no merge.
  if (last === undefined || head === undefined || compare(last, head) <= 0) {
    return [...first, ...second];
  }
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < first.length && right < second.length) {
    const [a, b] = [first[left] as T, second[right] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      left += 1;
    } else {
      merged.push(b);
      right += 1;
    }
    if (merged.length % BUCKETS_PER_YIELD === 0) yield;
  }
  return [...merged, ...first.slice(left), ...second.slice(right)];
}
