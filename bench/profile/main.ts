// npm run bench:profile -- SUITE: runs a suite and draws the CPU time of its servers to
// bench/report/profile.html. With perf both sides of the native boundary are in one graph; without
// it V8's own profiler sees the main thread's JavaScript alone.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeHtml } from '../lab/chart.ts';
import { describeMachine, machineLine } from '../lab/machine.ts';
import { REPORT, toPage, toTable } from '../lab/report.ts';
import { namesOf } from '../suites.ts';
import { hottest, toFlameGraph } from './flame.ts';
import { readCpuProfile, readPerf, type Stack } from './stacks.ts';

const RUNNER = join('build', 'bench', 'bench', 'main.js');
const SAMPLES_A_SECOND = '499';
const SHOWN = 25;
const MOST_BYTES = 2 ** 30;

/** Options for symbols and stack frames in JavaScript, set in the servers alone. */
const NAMED = '--perf-basic-prof --interpreted-frames-native-stack';

function run(command: string, args: readonly string[], nodeArgs: string): void {
  const env = { ...process.env, BENCH_NODE_ARGS: nodeArgs };
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error?.message}`);
}

function hasPerf(): boolean {
  return spawnSync('perf', ['record', '-o', '/dev/null', '--', 'true']).status === 0;
}

/** V8 writes a map of its symbols to /tmp for every server; no other process has the option. */
function withPerf(folder: string, suite: string): readonly Stack[] {
  const before = new Set(maps());
  const data = join(folder, 'perf.data');
  const record = ['record', '-q', '-F', SAMPLES_A_SECOND, '-g', '-o', data, '--', process.execPath];
  run('perf', [...record, RUNNER, suite], NAMED);
  const made = maps().filter((name) => !before.has(name));
  const pids = new Set(made.map((name) => Number(/\d+/.exec(name)?.[0])));
  const script = spawnSync('perf', ['script', '-i', data, '-F', 'comm,pid,tid,ip,sym,dso'], {
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  for (const name of made) rmSync(join('/tmp', name));
  return readPerf(script.stdout, pids);
}

function maps(): readonly string[] {
  return readdirSync('/tmp').filter((name) => /^perf-\d+\.map$/.test(name));
}

function withV8(folder: string, suite: string): readonly Stack[] {
  run(process.execPath, [RUNNER, suite], `--cpu-prof --cpu-prof-dir=${folder}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .flatMap((name) => readCpuProfile(readFileSync(join(folder, name), 'utf8')));
}

const [suite = ''] = namesOf(process.argv.slice(2));
if (process.argv.length !== 3) throw new Error('name one suite: npm run bench:profile -- http');
if (!existsSync(RUNNER)) throw new Error(`${RUNNER} is not there: npm run bench builds it`);
const folder = mkdtempSync(join(tmpdir(), 'quarry-profile-'));
const perf = hasPerf();
const machine = machineLine(describeMachine());
try {
  const stacks = perf ? withPerf(folder, suite) : withV8(folder, suite);
  if (stacks.length === 0) throw new Error(`no samples of a server: does ${suite} start one?`);
  const how = perf
    ? `${stacks.length} samples by perf, of all threads`
    : "by V8's profiler, for want of perf: JavaScript of main threads alone, native code as the call into it";
  const top = hottest(stacks, SHOWN).map(([name, share]) => [
    name,
    `${(share * 100).toFixed(1)} %`,
  ]);
  for (const [name, share] of top) console.log(`${String(share).padStart(7)}  ${name}`);
  const said = [machine, `suite ${suite}, ${how}`].map((text) => `<p>${escapeHtml(text)}</p>`);
  const table = toTable([['where the time itself goes', 'share'], ...top]);
  mkdirSync(REPORT, { recursive: true });
  const body = `${said.join('\n')}\n${toFlameGraph(stacks)}\n${table}`;
  writeFileSync(join(REPORT, 'profile.html'), toPage(`Profile of ${suite}`, body));
  console.log(`${how}; the graph: ${join(REPORT, 'profile.html')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
