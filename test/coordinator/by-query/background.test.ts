// Tasks over whole indexes: their maximum number, and their cancellation.
import { expect, test } from 'vitest';
import {
  LocalOperations,
  type OperationsOptions,
} from '../../../src/coordinator/write/by-query/operations.ts';

const operations = (): LocalOperations =>
  new LocalOperations({ nowMs: () => 0 } as unknown as OperationsOptions);
const work = (run: (isCancelled: () => boolean) => Promise<object>) => ({
  action: 'a',
  description: 'd',
  run: run as (isCancelled: () => boolean) => Promise<Record<string, never>>,
});

test('sixty-four run at once', async () => {
  const tasks = operations();
  let finish = (): void => {};
  const gate = new Promise<object>((resolve) => {
    finish = () => resolve({});
  });
  const ids = Array.from({ length: 64 }, () => tasks.begin(work(() => gate)).id);
  expect(() => tasks.begin(work(() => gate))).toThrowError(
    expect.objectContaining({ type: 'es_rejected_execution_exception' }),
  );
  finish();
  await tasks.close();
  expect(tasks.begin(work(async () => ({}))).id).toBe((ids.at(-1) ?? 0) + 1);
});

test('one that is cancelled hears of it', async () => {
  const tasks = operations();
  const heard: boolean[] = [];
  const { id } = tasks.begin(
    work(async (isCancelled) => {
      heard.push(isCancelled());
      await Promise.resolve();
      heard.push(isCancelled());
      return { done: false };
    }),
  );
  expect(tasks.cancel(id)).toHaveLength(1);
  await tasks.close();
  expect(heard).toEqual([false, true]);
  expect(tasks.task(id)).toMatchObject({ completed: true, response: { done: false } });
});
