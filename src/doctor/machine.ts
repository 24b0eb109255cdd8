// Findings about the machine, the program and the configuration, for the process that asks: the
// service for GET /v1/doctor, the command for `quarry doctor`.
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { bytesText } from '../base/bytes-text.js';
import { descriptorLimit } from '../base/descriptors.js';
import { checkBinding } from '../config/binding.js';
import { openFolderWarning } from '../config/data-folder.js';
import type { LoadedConfig } from '../config/load.js';
import { CONFIG_KEYS } from '../config/schema.js';
import { type Finding, good, warning, wrong } from './findings.js';

const GIB = 1024 ** 3;
const GOOD_DESCRIPTORS = 4096;

export function programFinding(version: string): Finding {
  const found = `quarry ${version}, node ${process.versions.node}`;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const remedy = 'install node 20.19, 22 or 24';
  if (major < 20 || (major === 20 && minor < 19)) return wrong('version', found, remedy);
  if (![20, 22, 24].includes(major)) return warning('version', found, `not tested: ${remedy}`);
  return good('version', found);
}

export function processorFinding(): Finding {
  const cores = `${cpus().length} cores`;
  const { arch } = process;
  if (arch !== 'x64') return good('processor', `${arch}, ${cores}`);
  const flags = readText('/proc/cpuinfo');
  const has = ['avx2', 'fma', 'avx512f'].filter((flag) => new RegExp(`\\b${flag}\\b`).test(flags));
  if (flags === '' || has.includes('avx2'))
    return good('processor', `${arch} ${has.join(' ')}, ${cores}`);
  return warning(
    'processor',
    `${arch} without avx2, ${cores}`,
    'searches by vector are several times slower here',
  );
}

export function descriptorFinding(): Finding {
  const limit = descriptorLimit();
  const found = `${limit} files and connections`;
  if (limit >= GOOD_DESCRIPTORS) return good('ulimit', found);
  return warning('ulimit', found, `raise it before the start: ulimit -n ${16 * GOOD_DESCRIPTORS}`);
}

/** Names the keys that are not at their default, never their values. Throws ConfigError. */
export function configurationFinding({
  config,
  origins,
}: Pick<LoadedConfig, 'config' | 'origins'>): Finding {
  const changed = CONFIG_KEYS.filter((key) => origins[key] !== 'default');
  const set = changed.map((key) => `${key} (${origins[key]})`).join(', ');
  const summary = changed.length === 0 ? 'all defaults' : set;
  const risk = checkBinding(config);
  return risk === undefined
    ? good('configuration', summary)
    : warning('configuration', summary, risk);
}

export function folderFindings(path: string): readonly Finding[] {
  const at = existsSync(path) ? path : dirname(path);
  try {
    accessSync(at, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      wrong(
        'data folder',
        `${at} cannot be read and written`,
        'give it to the user that runs quarry (chown)',
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(at);
  const free = bavail * bsize;
  const found = `${path}${at === path ? '' : ' (not yet there)'}, ${bytesText(free)} free`;
  if (free < GIB)
    return [wrong('data folder', found, 'make room: writes are refused on a full disk')];
  const room =
    free < 10 * GIB
      ? warning('data folder', found, 'merges need free space in addition to the data')
      : good('data folder', found);
  const open = openFolderWarning(path);
  return open === undefined ? [room] : [room, warning('data folder', open, `chmod o-rwx ${path}`)];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
