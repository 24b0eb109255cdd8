// Requests of the API with their bodies, for tests and the fuzzer: those of the golden REST cases,
// and one for each operation of the API document that takes JSON.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiDocument, resolveSchema } from './api-document.ts';

export interface ApiRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** Sent as JSON, a string unchanged. */
  readonly body?: unknown;
  /** Sent as NDJSON, one line each. */
  readonly lines?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestCase {
  /** Requests that prepare the data. */
  readonly given?: readonly ApiRequest[];
  readonly when: ApiRequest;
}

/** Tests and benches run from the repository's root. */
const GOLDEN = join('test', 'golden', 'rest');

/** Paths below the folder of the golden cases, in order. */
export function goldenPaths(): readonly string[] {
  return readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort();
}

export function goldenCase<Case extends RequestCase>(path: string): Case {
  return JSON.parse(readFileSync(join(GOLDEN, path), 'utf8')) as Case;
}

/** The body as it is sent; undefined: none. */
export function bodyOf({ body, lines }: ApiRequest): string | undefined {
  if (lines !== undefined) return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

export function headersOf({ lines, headers }: ApiRequest): Record<string, string> {
  const type = lines === undefined ? 'application/json' : 'application/x-ndjson';
  return { 'content-type': type, ...headers };
}

/** A request for each operation that takes JSON, with the members of its schema as the body. */
export function documentedRequests(document: ApiDocument): readonly ApiRequest[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      // fetch() sends no body with a GET; the handlers are those of POST.
      if (schema === undefined || method === 'get') return [];
      const { properties = {} } = resolveSchema(document, schema);
      const url = path.replace(/\{\w+\}/g, 'x1');
      const body = Object.fromEntries(Object.keys(properties).map((name) => [name, {}]));
      return [{ method: method.toUpperCase(), path: url, body }];
    }),
  );
}

/**
 * Deletes everything that the requests of a case may have created, after waiting for running
 * snapshots.
 */
export async function deleteEverything(
  call: (method: string, path: string) => Promise<{ readonly status: number }>,
): Promise<void> {
  // The cases have one policy, since policies are deleted by name.
  const policies = ['/_slm/policy/nightly'];
  const all = ['/*?expand_wildcards=all', '/_snapshot/*', '/_index_template/*'];
  for (const path of [...policies, ...all, '/_component_template/*', '/_template/*']) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { status } = await call('DELETE', path);
      if (status !== 409) break;
      await sleep(100);
    }
  }
}
