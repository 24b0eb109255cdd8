// The console over real HTTP without a browser: its files need no key and come with a strict policy,
// it can be switched off, and nothing but its files is under its path.
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';
import { readSources } from '../tools/source-files.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Of all files together, as browsers load them. */
const MOST_BYTES = 400 * 1024;

let server: TestServer;
let page: string;
beforeAll(async () => {
  server = await startServer({ args: ['--auth.enabled'] });
  page = (await server.call('GET', '/v1/console')).text;
});
afterAll(async () => {
  await server?.stop();
});

/** The files that the text names. */
function filesIn(text: string): readonly string[] {
  return [...new Set(text.match(/[\w-]+-[A-Z0-9]{8}\.(?:js|css)/g) ?? [])];
}

/** All files that are reachable from the page. */
async function allFiles(): Promise<ReadonlyMap<string, Reply>> {
  const found = new Map<string, Reply>();
  const left = [...filesIn(page)];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name)) continue;
    const reply = await server.call('GET', `/v1/console/${name}`);
    found.set(name, reply);
    left.push(...filesIn(reply.text));
  }
  return found;
}

/** The bytes of an answer as they cross the wire; the path is sent as it is written. */
function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; bytes: Buffer }> {
  const { hostname, port } = new URL(server.base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, bytes: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the console', () => {
  test('is served without a key where keys are required, and its data is not', async () => {
    const reply = await server.call('GET', '/v1/console');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const [name, file] of await allFiles()) expect([name, file.status]).toEqual([name, 200]);
    expect((await server.call('GET', '/_cat/indices')).status).toBe(401);
    expect((await server.call('GET', '/v1/metrics')).status).toBe(401);
  });

  test('refuses a key that is none', async () => {
    const headers = { authorization: 'ApiKey none' };
    expect((await server.call('GET', '/v1/console', undefined, headers)).status).toBe(401);
  });

  test.each([
    '/',
    '/console',
    '/console/',
    '/v1/console',
    '/v1/console/',
  ])('is what a browser gets at %s', async (path) => {
    expect((await server.call('GET', path, undefined, BROWSER)).text).toBe(page);
  });

  test('leaves the answer of / to clients', async () => {
    const plain = await server.call('GET', '/');
    expect([plain.status, plain.json?.error.type]).toEqual([401, 'security_exception']);
  });

  test('has a policy and no content of another origin in every file', async () => {
    const replies = [await server.call('GET', '/v1/console'), ...(await allFiles()).values()];
    for (const { headers } of replies) {
      expect(headers.get('content-security-policy')).toBe(POLICY);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=|https?:/i);
  });

  test('may be kept by browsers for as long as names contain a hash', async () => {
    const first = await server.call('GET', '/v1/console');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    for (const { headers } of (await allFiles()).values()) {
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('takes at most 400 KB, compressed', async () => {
    let bytes = 0;
    for (const [name, { text }] of await allFiles()) {
      const packed = await raw(`/v1/console/${name}`, { 'accept-encoding': 'gzip' });
      if (text.length >= 1024) expect(gunzipSync(packed.bytes).toString()).toBe(text);
      bytes += packed.bytes.length;
    }
    expect(bytes).toBeGreaterThan(20 * 1024);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  test.each([
    '/v1/console/nothing.js',
    '/v1/console/..%2f..%2fpackage.json',
    '/v1/console/%2e%2e%2ffiles.js',
    '/v1/console/../files.js',
    '/v1/console/..%5cfiles.js',
    '/v1/console/%00',
    '/v1/console/index.html%00.js',
    '/v1/console/__proto__',
    '/v1/console/constructor',
    '/v1/console//etc/passwd',
    '/v1/console/files/index.html',
    `/v1/console/${'a'.repeat(3000)}`,
  ])('has nothing at %s', async (path) => {
    const { status, bytes } = await raw(path);
    expect(status, bytes.toString().slice(0, 300)).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(bytes.toString()).not.toContain('readConsoleFiles');
  });

  test('says what is not there, and takes no other method', async () => {
    const { json } = await server.call('GET', '/v1/console/nothing.js');
    expect(json.error).toMatchObject({
      type: 'resource_not_found_exception',
      reason: 'the console has no file [nothing.js], it starts at [/v1/console]',
    });
    const key = { authorization: 'ApiKey none' };
    expect((await server.call('POST', '/v1/console', {}, key)).status).toBe(401);
  });
});

test('a console that is switched off is 404, with the remedy', async () => {
  const closed = await startServer({ args: ['--console.enabled', 'false'] });
  try {
    for (const path of ['/v1/console', '/v1/console/index.html', '/console']) {
      const { status, json } = await closed.call('GET', path, undefined, BROWSER);
      expect([path, status, json.error.reason]).toEqual([
        path,
        404,
        'the console is switched off: set [console.enabled] to true and restart',
      ]);
    }
    const root = await closed.call('GET', '/', undefined, BROWSER);
    expect(root.json).toMatchObject({ tagline: 'You Know, for Search' });
  } finally {
    await closed.stop();
  }
});

test('the application writes texts, never markup, and styles no element by a string', () => {
  const sources = readSources('src/console/app', ['.ts', '.tsx']);
  expect(sources.length).toBeGreaterThan(40);
  const refused =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bstyle=["']|DOMParser|createContextualFragment/;
  expect(sources.filter(({ text }) => refused.test(text)).map(({ path }) => path)).toEqual([]);
});
