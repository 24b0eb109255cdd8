// Processes items concurrently, because small indexes spend most of the time waiting for syncs of
// the disk.

/** A good degree of concurrency for one disk. */
export const AT_ONCE = 4;

/**
 * Applies `work` to every item, at most AT_ONCE at a time; the results are in the order of the
 * items. After a failure no further item is started; rejects with the first error once all started
 * items have ended.
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const at = next++;
      try {
        results[at] = await work(items[at] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
