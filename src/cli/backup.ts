// `quarry backup --to FOLDER`: takes a snapshot of all indexes into a folder of the server or into S3,
// which copies only new files, and shows the progress.
import { setTimeout as pause } from 'node:timers/promises';
import { bytesText } from '../base/bytes-text.js';
import { checkSnapshotFlags, placeOf, type SnapshotClient, withServer } from './snapshot-client.js';
import type { Output, VerbContext } from './verb.js';

const POLL_MS = 200;

/** Rejects if the snapshot failed; throws ConfigError for invalid arguments. */
export async function backup(context: VerbContext): Promise<number> {
  checkSnapshotFlags(context, 'to');
  const { values, print } = context;
  const place = placeOf(context, 'to');
  const { repository } = place;
  const snapshot = values.get('name') ?? nameOfNow();
  const indices = values.get('indices');
  await withServer(context, place, async (client) => {
    const path = `/_snapshot/${repository}/${encodeURIComponent(snapshot)}`;
    await client.call('PUT', `/_snapshot/${repository}`, place.body);
    try {
      await client.call('PUT', path, indices === undefined ? {} : { indices });
      const made = await watch(client, path, context);
      print(context.json ? JSON.stringify(made) : summary(made, place.shown));
    } finally {
      // The repository stays registered on a running server, but not in the data folder of a
      // stopped one.
      if (values.has('data-dir')) await client.call('DELETE', `/_snapshot/${repository}`);
    }
  });
  return 0;
}

interface Made {
  readonly snapshot: string;
  readonly state: string;
  readonly reason?: string;
  readonly indices: readonly string[];
  readonly duration_in_millis: number;
  readonly stats: {
    readonly incremental: { readonly file_count: number; readonly size_in_bytes: number };
    readonly total: { readonly file_count: number; readonly size_in_bytes: number };
  };
}

async function watch(client: SnapshotClient, path: string, { progress }: Output): Promise<Made> {
  while (true) {
    const { snapshots } = await client.call('GET', path);
    const status = (await client.call('GET', `${path}/_status`)).snapshots[0];
    const made = { ...snapshots[0], stats: status.stats } as Made;
    if (made.state === 'SUCCESS') {
      progress?.('');
      return made;
    }
    if (made.state !== 'IN_PROGRESS') {
      progress?.('');
      throw new Error(`the backup failed, nothing of it was kept: ${made.reason ?? made.state}`);
    }
    const { done, total } = status.shards_stats;
    const copied = bytesText(status.stats.processed?.size_in_bytes ?? 0);
    progress?.(`${done} of ${total} shards, ${copied} copied`);
    await pause(POLL_MS);
  }
}

function summary(
  { snapshot, indices, stats, duration_in_millis: ms }: Made,
  place: string,
): string {
  const { incremental, total } = stats;
  return (
    `snapshot [${snapshot}] of ${indices.length} indexes in ${place}: ${total.file_count} files, ` +
    `${bytesText(total.size_in_bytes)}, of which ${incremental.file_count} files, ` +
    `${bytesText(incremental.size_in_bytes)}, were new (${(ms / 1000).toFixed(1)} s)`
  );
}

/** snapshot-2026-11-21t20.15.03.120z: sorts by time, and is a valid snapshot name. */
function nameOfNow(): string {
  return `snapshot-${new Date().toISOString().toLowerCase().replaceAll(':', '.')}`;
}
