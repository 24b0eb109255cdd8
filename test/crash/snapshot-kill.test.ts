// kill -9 during snapshots, deletions and restores: earlier snapshots are intact afterwards,
// nothing incomplete is visible, and the next change leaves no file that no snapshot needs.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { some } from '../tools/long.ts';
import {
  addRepository,
  documents,
  filesBelow,
  type SnapshotServer,
  startSnapshotServer,
} from '../tools/repository.ts';

const wait = '?wait_for_completion=true';
/** The lower the earlier a kill is; the short form has an early, a middle and a late one. */
const MOMENTS = [0, 1, 2, 3, 4, 5];
let server: SnapshotServer | undefined;
afterAll(async () => {
  await server?.stop();
});

/** Starts `work`, which the kill interrupts, and then a new server on the same folders. */
async function killDuring(
  running: SnapshotServer,
  work: () => Promise<unknown>,
  reached: () => boolean,
): Promise<SnapshotServer> {
  const cut = work().catch(() => {});
  for (let i = 0; i < 2000 && !unlessMoved(reached); i++)
    await new Promise((resolve) => setImmediate(resolve));
  await running.kill('SIGKILL');
  await cut;
  return startSnapshotServer({ dataDir: running.dataDir, root: running.root });
}

/** False if a folder changes while it is read: the condition is then checked again. */
function unlessMoved(reached: () => boolean): boolean {
  try {
    return reached();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

test('snapshots survive kills at any time', async () => {
  let running = await startSnapshotServer();
  server = running;
  const location = await addRepository(running, 'r');
  for (const name of ['a', 'b', 'c']) await running.ok('POST', `/${name}/_bulk`, documents(400));
  await running.ok('PUT', `/_snapshot/r/base${wait}`);
  const base = filesBelow(location);
  for (const kill of some(MOMENTS, 2)) {
    await running.ok('POST', '/b/_bulk', documents(400, (kill + 1) * 400));
    const known = filesBelow(location).length;
    // Increasingly later: after the note, during the files, around the last write.
    running = await killDuring(
      running,
      () => running.call('PUT', `/_snapshot/r/s${kill}${wait}`),
      () => filesBelow(location).length >= known + 1 + kill * 3,
    );
    const { snapshots } = await running.ok('GET', '/_snapshot/r/_all');
    for (const { snapshot, state } of snapshots) {
      expect(state).toBe('SUCCESS');
      if (snapshot === 'base') continue;
      running = await killDuring(
        running,
        () => running.call('DELETE', `/_snapshot/r/${snapshot}`),
        () => filesBelow(location).length < known,
      );
      await running.call('DELETE', `/_snapshot/r/${snapshot}`);
    }
    await running.ok('POST', '/_snapshot/r/_cleanup');
    expect(filesBelow(location)).toEqual(base);
  }
  await running.ok('DELETE', '/a,b,c');
  for (const kill of some(MOMENTS, 3)) {
    const indices = join(running.dataDir, 'indices');
    running = await killDuring(
      running,
      () => running.call('POST', `/_snapshot/r/base/_restore${wait}`),
      () => filesBelow(indices).length >= kill * 3,
    );
    const present = Object.keys(await running.ok('GET', '/*'));
    for (const name of present)
      expect((await running.ok('GET', `/${name}/_count`)).count).toBe(400);
    expect(filesBelow(indices).filter((path) => path.includes('.new'))).toEqual([]);
    if (present.length > 0) await running.ok('DELETE', '/*');
  }
  await running.ok('POST', `/_snapshot/r/base/_restore${wait}`);
  expect((await running.ok('GET', '/a,b,c/_count')).count).toBe(1200);
  expect(filesBelow(location)).toEqual(base);
  server = running;
}, 180_000);
