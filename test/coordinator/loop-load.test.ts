// When a thread counts as busy, with a clock and a load measure of the test.
import { expect, test } from 'vitest';
import { loopLoad } from '../../src/coordinator/shards/loop-load.ts';

test('measured anew after a while, over what has passed since', () => {
  const state = { now: 0, active: 0 };
  const utilization = (a?: { active: number }, b?: { active: number }) => {
    const active = (a?.active ?? state.active) - (b?.active ?? 0);
    return { idle: 0, active, utilization: active / 100 };
  };
  const busy = loopLoad(() => state.now, 0.85, utilization);
  state.active = 90;
  expect(busy()).toBe(false);
  state.now = 100;
  expect(busy()).toBe(true);
  state.active = 120;
  expect(busy()).toBe(true);
  state.now = 200;
  expect(busy()).toBe(false);
});

test('above the share that is given', () => {
  const state = { now: 0 };
  const utilization = () => ({ idle: 0, active: 0, utilization: 0.7 });
  const busy = [0.6, 0.7, 0.85].map((most) => loopLoad(() => state.now, most, utilization));
  state.now = 100;
  expect(busy.map((isBusy) => isBusy())).toEqual([true, false, false]);
});
