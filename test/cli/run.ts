// Runs the built `quarry` as a process and hands over what it printed.
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const MAIN = resolve('dist/cli/main.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** With no environment but PATH and `env`, and nothing on its stdin. */
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

/** A key of a data folder, made by `quarry keys create`. */
export function makeKey(dataDir: string, ...args: readonly string[]): string {
  const all = [MAIN, 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  return JSON.parse(spawnSync(process.execPath, all, { encoding: 'utf8' }).stdout).key;
}
