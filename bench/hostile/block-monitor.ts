// Loaded into the measured server before its own code (`--import`): writes the longest time in
// which its main thread did not return to the event loop to a file at every SIGUSR2, and resets it.
// Time in which the thread could run but had no processor is not counted, because it tells of the
// machine and not of the server.
import { openSync, readSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Pause between two looks at the clock, in ms. */
const RESOLUTION_MS = 1;

/** Reads how long the main thread has waited for a processor, in ms (see proc(5), schedstat). */
function waitedForProcessor(): () => number {
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(128);
  return () => {
    const length = readSync(schedstat, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  };
}

const file = process.env['BENCH_BLOCK_FILE'];

if (isMainThread && file !== undefined) {
  const waited = waitedForProcessor();
  let longestMs = 0;
  let last = { at: performance.now(), waited: waited() };
  const look = (): void => {
    const now = { at: performance.now(), waited: waited() };
    const blockedMs = now.at - last.at - RESOLUTION_MS - (now.waited - last.waited);
    longestMs = Math.max(longestMs, blockedMs);
    last = now;
  };
  setInterval(look, RESOLUTION_MS).unref();
  process.on('SIGUSR2', () => {
    look();
    writeFileSync(file, String(longestMs));
    longestMs = 0;
  });
}
