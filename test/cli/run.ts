// Runs the built `quarry` as a process, or a command in this process, and returns its output.
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { failureOf } from '../../src/cli/commands.ts';
import { runVerb } from '../../src/cli/verbs.ts';

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

/**
 * Runs a command in this process, without the start of another: for the many ways to call one
 * wrongly. Paths are those of this process.
 */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Ran> {
  let out = '';
  const [name = '', ...rest] = args;
  try {
    const code = await runVerb(name, rest, {
      print: (line) => {
        out += `${line}\n`;
      },
      progress: () => undefined,
      write: async (bytes) => {
        out += String(bytes);
      },
      environment,
      nowMs: Date.now,
    });
    return { code, out, err: '' };
  } catch (error) {
    const { message, code } = failureOf(error);
    return { code, out, err: message };
  }
}

/** Creates a key of a data folder with `quarry keys create`. */
export function makeKey(dataDir: string, ...args: readonly string[]): string {
  const all = [MAIN, 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  return JSON.parse(spawnSync(process.execPath, all, { encoding: 'utf8' }).stdout).key;
}
