// `quarry bench [SUITE …]`: builds and runs the benchmark suites of a clone of the repository. An
// installation does not contain them.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PACKAGE_FOLDER } from '../base/package.js';
import type { Verb, VerbContext } from './verb.js';

/** Required paths, each with the remedy if it is missing. */
const NEEDED: Readonly<Record<string, string>> = {
  'bench/main.ts': 'suites are in a clone of the repository alone: run it there',
  'node_modules/typescript': 'install what development needs: npm ci',
  'build/Release/addon.node': 'build the core: npm run build:native',
};

export const BENCH: Verb = {
  name: 'bench',
  usage: ['[SUITE ...] [--peer URL]'],
  about:
    'Measures this machine with the suites of a clone of the repository (all of them without a name, which takes long).',
  flags: { peer: 'a service of the same API to compare with, where a suite can' },
  remote: false,
  examples: ['bench words', 'bench vectors --json > vectors.json'],
  run: bench,
};

async function bench(context: VerbContext): Promise<number> {
  checkClone(PACKAGE_FOLDER);
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-'));
  const file = join(folder, 'bench.json');
  const peer = context.values.get('peer');
  try {
    const code = await npmRun(
      [
        ...context.rest,
        ...(context.json ? ['--json', file] : []),
        ...(peer ? ['--peer', peer] : []),
      ],
      context.json,
    );
    if (context.json && existsSync(file)) context.print(readFileSync(file, 'utf8').trimEnd());
    return code === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws an error with the first missing path and its remedy. */
export function checkClone(root: string): void {
  for (const [path, remedy] of Object.entries(NEEDED)) {
    if (!existsSync(join(root, path))) {
      throw new Error(`bench needs [${path}] in [${resolve(root)}]: ${remedy}`);
    }
  }
}

/** With `quiet`, npm's output goes to stderr, because stdout is for the results. */
function npmRun(args: readonly string[], quiet: boolean): Promise<number | null> {
  const child = spawn('npm', ['run', 'bench', '--', ...args], {
    cwd: PACKAGE_FOLDER,
    stdio: ['inherit', quiet ? process.stderr : 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code));
  });
}
