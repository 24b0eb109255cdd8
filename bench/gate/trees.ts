// The base as a built tree: the files of a git ref in build/gate, with this tree's addon if no
// native source differs, otherwise with its own.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const NATIVE = ['native', 'CMakeLists.txt', 'binding.gyp'];
const LOCKS = ['package-lock.json', 'native/package-lock.json'];

export function treeOf(ref: string): string {
  const commit = run('git', ['rev-parse', '--verify', `${ref}^{commit}`]).trim();
  const tree = join('build', 'gate', commit.slice(0, 12));
  const done = join(tree, 'dist', 'cli', 'main.js');
  if (existsSync(done) && existsSync(join(tree, 'build', 'Release', 'addon.node'))) return tree;
  // The remains of an interrupted run may contain a link to the packages of this tree, which npm
  // would delete.
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  run('sh', ['-c', `git archive ${commit} | tar -x -C ${tree}`]);
  install(commit, tree);
  const sameCore = run('git', ['diff', '--name-only', commit, '--', ...NATIVE]) === '';
  if (sameCore) copyAddon(tree);
  else run('npm', ['run', 'build:native'], tree);
  run('npm', ['run', 'build'], tree);
  return tree;
}

function install(commit: string, tree: string): void {
  if (run('git', ['diff', '--name-only', commit, '--', ...LOCKS]) === '') {
    for (const folder of ['node_modules', 'native/node_modules'])
      symlinkSync(resolve(folder), join(tree, folder));
    return;
  }
  run('npm', ['ci', '--ignore-scripts'], tree);
  run('npm', ['ci', '--prefix', 'native', '--ignore-scripts', '--omit=optional'], tree);
}

function copyAddon(tree: string): void {
  const folder = join('build', 'Release');
  mkdirSync(join(tree, folder), { recursive: true });
  cpSync(join(folder, 'addon.node'), join(tree, folder, 'addon.node'));
}

function run(command: string, args: readonly string[], cwd = '.'): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  const said = `${error?.message ?? ''}${stdout.slice(-2000)}${stderr.slice(-2000)}`;
  throw new Error(`${command} ${args.join(' ')} failed: ${said}`);
}
