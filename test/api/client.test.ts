// Code that waits for the client of a request is notified when the connection ends, and leaves no
// listener on a connection that stays open.
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Client, OneAnswer } from '../../src/api/kit/client.ts';

const UNCOUNTED = { reserve: () => {} };

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.destroy();
  });

test('a hundred answers on one connection leave no listener', () => {
  const socket = new Socket();
  for (let n = 0; n < 100; n++) {
    const answer = new OneAnswer(socket);
    const signal = new Client({ waiting: undefined }, answer, UNCOUNTED).signal();
    expect(socket.listenerCount('close')).toBe(1);
    answer.finish();
    expect([signal.aborted, socket.listenerCount('close')]).toEqual([false, 0]);
  }
});

test('a connection that ends before its answer ends the waiting', async () => {
  const socket = new Socket();
  const [answered, open] = [new OneAnswer(socket), new OneAnswer(socket)];
  const over = new Client({ waiting: undefined }, answered, UNCOUNTED).signal();
  const client = new Client({ waiting: undefined }, open, UNCOUNTED);
  const signal = client.signal();
  answered.finish();
  client.check();
  await closed(socket);
  expect([over.aborted, signal.aborted]).toEqual([false, true]);
  expect(() => client.check()).toThrow('the client closed the connection');
});
