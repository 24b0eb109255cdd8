// Numbers that all threads see at once.
import { expect, test } from 'vitest';
import { SharedState } from '../../src/http/threads/shared-state.ts';

test('no thread has a time before the latest of the main thread, though the clock is set back', () => {
  const main = SharedState.create(2);
  const worker = SharedState.of(main.buffer);
  expect(worker.notBefore(5)).toBe(5);
  expect(main.pass(100)).toBe(100);
  expect(worker.notBefore(40)).toBe(100);
  expect(main.pass(40)).toBe(100);
  expect(worker.notBefore(120)).toBe(120);
  expect(main.pass(90)).toBe(100);
});

test('the version, the time and the bytes of threads have places of their own', () => {
  const state = SharedState.create(3);
  state.version = 7;
  state.pass(1e12);
  state.heldBytes.set([1, 2, 3]);
  expect(state.isAhead).toBe(false);
  state.setAhead();
  expect(SharedState.of(state.buffer).isAhead).toBe(true);
  expect([state.version, state.notBefore(0), ...state.heldBytes]).toEqual([7, 1e12, 1, 2, 3]);
});
