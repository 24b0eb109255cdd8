// Runs the built `quarry` as a process and returns its output.
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const MAIN = resolve('dist/cli/main.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs with PATH and `env` as its only environment, and an empty stdin. */
export function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes) => {
    out += String(bytes);
  });
  child.stderr.on('data', (bytes) => {
    err += String(bytes);
  });
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}

/** Creates a key of a data folder with `quarry keys create`. */
export function makeKey(dataDir: string, ...args: readonly string[]): string {
  const all = [MAIN, 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  return JSON.parse(spawnSync(process.execPath, all, { encoding: 'utf8' }).stdout).key;
}
