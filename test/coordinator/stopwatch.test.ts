// Work is measured as CPU time, and as wall time where the thread waited for the disk.
import { expect, test } from 'vitest';
import { ThreadWatch } from '../../src/coordinator/shards/stopwatch.ts';

test('the time of the thread', () => {
  const state = { now: 0, cpu: 100, faults: 3 };
  const watch = new ThreadWatch(
    () => state.now,
    (into) => into.set([state.cpu, state.faults]),
  );
  watch.start();
  state.now += 50;
  state.cpu += 0.25;
  expect(watch.ms()).toBe(0.25);
  watch.start();
  state.now += 50;
  state.faults += 1;
  expect(watch.ms()).toBe(50);
});
