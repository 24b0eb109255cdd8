// Programs of native/bench: built in a folder of their own, optimized and without sanitizers.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const FOLDER = join('build', 'bench-native');

/** The program's path. Throws with the compiler's words where it cannot be built. */
export function buildBench(target: string): string {
  must('cmake', ['-S', '.', '-B', FOLDER, '-DCMAKE_BUILD_TYPE=Release', '-DQUARRY_SANITIZE=OFF']);
  must('cmake', ['--build', FOLDER, '--target', target, '--parallel', '2']);
  return resolve(FOLDER, target);
}

function must(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}\n${stdout}\n${stderr}`);
}
