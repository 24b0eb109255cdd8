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
  if (!values.has(required)) throw new ConfigError(`--${required} FOLDER or ADDRESS is missing`);
  if (values.has('url') && values.has('data-dir')) {
    throw new ConfigError('--url is for a running server, --data-dir for a stopped one: give one');
  }
}

/** A place of snapshots: a folder, or an address of S3 in the form ENDPOINT/BUCKET/PATH. */
export interface SnapshotPlace {
  /** In messages. */
  readonly shown: string;
  /** The name of its repository, which follows from the place. */
  readonly repository: string;
  /** The body that registers it. */
  readonly body: { readonly type: string; readonly settings: object };
  /** The configuration that permits it. */
  readonly config: Readonly<Record<string, string>>;
}

export interface SnapshotClient {
  /** Returns the parsed answer; rejects with the reason of an error. */
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

/**
 * Runs `work` against the server that the flags name. A server started here must permit the place.
 */
export async function withServer<T>(
  context: VerbContext,
  place: SnapshotPlace,
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
      ...place.config,
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

/** The place that the flag names. `settings` are added to its repository. */
export function placeOf(
  { values }: VerbContext,
  flag: string,
  settings: object = {},
): SnapshotPlace {
  const text = values.get(flag) ?? '';
  const region = values.get('region');
  if (/^https?:\/\//i.test(text)) return bucketOf(text, region, settings, flag);
  if (region !== undefined) {
    throw new ConfigError(`--region is for an address of S3, --${flag} is the folder ${text}`);
  }
  const folder = resolve(text);
  return {
    shown: folder,
    repository: repositoryOf(folder),
    body: { type: 'fs', settings: { location: folder, ...settings } },
    config: { 'snapshot.path': folder },
  };
}

function bucketOf(
  text: string,
  region: string | undefined,
  more: object,
  flag: string,
): SnapshotPlace {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [bucket = '', ...path] = url?.pathname.slice(1).replace(/\/$/, '').split('/') ?? [];
  if (url === undefined || bucket === '' || url.search + url.hash + url.username !== '') {
    throw new ConfigError(
      `--${flag} ${text} is no address of the form https://ENDPOINT/BUCKET/PATH`,
    );
  }
  const shown = [url.origin, bucket, ...path].join('/');
  const settings = {
    endpoint: url.origin,
    bucket,
    base_path: path.join('/'),
    path_style_access: true,
    ...(region === undefined ? {} : { region }),
    ...more,
  };
  return {
    shown,
    repository: repositoryOf(shown),
    body: { type: 's3', settings },
    config: { 'snapshot.s3_places': shown },
  };
}

function repositoryOf(place: string): string {
  return `backup-${createHash('sha256').update(place).digest('hex').slice(0, 12)}`;
}
