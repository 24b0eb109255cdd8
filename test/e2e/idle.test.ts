// A service that nobody asks leaves the machine to others.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ args: ['--pools.search_threads', '3'] });
});
afterAll(async () => {
  await server.stop();
});

/** Processor time of all threads, in hundredths of a second (proc(5): utime and stime). */
function ticks(): number {
  const [, ...fields] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ');
  const numbers = fields.join(') ').split(' ');
  return Number(numbers[11]) + Number(numbers[12]);
}

/** Least of several windows: a start has work of its own, which ends. A loop that never rests takes all of each. */
test('no thread of an idle service is at work', async () => {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10 && least > 20; i++) {
    const before = ticks();
    await sleep(1000);
    least = Math.min(least, ticks() - before);
  }
  expect(least).toBeLessThanOrEqual(20);
});
