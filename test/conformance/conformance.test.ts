// Runs the peer's REST tests against the built service and holds the result against the committed baseline:
// what passed once must pass. `npm run conformance:baseline` writes a new baseline.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';

const runner = sharedPath('conformance/run.mjs');
const baseline = fileURLToPath(new URL('./baseline.json', import.meta.url));
const LONG = 600_000;
/** `npm run conformance:baseline` records what passes instead of holding it against the record. */
const WRITE = process.env['WRITE_BASELINE'] === '1';

function run(args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.once('close', (status) => resolve({ status, output }));
  });
}

test.skipIf(runner === undefined)(
  'every test of the baseline passes',
  async () => {
    const server = await startServer();
    const mode = WRITE ? '--write-baseline' : '--baseline';
    const args = [runner ?? '', '--base', server.base, mode, baseline, '--max-failures', '20'];
    const result = await run(args);
    const code = await server.stop();
    if (WRITE || result.status !== 0) console.log(result.output);
    if (!WRITE) expect(result.status).toBe(0);
    expect(code).toBe(0);
  },
  LONG,
);
