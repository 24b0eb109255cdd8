// Every error of snapshots over real HTTP: none of the requests registers, creates, restores or
// removes anything.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addRepository,
  filesBelow,
  type SnapshotServer,
  startSnapshotServer,
} from '../../tools/repository.ts';
import { SNAPSHOT_CASES } from './snapshot-cases.ts';

let server: SnapshotServer;
let before: unknown;

async function state(): Promise<unknown> {
  const [repositories, snapshots, indices] = await Promise.all(
    ['/_snapshot', '/_snapshot/r/_all', '/*?expand_wildcards=all'].map((path) =>
      server.ok('GET', path),
    ),
  );
  return { repositories, snapshots, indices, files: filesBelow(server.root) };
}

beforeAll(async () => {
  server = await startSnapshotServer();
  const location = await addRepository(server, 'r');
  await server.ok('PUT', '/_snapshot/ro', { type: 'fs', settings: { location, readonly: true } });
  await server.ok('PUT', '/books', { aliases: { shelf: {} } });
  await server.ok('PUT', '/closed', { settings: { number_of_shards: 2 } });
  await server.ok('POST', '/closed/_close');
  await server.ok('PUT', '/_snapshot/r/s?wait_for_completion=true', {
    include_global_state: false,
  });
  before = await state();
});
afterAll(async () => {
  await server?.stop();
});

test('there are at least 30 cases, each with a name of its own', () => {
  expect(new Set(SNAPSHOT_CASES.map(({ name }) => name)).size).toBe(SNAPSHOT_CASES.length);
  expect(SNAPSHOT_CASES.length).toBeGreaterThanOrEqual(30);
});

test.each(SNAPSHOT_CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  const reply = await server.call(one.method, one.path, one.body, one.headers);
  const reason = JSON.stringify(reply.json?.error ?? reply.text);
  expect({ status: reply.status, type: reply.json?.error?.type, reason }).toMatchObject({
    status: one.status,
    type: one.type,
  });
  expect(reply.json.error.root_cause[0].type).toBe(one.cause);
  for (const word of one.words) expect(reason).toContain(JSON.stringify(word).slice(1, -1));
});

test('nothing came of them', async () => {
  expect(await state()).toEqual(before);
});
