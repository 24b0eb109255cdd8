// Restored memories expire as if they had never been deleted.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addRepository, startSnapshotServer } from '../tools/repository.ts';

test('a memory that came back from a snapshot leaves when its time is over', async () => {
  const args = ['--memory.expiry_pause_ms', '100'];
  let server = await startSnapshotServer({ args });
  const { root, dataDir } = server;
  await addRepository(server, 'r');
  const expires_at = Date.now() + 6000;
  await server.ok('POST', '/_memory/ann', { id: 'brief', text: 'a cold', expires_at });
  await server.ok('POST', '/_memory/ann', { id: 'long', text: 'a dog' });
  await server.ok('PUT', '/_snapshot/r/s?wait_for_completion=true');
  await server.ok('DELETE', '/*?expand_wildcards=all');
  // A new process without any state about them.
  await server.kill('SIGKILL');
  server = await startSnapshotServer({ args, root, dataDir });
  await server.ok('POST', '/_snapshot/r/s/_restore?wait_for_completion=true');
  const ids = async () => {
    await server.ok('POST', '/.svc-memory-ann/_refresh');
    const { hits } = await server.ok('POST', '/.svc-memory-ann/_search', { _source: false });
    return hits.hits.map((hit: { _id: string }) => hit._id);
  };
  expect(await ids()).toContain('long');
  while ((await ids()).includes('brief')) expect(Date.now()).toBeLessThan(expires_at + 15_000);
  expect(await ids()).toEqual(['long']);
  expect(await server.stop()).toBe(0);
  for (const folder of [root, dataDir]) rmSync(folder, { recursive: true });
});
