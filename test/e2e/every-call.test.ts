// Every route of the official clients of Elasticsearch 8 and 9 is supported or rejected with a
// specific error: never an unknown route, a wrong method, or an internal error.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const require = createRequire(import.meta.url);
const CALL = /method = (?:body != null \? '(\w+)' : )?'(\w+)';\s*(?:const )?path = [`'](.*?)[`'];/g;
const PART = /\$\{encodeURIComponent\(params\.(\w+)\.toString\(\)\)\}/g;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.call('PUT', '/books', { aliases: { shelf: {} } });
});
afterAll(() => server?.stop());

/** Calls like `GET /{index}/_search`, from the client's own sources. */
function callsOf(client: string): readonly string[] {
  const folder = join(dirname(require.resolve(client)), 'lib/api/api');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const calls = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(CALL)].flatMap(
      ([, withBody, method, path = '']) =>
        [withBody, method]
          .filter((one) => one !== undefined)
          .map((one) => `${one} ${path.replace(PART, '{$1}')}`),
    ),
  );
  return [...new Set(calls)].sort();
}

function send(call: string): Promise<Reply> {
  const [method = '', pattern = ''] = call.split(' ');
  const index = call === 'PUT /{index}' ? 'fresh' : 'books';
  const path = pattern
    .replace('{index}', index)
    .replace('{id}', '1')
    .replace(/\{\w+\}/g, 'none');
  return server.call(method, path, ['POST', 'PUT'].includes(method) ? {} : undefined);
}

/** The error of the response; undefined: it is valid, or names what does not exist. */
function fault(reply: Reply): string | undefined {
  const isNoRoute = /no handler found|Invalid index name \[_/.test(reply.text);
  const isUnanswered = isNoRoute || reply.status === 405 || reply.status >= 500;
  return isUnanswered ? `${reply.status} ${reply.text}` : undefined;
}

test.each(['@elastic/elasticsearch', 'elasticsearch9'])('%s', async (client) => {
  const calls = callsOf(client);
  expect(calls.length).toBeGreaterThan(500);
  const faults: string[] = [];
  // Deletions come last; the index itself is kept.
  const isDelete = (call: string): number => (call.startsWith('DELETE') ? 1 : 0);
  for (const call of calls.toSorted((a, b) => isDelete(a) - isDelete(b))) {
    if (call === 'DELETE /{index}') continue;
    const found = fault(await send(call));
    if (found !== undefined) faults.push(`${call}: ${found}`);
  }
  expect(faults).toEqual([]);
});

test('a route that nobody has is found out', async () => {
  expect(fault(await send('GET /{index}/_nosuchroute'))).toContain('no handler found');
  expect(fault(await send('GET /_nosuchroute'))).toContain('Invalid index name');
  expect(fault(await send('DELETE /_cluster/health'))).toContain('405');
});
