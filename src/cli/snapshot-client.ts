// Shared by `quarry backup` and `quarry restore`: the check of their flags, the server that they
// use (a running one, or one started on the data folder of a stopped one), and requests without a
// time limit.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from '../config/load.js';
import { type Answer, clientOf } from './client.js';
import { argumentsOf } from './reading.js';
import type { VerbContext } from './verb.js';

/** Throws ConfigError unless the flag `required` is present and at most one server is named. */
export function checkSnapshotFlags(context: VerbContext, required: string): void {
  argumentsOf(context);
  const { values } = context;
  if (!values.has(required)) throw new ConfigError(`--${required} FOLDER is missing`);
  if (values.has('url') && values.has('data-dir')) {
    throw new ConfigError('--url is for a running server, --data-dir for a stopped one: give one');
  }
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
  context: VerbContext,
  folder: string,
  work: (client: SnapshotClient) => Promise<T>,
): Promise<T> {
  const dataDir = context.values.get('data-dir');
  if (dataDir === undefined) {
    return work({ call: context.client().json });
  }
  const loaded = loadConfig({
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
  // A command that only sends requests does not load the service.
  const { startService } = await import('../main.js');
  const service = await startService({ loaded, reload: () => loaded, warnings: [] });
  try {
    await service.ready;
    return await work({ call: clientOf(new Map([['url', service.address]]), {}).json });
  } finally {
    await service.stop();
  }
}

/** The absolute path of the folder, and a repository name derived from it. */
export function folderOf({ values }: VerbContext, flag: string): { folder: string; name: string } {
  const folder = resolve(values.get(flag) ?? '');
  return {
    folder,
    name: `backup-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`,
  };
}
