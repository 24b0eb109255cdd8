// Forced merges as background tasks over HTTP: the task, its result, and that it cannot be
// throttled.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

const begun = async (path: string): Promise<string> => {
  const reply = await server.call('POST', `${path}/_forcemerge?wait_for_completion=false`);
  expect(reply.status).toBe(200);
  return reply.json.task;
};
const ended = async (task: string) =>
  (await server.call('GET', `/_tasks/${task}?wait_for_completion=true`)).json;

test('a merge that nobody waits for is a task with an answer', async () => {
  for (const id of ['1', '2', '3']) {
    await server.call('PUT', `/books/_doc/${id}`, { n: 1 });
    await server.call('POST', '/books/_flush');
  }
  const task = await begun('/books');
  const { completed, task: shown, response } = await ended(task);
  expect(completed).toBe(true);
  expect(shown).toMatchObject({
    action: 'indices:admin/forcemerge',
    description:
      'Force-merge indices [books], maxSegments[1], onlyExpungeDeletes[false], flush[true]',
  });
  expect(response).toMatchObject({ _shards: { successful: 1, failed: 0 } });
  const { indices } = (await server.call('GET', '/books/_segments')).json;
  expect(indices.books.shards['0'][0].num_search_segments).toBe(1);
  const paced = await server.call('POST', `/_reindex/${task}/_rethrottle?requests_per_second=1`);
  expect(paced.status).toBe(404);
});

test('what it cannot merge is its error', async () => {
  await server.call('PUT', '/shut');
  await server.call('POST', '/shut/_close');
  const { error } = await ended(await begun('/shut'));
  expect(error).toMatchObject({ type: 'index_closed_exception' });
});

test('an unknown index begins nothing', async () => {
  const reply = await server.call('POST', '/nobody/_forcemerge?wait_for_completion=false');
  expect(reply).toMatchObject({
    status: 404,
    json: { error: { type: 'index_not_found_exception' } },
  });
});
