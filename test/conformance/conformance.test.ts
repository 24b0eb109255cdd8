// Runs the peer's REST tests against the built service and compares the results with the committed
// baseline: a test that passed must pass, and a failure needs a reason in reasons.json. `npm run
// conformance:baseline` writes a new baseline.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';

const runner = sharedPath('conformance/run.mjs');
const baseline = fileURLToPath(new URL('./baseline.json', import.meta.url));
/** The reason of a failure, by the file or by the full name of the test. */
const reasons: Readonly<Record<string, string>> = readJson(
  fileURLToPath(new URL('./reasons.json', import.meta.url)),
);
const LONG = 600_000;
/** `npm run conformance:baseline` writes the results instead of comparing them. */
const WRITE = process.env['WRITE_BASELINE'] === '1';

interface Outcome {
  readonly id: string;
  readonly status: string;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'));
}

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

const hasReason = (id: string): boolean =>
  Object.hasOwn(reasons, id) || Object.hasOwn(reasons, id.split(' :: ')[0] ?? '');

test('no reason is given for a test that passes', () => {
  expect(readJson<readonly string[]>(baseline).filter(hasReason)).toEqual([]);
});

test.skipIf(runner === undefined)(
  'every test of the baseline passes, and every other has its reason',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-conformance-'));
    const report = join(folder, 'report.json');
    const server = await startServer();
    const mode = WRITE ? '--write-baseline' : '--baseline';
    const args = [runner ?? '', '--base', server.base, mode, baseline, '--max-failures', '20'];
    const result = await run([...args, '--json', report]);
    const code = await server.stop();
    const { tests } = readJson<{ readonly tests: readonly Outcome[] }>(report);
    rmSync(folder, { recursive: true });
    if (WRITE || result.status !== 0) console.log(result.output);
    const failed = tests.filter(({ status }) => status === 'failed').map(({ id }) => id);
    if (!WRITE) expect(result.status).toBe(0);
    expect(failed.filter((id) => !hasReason(id))).toEqual([]);
    expect(code).toBe(0);
  },
  LONG,
);
