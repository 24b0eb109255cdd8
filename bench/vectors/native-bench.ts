// Builds the core's vector bench in a folder of its own, without sanitizers, and reads its lines.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = join('build', 'bench-native');

/** One line of the bench: what was measured, on what, and the figures. */
export interface ResultLine {
  readonly set: string;
  readonly part: string;
  readonly engine: string;
  readonly rows?: number;
  readonly dims?: number;
  readonly beam?: number;
  readonly recall?: number;
  readonly worst?: number;
  readonly us?: number;
  readonly median?: number;
  readonly codesSeconds?: number;
  readonly graphSeconds?: number;
  readonly seconds?: number;
  readonly sketchDims?: number;
  readonly isa?: string;
  readonly rowBytes?: number;
  readonly hotBytes?: number;
  readonly graphBytes?: number;
  readonly codeBytes?: number;
  readonly gigabytesPerSecond?: number;
  readonly sketchDistances?: number;
  readonly fullDistances?: number;
  readonly exactDistances?: number;
  readonly hops?: number;
  readonly bytesRead?: number;
}

export function buildNativeBench(): void {
  must('cmake', ['-S', '.', '-B', FOLDER, '-DCMAKE_BUILD_TYPE=Release', '-DQUARRY_SANITIZE=OFF']);
  must('cmake', ['--build', FOLDER, '--target', 'vectors_bench', '--parallel', '2']);
}

function must(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}\n${stdout}\n${stderr}`);
}

/** Runs it and returns its lines; what it complains about goes to our own output. */
export async function runNativeBench(args: readonly string[]): Promise<readonly ResultLine[]> {
  const child = spawn(join(FOLDER, 'vectors_bench'), [...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines: ResultLine[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
  const code = await ended;
  if (code !== 0) throw new Error(`vectors_bench ${args.join(' ')} ended with ${code}`);
  return lines;
}
