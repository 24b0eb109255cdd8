// Runs the core's vector benchmark and parses its output.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildBench } from '../tools/native-build.ts';

/** One line of the benchmark: the measurement, its data, and the results. */
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

/** Builds and runs it and returns its lines; its error output is passed on. */
export async function runNativeBench(args: readonly string[]): Promise<readonly ResultLine[]> {
  const child = spawn(buildBench('vectors_bench'), [...args, '--json'], {
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
