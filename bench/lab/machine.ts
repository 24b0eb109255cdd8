// Describes the machine and the commit, without which results cannot be interpreted.
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly load: number;
  readonly node: string;
  /** The commit of the work tree, followed by '+' if there are changes. */
  readonly commit: string;
  readonly at: string;
}

export function loadNow(): number {
  return loadavg()[0] ?? 0;
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    load: loadNow(),
    node: process.version,
    commit: commitHere(),
    at: new Date().toISOString(),
  };
}

function commitHere(): string {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  if (commit === '') return 'unknown';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`;
}

export function machineLine({ cores, processor, load, node, commit }: Machine): string {
  return `machine: ${cores} x ${processor}, load ${load.toFixed(2)}, node ${node}, commit ${commit}`;
}
