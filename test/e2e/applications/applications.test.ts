// What applications send when they make their indexes: it loads and takes a document, or the refusal
// names what is missing.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../../tools/server.ts';
import { PLATFORMS } from './platforms.ts';
import { REFUSED } from './refused.ts';
import { SITES } from './sites.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());
afterEach(async () => {
  await server.call('DELETE', '/app-1');
  await server.call('DELETE', '/_template/app');
  await server.call('DELETE', '/_index_template/app');
});

/** Puts a template, or makes the index. */
function send(form: object): Promise<Reply> {
  const { template, composable } = form as { template?: object; composable?: object };
  if (template !== undefined) return server.call('PUT', '/_template/app', template);
  if (composable !== undefined) return server.call('PUT', '/_index_template/app', composable);
  return server.call('PUT', '/app-1', form);
}

test.each(Object.entries({ ...SITES, ...PLATFORMS }))('%s loads', async (_, form) => {
  const made = await send(form);
  expect(made.json).toMatchObject({ acknowledged: true });
  const added = await server.call('PUT', '/app-1/_doc/1?refresh=true', {});
  expect(added.json).toMatchObject({ result: 'created' });
  const shown = await server.call('GET', '/app-1');
  expect(shown.status).toBe(200);
});

test.each(Object.entries(REFUSED))('%s: refused by name', async (_, [form, named]) => {
  const refused = await send(form);
  expect(refused.status).toBe(400);
  expect(refused.json.error.reason).toContain(named);
});
