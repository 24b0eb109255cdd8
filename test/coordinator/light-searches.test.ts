// Which searches share a task, and that each gets its own result.
import { expect, test } from 'vitest';
import { LightSearches } from '../../src/coordinator/shards/light-searches.ts';
import type { Outcome, SearchTask } from '../../src/worker/tasks.ts';

const task = (index: number): SearchTask => ({
  shards: Uint32Array.of(index, 0),
  plan: new Uint8Array(1),
});

/** A buffer whose length is the index number; the third search fails. */
function answer({ shards }: SearchTask): Outcome<ArrayBuffer> {
  const [index = 0] = shards;
  if (index === 3) return { failure: { errorType: 1, message: 'no', causedBy: '' } };
  return { value: new ArrayBuffer(index) };
}

function world() {
  const light = new LightSearches();
  const runs: number[][] = [];
  const search = async (tasks: readonly SearchTask[]) => {
    runs.push(tasks.map(({ shards }) => shards[0] ?? 0));
    return tasks.map(answer);
  };
  return { light, runs, search };
}

test('a share for each thread, the oldest first, each with its own outcome', async () => {
  const { light, runs, search } = world();
  const outcomes = [1, 2, 3, 4, 5].map((index) => light.wait(task(index)));
  expect(light.waiting).toBe(5);
  light.run(2, search);
  expect(light.waiting).toBe(2);
  light.run(2, search);
  light.run(2, search);
  light.run(2, search);
  expect(light.waiting).toBe(0);
  const all = await Promise.all(outcomes);
  expect(all.map((one) => ('value' in one ? one.value.byteLength : one.failure.message))).toEqual([
    1,
    2,
    'no',
    4,
    5,
  ]);
  expect(runs).toEqual([[1, 2, 3], [4], [5]]);
});

test('a share has its limit', () => {
  const { light, runs, search } = world();
  for (let index = 10; index < 40; index++) void light.wait(task(index));
  light.run(1, search);
  expect(runs[0]?.length).toBe(8);
  expect(light.waiting).toBe(22);
});

test('what fails fails for those who shared it', async () => {
  const { light, search } = world();
  const outcomes = [light.wait(task(1)), light.wait(task(2))];
  light.run(1, () => Promise.reject(new Error('the thread is gone')));
  const other = light.wait(task(4));
  light.run(1, search);
  for (const outcome of outcomes) await expect(outcome).rejects.toThrow('the thread is gone');
  expect(await other).toEqual({ value: new ArrayBuffer(4) });
  const short = light.wait(task(1));
  light.run(1, async () => []);
  await expect(short).rejects.toThrow('too few outcomes');
});
