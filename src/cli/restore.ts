// `quarry restore --from FOLDER`: restores the indexes of a snapshot made by `quarry backup`, by
// default the latest.
import {
  folderOf,
  type Output,
  readSnapshotFlags,
  type SnapshotClient,
  withServer,
} from './snapshot-client.js';

const FLAGS = [
  'from',
  'name',
  'indices',
  'rename-pattern',
  'rename-replacement',
  'url',
  'api-key',
  'data-dir',
];

/** Rejects if nothing was restored; throws ConfigError for invalid arguments. */
export async function restore(args: readonly string[], output: Output): Promise<void> {
  const flags = readSnapshotFlags('restore', args, FLAGS, 'from');
  const { folder, name } = folderOf(flags, 'from');
  const repository = `${name}-readonly`;
  await withServer(flags, folder, async (client) => {
    await client.call('PUT', `/_snapshot/${repository}`, {
      type: 'fs',
      settings: { location: folder, readonly: true },
    });
    try {
      const snapshot = flags.values.get('name') ?? (await latest(client, repository, folder));
      output.progress?.(`restoring [${snapshot}]`);
      const answer = await client.call(
        'POST',
        `/_snapshot/${repository}/${encodeURIComponent(snapshot)}/_restore?wait_for_completion=true`,
        bodyOf(flags.values),
      );
      output.progress?.('');
      const { indices } = answer.snapshot as { readonly indices: readonly string[] };
      if (flags.json) output.print(JSON.stringify(answer.snapshot));
      else output.print(`restored from [${snapshot}]: ${indices.join(', ') || 'nothing'}`);
    } finally {
      output.progress?.('');
      await client.call('DELETE', `/_snapshot/${repository}`);
    }
  });
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

async function latest(client: SnapshotClient, repository: string, folder: string): Promise<string> {
  const { snapshots } = await client.call(
    'GET',
    `/_snapshot/${repository}/_all?sort=start_time&order=desc&size=1`,
  );
  const [newest] = snapshots as readonly { readonly snapshot: string }[];
  if (newest !== undefined) return newest.snapshot;
  throw new Error(`there is no snapshot in ${folder}`);
}
