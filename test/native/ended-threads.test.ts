// A thread that is terminated during a call of the core: the process continues. Runs in a separate
// process, which a crash would end.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROUNDS = 40;

/** Successful calls, and calls that fail. */
const calls = `
  const addon = require(process.env.ADDON);
  require('node:worker_threads').parentPort.postMessage('ready');
  for (;;) {
    addon.opcodes();
    try { addon.describe(99); } catch {}
    try { addon.search(Uint32Array.of(9, 0), new Uint8Array(8)); } catch {}
  }`;
const program = `
  const { Worker } = require('node:worker_threads');
  (async () => {
    for (let round = 0; round < ${ROUNDS}; round++) {
      const worker = new Worker(${JSON.stringify(calls)}, { eval: true });
      await new Promise((ready) => worker.once('message', ready));
      await new Promise((later) => setTimeout(later, round % 5));
      await worker.terminate();
    }
    console.log('ended all');
  })();`;

test('a thread may be ended inside a call', { timeout: 60_000 }, async () => {
  const env = { ...process.env, ADDON: resolve('build/Release/addon.node') };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { env });
  expect(stdout).toBe('ended all\n');
});
