// Builds programs of native/bench, linked with the core that `npm ci` built: optimized and without
// sanitizers.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

const FOLDER = 'build';

/** Returns the program's path. Throws with the compiler's output if it cannot be built. */
export function buildBench(target: string): string {
  const parallel = String(availableParallelism());
  must('cmake', ['--build', FOLDER, '--target', target, '--parallel', parallel]);
  return resolve(FOLDER, target);
}

function must(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}\n${stdout}\n${stderr}`);
}
