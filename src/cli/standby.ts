// `quarry standby`: follows the log that another service ships, answers reads from the newest moment,
// and is promoted by hand. Each moment is a data folder of its own, served by a process of its own,
// which the next one replaces: what the process writes into it does not matter.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockRun } from '../base/run-lock.js';
import { ConfigError } from '../config/load.js';
import { untilSignal } from './copying.js';
import { argumentsOf, required, wholeFlag } from './reading.js';
import type { VerbContext } from './verb.js';

/** Folders of two moments, in turns. */
const TURNS = ['moment-a', 'moment-b'] as const;
const PROMOTED = 'data';
const USUAL_INTERVAL_S = 60;
const USUAL_PORT = 9200;
/** What the shipped log does not have, and whoever runs the standby puts into its folder. */
const OWN_FILES = ['keys.json', 'models'];

interface Follower {
  next(dataDir: string): Promise<{ readonly moment: number } | undefined>;
  close(): Promise<void>;
}

export async function standby(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const folder = resolve(required(context, 'data-dir'));
  if (existsSync(join(folder, 'NODE'))) {
    throw new ConfigError(`--data-dir ${folder} is the data folder of a service: give another one`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockRun(join(folder, 'standby.lock'), 'standby in this folder');
  const { followShippedLog } = await import('../main.js');
  const follower = await followShippedLog({
    place: required(context, 'from'),
    region: context.values.get('region') ?? '',
    id: context.values.get('history'),
    cacheDir: join(folder, 'cache'),
  });
  try {
    if (context.switches.has('promote')) return await promote(context, folder, follower);
    return await follow(context, folder, follower);
  } finally {
    await follower.close();
    unlock();
  }
}

async function promote(
  { print }: VerbContext,
  folder: string,
  follower: Follower,
): Promise<number> {
  const dataDir = join(folder, PROMOTED);
  if (existsSync(join(dataDir, 'NODE'))) throw new Error(`${dataDir} was promoted before`);
  const reached = await follower.next(dataDir);
  await addOwnFiles(folder, dataDir);
  for (const name of [...TURNS, 'cache'])
    await rm(join(folder, name), { recursive: true, force: true });
  print(`promoted, ${dataDir} is as at ${isoOf(reached?.moment ?? 0)}`);
  print(`start it: quarry serve --data-dir ${dataDir}`);
  return 0;
}

/** Until a signal ends it. */
async function follow(context: VerbContext, folder: string, follower: Follower): Promise<number> {
  const { print } = context;
  const port = wholeFlag(context, 'port') ?? USUAL_PORT;
  const intervalMs = 1000 * (wholeFlag(context, 'interval') ?? USUAL_INTERVAL_S);
  const signal = untilSignal();
  let serving: ChildProcess | undefined;
  let current = '';
  let failure = '';
  for (let turn = 0; !signal.aborted; ) {
    const dataDir = join(folder, TURNS[turn % 2] ?? '');
    try {
      const reached = await follower.next(dataDir);
      if (reached !== undefined) {
        await addOwnFiles(folder, dataDir);
        await ended(serving);
        current = dataDir;
        serving = serve(context, dataDir, port);
        print(`follows, as at ${isoOf(reached.moment)}`);
        turn += 1;
      } else if (serving !== undefined && isOver(serving)) {
        print('the service of the standby ended by itself, it is started again');
        serving = serve(context, current, port);
      }
      failure = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) print(`does not follow: ${message}`);
      failure = message;
    }
    await pause(intervalMs, undefined, { signal }).catch(() => {});
  }
  await ended(serving);
  return 0;
}

function serve({ print }: VerbContext, dataDir: string, port: number): ChildProcess {
  const [, main = ''] = process.argv;
  const args = [main, 'serve', '--data-dir', dataDir, '--port', String(port)];
  const env = { ...process.env };
  // A moment is not shipped again.
  delete env['QUARRY_SNAPSHOT_SHIP_LOG'];
  const child = spawn(process.execPath, [...args, '--server.read_only'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  // A process that could not be started is over, and is started again at the next interval.
  child.on('error', ({ message }) => print(`the service of the standby: ${message}`));
  return child;
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || isOver(child)) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}

async function addOwnFiles(folder: string, dataDir: string): Promise<void> {
  for (const name of OWN_FILES) {
    const from = join(folder, name);
    if (!existsSync(from)) continue;
    if (name.includes('.')) await copyFile(from, join(dataDir, name));
    else await symlink(from, join(dataDir, name));
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
