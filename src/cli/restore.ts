// `quarry restore --from FOLDER`: restores the indexes of a snapshot made by `quarry backup`, by
// default the latest.
import { ConfigError } from '../config/load.js';
import { checkSnapshotFlags, placeOf, type SnapshotClient, withServer } from './snapshot-client.js';
import type { VerbContext } from './verb.js';

/** Rejects if nothing was restored; throws ConfigError for invalid arguments. */
export async function restore(context: VerbContext): Promise<number> {
  if (context.values.has('to-time')) {
    return (await import('./restore-log.js')).restoreToTime(context);
  }
  if (context.values.has('history')) throw new ConfigError('--history needs --to-time');
  checkSnapshotFlags(context, 'from');
  const { values, print, progress } = context;
  const place = placeOf(context, 'from', { readonly: true });
  const repository = `${place.repository}-readonly`;
  await withServer(context, place, async (client) => {
    await client.call('PUT', `/_snapshot/${repository}`, place.body);
    try {
      const snapshot = values.get('name') ?? (await latest(client, repository, place.shown));
      progress?.(`restoring [${snapshot}]`);
      const answer = await client.call(
        'POST',
        `/_snapshot/${repository}/${encodeURIComponent(snapshot)}/_restore?wait_for_completion=true`,
        bodyOf(values),
      );
      progress?.('');
      const { indices } = answer.snapshot as { readonly indices: readonly string[] };
      const restored = `restored from [${snapshot}]: ${indices.join(', ') || 'nothing'}`;
      print(context.json ? JSON.stringify(answer.snapshot) : restored);
    } finally {
      progress?.('');
      await client.call('DELETE', `/_snapshot/${repository}`);
    }
  });
  return 0;
}

function bodyOf(values: ReadonlyMap<string, string>): object {
  const named = (flag: string, key: string): object => {
    const value = values.get(flag);
    return value === undefined ? {} : { [key]: value };
  };
  return {
    ...named('indices', 'indices'),
    ...named('rename-pattern', 'rename_pattern'),
    ...named('rename-replacement', 'rename_replacement'),
  };
}

async function latest(client: SnapshotClient, repository: string, place: string): Promise<string> {
  const { snapshots } = await client.call(
    'GET',
    `/_snapshot/${repository}/_all?sort=start_time&order=desc&size=1`,
  );
  const [newest] = snapshots as readonly { readonly snapshot: string }[];
  if (newest !== undefined) return newest.snapshot;
  throw new Error(`there is no snapshot in ${place}`);
}
