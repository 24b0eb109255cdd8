// Tasks: their ids, their status during and after the run, and their throttling, without real
// waiting.
import { expect, test } from 'vitest';
import { TaskTable } from '../../../src/coordinator/write/by-query/task-table.ts';
import { QuarryError } from '../../../src/errors.ts';

let now = 1000;
let wall = 1_700_000_000_000;
const spec = (action = 'indices:data/write/reindex') => ({
  action,
  description: 'a to b',
  status: (requestsPerSecond: number) => ({ requests_per_second: requestsPerSecond }),
  requestsPerSecond: Number.POSITIVE_INFINITY,
});

test('a task is there while it runs, its answer afterwards, and neither after a day', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  let resolve = (_value: { body: { n: number } }): void => {};
  const work = new Promise<{ body: { n: number } }>((settle) => {
    resolve = settle;
  });
  const { id, result } = table.run(spec(), () => work);
  now += 5;
  expect(table.lookUp(id)).toMatchObject({
    completed: false,
    task: { id, description: 'a to b', running_time_in_nanos: 5e6, cancelled: false },
  });
  expect(table.matching({ actions: ['*reindex'] })).toHaveLength(1);
  expect(table.matching({ actions: ['*byquery'] })).toHaveLength(0);
  resolve({ body: { n: 1 } });
  await result;
  expect(table.running).toEqual([]);
  expect(table.lookUp(id)).toMatchObject({ completed: true, response: { n: 1 } });
  expect(table.lookUp(id + 1)).toBeUndefined();
  now += 86_400_000;
  expect(table.lookUp(id)).toBeUndefined();
});

test('what went wrong is kept as an error', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  const { id, result } = table.run(spec(), async () => {
    throw new QuarryError('illegal_argument_exception', 'no');
  });
  await expect(result).rejects.toThrow('no');
  expect(table.lookUp(id)).toMatchObject({ completed: true, error: { reason: 'no' } });
});

test('a pause ends when the task is told to end or to go faster', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  const started = table.run({ ...spec(), requestsPerSecond: 0.001 }, async (task) => {
    await task.paced(10, 0, () => 0);
    return { body: { pace: task.requestsPerSecond, cancelled: task.cancelled } };
  });
  const [task] = table.running;
  task?.rethrottle(0.002);
  task?.rethrottle(Number.POSITIVE_INFINITY);
  expect(await started.result).toEqual({
    body: { pace: Number.POSITIVE_INFINITY, cancelled: false },
  });

  const other = table.run({ ...spec(), requestsPerSecond: 0.001 }, async (paused) => {
    await paused.paced(10, 0, () => 0);
    return { body: { cancelled: paused.cancelled } };
  });
  table.running[0]?.cancel();
  expect(await other.result).toEqual({ body: { cancelled: true } });
});

test('what does not wait was not throttled, however slow the clock', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  const waited = async (requestsPerSecond: number): Promise<number> => {
    let [clock, ms] = [0, Number.NaN];
    await table.run({ ...spec(), requestsPerSecond }, async (task) => {
      ms = await task.paced(10, 0, () => clock++);
      return { body: {} };
    }).result;
    return ms;
  };
  expect(await waited(Number.POSITIVE_INFINITY)).toBe(0);
  expect(await waited(5000)).toBeGreaterThan(0);
});

test('only so many ended ones are remembered', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  for (let i = 0; i < 250; i++) await table.run(spec(), async () => ({ body: {} })).result;
  expect(table.lookUp(1)).toBeUndefined();
  expect(table.lookUp(250)).toBeDefined();
});

test('a wall clock that jumps ends nothing, keeps nothing and makes nothing run longer', async () => {
  const table = new TaskTable(
    () => wall,
    () => now,
  );
  let resolve = (_value: { body: object }): void => {};
  const work = new Promise<{ body: object }>((settle) => {
    resolve = settle;
  });
  const began = wall;
  const { id, result } = table.run(spec(), () => work as Promise<{ body: Record<string, never> }>);
  now += 5;
  wall -= 86_400_000;
  expect(table.lookUp(id)?.['task']).toMatchObject({
    start_time_in_millis: began,
    running_time_in_nanos: 5e6,
  });
  resolve({ body: {} });
  await result;
  wall += 30 * 86_400_000;
  expect(table.lookUp(id)).toMatchObject({ completed: true });
  wall -= 60 * 86_400_000;
  now += 86_400_000;
  expect(table.lookUp(id)).toBeUndefined();
});
