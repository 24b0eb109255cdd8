// npm run soak: runs a server under a mixed load for ten minutes (SOAK_SECONDS) and decides whether
// memory, descriptors, threads and the lag of the main thread are stable. Prints the result and
// writes build/soak/soak.svg and soak.json. The exit status is 1 if something grows or a request
// failed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, type TestServer } from '../../test/tools/server.ts';
import { type Series, toSvg, verdict } from './curve.ts';
import { ask, Load, type Target } from './load.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600);
const WORKERS = 4;
/** Wait between two operations of a worker, so that the machine is not saturated. */
const PAUSE_MS = 5;
const SAMPLE_MS = Math.min(2000, (SECONDS * 1000) / 60);
const OUT = 'build/soak';
const MIB = 1024 * 1024;

interface Sample {
  readonly rss: number;
  readonly heap: number;
  readonly disk: number;
  readonly lag: number;
  readonly files: number;
  readonly threads: number;
}

async function sample(target: Target, { pid }: TestServer): Promise<Sample> {
  const text = await ask(target, 'GET', '/v1/metrics');
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    rss: read('quarry_process_resident_memory_bytes') / MIB,
    heap: read('quarry_nodejs_heap_size_used_bytes') / MIB,
    disk: read('quarry_disk_bytes') / MIB,
    lag: read('quarry_nodejs_eventloop_lag_p99_seconds') * 1000,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
  };
}

function toSeries(samples: readonly Sample[]): readonly Series[] {
  const series = (
    name: string,
    unit: string,
    read: (one: Sample) => number,
    [quantile, share, slack]: readonly [number, number, number],
  ): Series => ({ name, unit, values: samples.map(read), quantile, share, slack });
  return [
    series('Resident memory', 'MiB', (s) => s.rss, [0.1, 0.1, 10]),
    series('JavaScript heap', 'MiB', (s) => s.heap, [0.1, 0.1, 8]),
    series('Open descriptors', '', (s) => s.files, [0.5, 0.1, 8]),
    series('Threads', '', (s) => s.threads, [0.5, 0, 0]),
    series('Event-loop lag, p99', 'ms', (s) => s.lag, [0.5, 0.5, 15]),
    series('Segments on disk', 'MiB', (s) => s.disk, [0.5, 0.5, 20]),
  ];
}

async function soak(server: TestServer, target: Target): Promise<boolean> {
  const load = new Load(target, 7);
  await load.prepare();
  const end = performance.now() + SECONDS * 1000;
  const errors: string[] = [];
  let operations = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      try {
        await load.step();
      } catch (error) {
        errors.push((error as Error).message);
      }
      operations += 1;
      await pause(PAUSE_MS);
    }
  };
  const samples: Sample[] = [];
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      samples.push(await sample(target, server));
      await pause(SAMPLE_MS);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: WORKERS }, work)]);
  return report(toSeries(samples), operations, errors);
}

function report(series: readonly Series[], operations: number, errors: readonly string[]): boolean {
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}/soak.svg`, toSvg(series, SECONDS));
  const verdicts = series.map((one) => ({ name: one.name, unit: one.unit, ...verdict(one) }));
  const result = { seconds: SECONDS, operations, failed: errors.length, verdicts };
  writeFileSync(`${OUT}/soak.json`, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`${operations} operations in ${SECONDS} s, ${errors.length} failed`);
  for (const error of new Set(errors.slice(0, 20))) console.log(`  ${error}`);
  for (const { name, unit, before, after, flat } of verdicts) {
    const change = `${before.toPrecision(4)} -> ${after.toPrecision(4)} ${unit}`;
    console.log(`${flat ? 'flat ' : 'GROWS'}  ${name}: ${change}`);
  }
  console.log(`the curves: ${OUT}/soak.svg`);
  return errors.length === 0 && verdicts.every(({ flat }) => flat);
}

const server = await startServer({ args: ['--index.idle_close_ms', '5000'] });
const agent = new Agent({ keepAlive: true, maxSockets: 2 * WORKERS });
try {
  const well = await soak(server, { base: new URL(server.base), agent });
  process.exitCode = well ? 0 : 1;
} finally {
  agent.destroy();
  await server.stop();
}
