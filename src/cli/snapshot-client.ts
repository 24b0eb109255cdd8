// What `quarry backup` and `quarry restore` share: their flags, the server they speak to (one that runs, or one of their own
// over the data folder of a stopped one), and requests that may take as long as they need.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from '../config/load.js';
import { startService } from '../main.js';
import { type Answer, clientOf } from './client.js';

export interface SnapshotFlags {
  readonly values: ReadonlyMap<string, string>;
  readonly json: boolean;
}

/** Writes a line of the outcome, or replaces the line of progress. */
export interface Output {
  readonly print: (line: string) => void;
  /** Undefined where nobody watches. */
  readonly progress: ((line: string) => void) | undefined;
}

/** ConfigError for anything but `--flag value` of `known`, and --json. `required` must be there. */
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
  /** The parsed answer; rejects with the reason of a refusal. */
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

/** Runs `work` against the server that the flags name. `folder`: of the repository, for a server of our own. */
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
      // Nobody searches there meanwhile.
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

/** The folder as the server is told of it, and a name that follows from it. */
export function folderOf(flags: SnapshotFlags, flag: string): { folder: string; name: string } {
  const folder = resolve(flags.values.get(flag) ?? '');
  return {
    folder,
    name: `backup-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`,
  };
}
