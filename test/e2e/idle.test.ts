// A service without requests uses no CPU time.
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

/** CPU time of all threads, in hundredths of a second (proc(5): utime and stime). */
function ticks(): number {
  const [, ...fields] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ');
  const numbers = fields.join(') ').split(' ');
  return Number(numbers[11]) + Number(numbers[12]);
}

/**
 * The minimum over several windows: the work after a start ends, whereas a busy loop would use all
 * of each.
 */
test('no thread of an idle service is at work', async () => {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10 && least > 20; i++) {
    const before = ticks();
    await sleep(1000);
    least = Math.min(least, ticks() - before);
  }
  expect(least).toBeLessThanOrEqual(20);
});
