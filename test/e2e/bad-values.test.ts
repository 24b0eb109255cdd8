// Each member of each body, at each depth, becomes a value that does not belong there: big numbers, texts where a list is
// wanted, null. Nothing of that is answered by an internal error, or never, and the process lives. The bodies are those of the
// golden REST cases, and for each operation of the document of the API those that its schema names the members of.
// BAD_VALUES=all sends every value to every place.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly lines?: readonly unknown[];
  readonly headers?: Record<string, string>;
}

interface Golden {
  readonly given?: readonly Request[];
  readonly when: Request;
}

/** JSON texts. */
const VALUES = [
  '9223372036854775808',
  'null',
  '1e400',
  '[]',
  '"x"',
  '{}',
  '18446744073709551616',
  'true',
  '-1e400',
  '[null]',
  '-1',
  '{"toString":1,"valueOf":null}',
  '"\\ud800"',
  '9007199254740993',
  '1.5',
  '[[{"a":9007199254740993}]]',
  '""',
  '{"__proto__":null,"a":9007199254740993}',
];
/** Of those, each place gets so many, the next one the next. */
const VALUES_OF_PLACE = process.env['BAD_VALUES'] === 'all' ? VALUES.length : 2;
/** Sent beside each other. */
const AT_ONCE = 8;
const PATIENCE_MS = 20_000;

/** Where a body is changed: names and places from the outside in. */
type Place = readonly (string | number)[];

let server: TestServer;
const repositories = mkdtempSync(join(tmpdir(), 'quarry-bad-values-'));
beforeAll(async () => {
  server = await startServer({ args: ['--snapshot.path', repositories] });
});
afterAll(async () => {
  await server?.stop();
  rmSync(repositories, { recursive: true });
});

function goldenCases(): readonly Golden[] {
  const folder = fileURLToPath(new URL('../golden/rest', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Golden);
}

function* placesOf(value: unknown, place: Place = []): Generator<Place> {
  if (place.length === 0 && !Array.isArray(value)) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...place, Array.isArray(value) ? Number(name) : name];
    yield inner;
    yield* placesOf(member, inner);
  }
}

/** `value` with the JSON text at the place. */
function changed(value: unknown, place: Place, text: string): string {
  const [name, ...rest] = place;
  if (name === undefined) return text;
  const parts = Object.entries(value as object).map(([key, member]) => {
    const inner = key === String(name) ? changed(member, rest, text) : JSON.stringify(member);
    return Array.isArray(value) ? inner : `${JSON.stringify(key)}:${inner}`;
  });
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function textOf({ body, lines }: Request, place: Place, text: string): string {
  if (lines === undefined) return changed(body, place, text);
  const [at, ...rest] = place;
  return lines
    .map((line, number) => `${number === at ? changed(line, rest, text) : JSON.stringify(line)}\n`)
    .join('');
}

/** Alike for requests that are read by the same code. */
function keyOf({ method, path }: Request, place: Place): string {
  const route = path.split('?')[0]?.replace(/[^/]*[\d,*-][^/]*|(?<=\/)[a-z][^/]*/g, '{}');
  return `${method} ${route} ${place.map((one) => (typeof one === 'number' ? '' : one)).join('.')}`;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
}

/** A body with the members of its schema, and one around it, for each operation that takes JSON. */
async function documentedRequests(): Promise<readonly Golden['when'][]> {
  const { paths, components } = (await server.call('GET', '/openapi.json')).json as ApiDocument;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      // A fetch sends no body with a GET; the handlers are those of POST.
      if (schema === undefined || method === 'get') return [];
      const { properties = {} } =
        components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
      const url = path.replace(/\{\w+\}/g, 'x1');
      const body = Object.fromEntries(Object.keys(properties).map((name) => [name, {}]));
      return [{ method: method.toUpperCase(), path: url, body }];
    }),
  );
}

async function clean(): Promise<void> {
  const all = ['/*?expand_wildcards=all', '/_snapshot/*', '/_index_template/*'];
  for (const path of [...all, '/_component_template/*', '/_template/*']) {
    await server.call('DELETE', path);
  }
}

function send(
  request: Request,
  body: string | undefined,
): Promise<{ status: number; text: string }> {
  const type = request.lines === undefined ? 'application/json' : 'application/x-ndjson';
  const headers = { 'content-type': type, ...request.headers };
  return server.call(request.method, request.path, body, body === undefined ? {} : headers);
}

function whole(request: Request): string | undefined {
  if (request.lines === undefined && request.body === undefined) return undefined;
  return request.lines === undefined
    ? JSON.stringify(request.body)
    : request.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const seen = new Set<string>();
let turn = 0;

/** Bodies of the request with a bad value at each place that no request before had. */
function badBodies(request: Request): readonly string[] {
  const bodies: string[] = [];
  if (whole(request) === undefined) return bodies;
  for (const place of placesOf(request.lines ?? request.body)) {
    const key = keyOf(request, place);
    if (seen.has(key)) continue;
    seen.add(key);
    for (let i = 0; i < VALUES_OF_PLACE; i++) {
      bodies.push(textOf(request, place, VALUES[turn++ % VALUES.length] ?? 'null'));
    }
  }
  return bodies;
}

async function faultOf(request: Request, body: string): Promise<string | undefined> {
  const late = new Promise<{ status: string; text: string }>((resolve) => {
    setTimeout(() => resolve({ status: 'no answer', text: '' }), PATIENCE_MS).unref();
  });
  const { status, text } = await Promise.race([send(request, body), late]);
  if (typeof status === 'number' && status < 500) return undefined;
  return `${request.method} ${request.path} ${body.slice(0, 2000)} -> ${status} ${text.slice(0, 300)}`;
}

test('a bad value at any place of any body is no internal error', {
  timeout: 3_600_000,
}, async () => {
  const faults: string[] = [];
  const documented = (await documentedRequests()).map((when) => ({ when }));
  expect(documented.length).toBeGreaterThan(80);
  for (const { given = [], when } of [...goldenCases(), ...documented] as readonly Golden[]) {
    const requests = [...given, when].map((request) => ({ request, bodies: badBodies(request) }));
    if (requests.every(({ bodies }) => bodies.length === 0)) continue;
    await clean();
    for (const { request, bodies } of requests) {
      for (let at = 0; at < bodies.length; at += AT_ONCE) {
        const some = bodies.slice(at, at + AT_ONCE);
        const found = await Promise.all(some.map((body) => faultOf(request, body)));
        faults.push(...found.filter((fault) => fault !== undefined));
      }
      if (request !== when) await send(request, whole(request));
    }
  }
  expect(seen.size).toBeGreaterThan(2000);
  expect(faults).toEqual([]);
  expect((await server.call('GET', '/')).status).toBe(200);
});
