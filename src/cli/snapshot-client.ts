// Shared by `quarry backup` and `quarry restore`: their flags, the server that they use (a running
// one, or one started on the data folder of a stopped one), and requests without a time limit.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from '../config/load.js';
import { startService } from '../main.js';
import { type Answer, clientOf } from './client.js';

export interface SnapshotFlags {
  readonly values: ReadonlyMap<string, string>;
  readonly json: boolean;
}

/** Prints a line of the result, or replaces the line of progress. */
export interface Output {
  readonly print: (line: string) => void;
  /** Undefined if the output is not a terminal. */
  readonly progress: ((line: string) => void) | undefined;
}

/**
 * Throws ConfigError for anything except `--flag value` of `known`, and --json. The flag `required`
 * must be present.
 */
export function readSnapshotFlags(
  command: string,
  args: readonly string[],
  known: readonly string[],
  required: string,
): SnapshotFlags {
  const values = new Map<string, string>();
  let json = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--json') {
      json = true;
      continue;
    }
    const equals = arg.indexOf('=');
    const name = (equals < 0 ? arg : arg.slice(0, equals)).replace(/^--/, '');
    if (!arg.startsWith('--') || !known.includes(name)) {
      const flags = known.map((flag) => `--${flag}`).join(', ');
      throw new ConfigError(`${command} knows no [${arg}], there are ${flags} and --json`);
    }
    if (values.has(name)) throw new ConfigError(`--${name} is given twice`);
    const value = equals < 0 ? args[++i] : arg.slice(equals + 1);
    if (value === undefined || value === '') throw new ConfigError(`--${name} needs a value`);
    values.set(name, value);
  }
  if (!values.has(required)) throw new ConfigError(`${command} needs --${required} FOLDER`);
  if (values.has('url') && values.has('data-dir')) {
    throw new ConfigError('--url is for a running server, --data-dir for a stopped one: give one');
  }
  return { values, json };
}

export interface SnapshotClient {
  /** Returns the parsed answer; rejects with the reason of an error. */
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

/**
 * Runs `work` against the server that the flags name. `folder` is the repository's folder, which a
 * server started here must permit.
 */
export async function withServer<T>(
  flags: SnapshotFlags,
  folder: string,
  work: (client: SnapshotClient) => Promise<T>,
): Promise<T> {
  const dataDir = flags.values.get('data-dir');
  if (dataDir === undefined) {
    return work({ call: clientOf(flags.values, process.env).json });
  }
  const { config } = loadConfig({
    flags: {
      'data-dir': dataDir,
      port: '0',
      'snapshot.path': folder,
      // There are no concurrent searches to protect.
      'snapshot.max_bytes_per_sec': '0',
      'logging.level': 'silent',
    },
    environment: {},
  });
  const service = await startService({ config, reload: () => config, warnings: [] });
  try {
    await service.ready;
    return await work({ call: clientOf(new Map([['url', service.address]]), {}).json });
  } finally {
    await service.stop();
  }
}

/** The absolute path of the folder, and a repository name derived from it. */
export function folderOf(flags: SnapshotFlags, flag: string): { folder: string; name: string } {
  const folder = resolve(flags.values.get(flag) ?? '');
  return {
    folder,
    name: `backup-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`,
  };
}
