// Responses that are sent together, with a clock and an event loop of the test.
import { expect, test } from 'vitest';
import { Outbox } from '../../src/http/pipeline/outbox.ts';

function world() {
  const state = { now: 0, sent: [] as string[], turns: [] as (() => void)[] };
  const outbox = new Outbox(
    () => state.now,
    (work) => state.turns.push(work),
  );
  const add = (name: string): void => outbox.add(() => state.sent.push(name));
  const turn = (): void => {
    for (const work of state.turns.splice(0)) work();
  };
  return { state, outbox, add, turn };
}

test('answers of one turn leave together, in their order', () => {
  const { state, add, turn } = world();
  add('a');
  add('b');
  expect(state.sent).toEqual([]);
  turn();
  expect(state.sent).toEqual(['a', 'b']);
  turn();
  add('c');
  turn();
  expect(state.sent).toEqual(['a', 'b', 'c']);
});

test('none waits for others for long', () => {
  const { state, outbox, add, turn } = world();
  outbox.hurry();
  add('a');
  state.now += 0.4;
  add('b');
  outbox.hurry();
  expect(state.sent).toEqual([]);
  state.now += 0.2;
  outbox.hurry();
  expect(state.sent).toEqual(['a', 'b']);
  add('c');
  state.now += 1;
  add('d');
  expect(state.sent).toEqual(['a', 'b', 'c', 'd']);
  turn();
  expect(state.sent).toEqual(['a', 'b', 'c', 'd']);
});

test('before long work goes on nothing waits', () => {
  const { state, outbox, add } = world();
  outbox.flush();
  add('a');
  outbox.flush();
  expect(state.sent).toEqual(['a']);
});

test('what is sent may bring another answer', () => {
  const { state, outbox, add, turn } = world();
  outbox.add(() => {
    state.sent.push('first');
    add('second');
  });
  turn();
  expect(state.sent).toEqual(['first']);
  turn();
  expect(state.sent).toEqual(['first', 'second']);
});
