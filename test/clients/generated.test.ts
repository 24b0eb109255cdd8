// The generated parts of the clients follow the API document: they are up to date, and every route
// of memory and graph is reached by a method of both clients, with every option. WRITE_CLIENTS=1
// writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentPaths, generatedFiles } from '../../clients/generator/files.ts';
import type { DocumentOperation } from '../../clients/generator/model.ts';
import { CLIENT_METHODS } from '../../clients/generator/operations.ts';
import { camel } from '../../clients/generator/typescript.ts';

const files = generatedFiles();

describe('a generated file', () => {
  test.each(Object.entries(files))('%s is up to date (npm run clients)', (path, text) => {
    if (process.env['WRITE_CLIENTS'] === '1') writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

interface RouteOperation extends DocumentOperation {
  readonly verb: string;
  readonly path: string;
}

/** One for each route: where a route has two methods, the one that its operation is named for. */
const operations = Object.entries(documentPaths()).flatMap(([path, item]) =>
  Object.entries(item)
    .map(([verb, operation]): RouteOperation => ({ ...operation, verb: verb.toUpperCase(), path }))
    .filter(
      ({ tags, operationId }) => isOfClients(tags) && !/_(get|post)$/.test(shortId(operationId)),
    ),
);

function isOfClients([tag]: readonly string[]): boolean {
  return tag === 'memory' || tag === 'graph';
}

/** `svc_memory_get` is no second method of [svc_memory]. */
function shortId(id: string): string {
  return id === 'svc_memory_get' ? '' : id;
}

/** Names of all members of the input: those of the query string and of the body. */
function optionsOf({ parameters, requestBody }: RouteOperation): readonly string[] {
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const schema = requestBody?.content['application/json']?.schema;
  const isLines = requestBody?.content['application/x-ndjson'] !== undefined;
  const inBody = isLines ? [] : Object.keys(schema?.properties ?? {});
  return [...new Set([...inQuery, ...inBody])].sort();
}

function argumentsOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

test('every route of memory and graph has a method', () => {
  expect(operations.length).toBeGreaterThan(25);
  const missing = operations.filter(({ operationId }) => CLIENT_METHODS[operationId] === undefined);
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

describe('the client for TypeScript', () => {
  test.each(operations)('sends $verb $path with every option', async (operation) => {
    const { verb, path, operationId } = operation;
    // Not at the top, so that a broken file can be written again.
    const { Quarry } = await import('../../clients/typescript/src/index.ts');
    const sent: { url: string; init: RequestInit }[] = [];
    const client = new Quarry({
      url: 'http://service',
      fetch: async (url, init) => {
        sent.push({ url: String(url), init: init ?? {} });
        return new Response('{}', { headers: { 'content-type': 'application/json' } });
      },
    });
    const { api = 'memory', name = '' } = CLIENT_METHODS[operationId] ?? {};
    const options = optionsOf(operation);
    const isLines = operation.requestBody?.content['application/x-ndjson'] !== undefined;
    const input = isLines ? '{}\n' : Object.fromEntries(options.map((option) => [option, 'x']));
    const given = isLines || options.length > 0 ? [input] : [];
    const method = (client[api] as unknown as Record<string, (...all: unknown[]) => unknown>)[
      camel(name)
    ]?.bind(client[api]);
    const result = method?.(...argumentsOf(path).map(() => 'a'), ...given);
    // A method that reads lines sends its request when the first one is read.
    if (name === 'export_lines') for await (const _ of result as AsyncIterable<string>);
    else await result;
    expect(sent).toHaveLength(1);
    const [{ url, init } = { url: '', init: {} }] = sent;
    const address = new URL(url);
    expect([init.method, address.pathname]).toEqual([verb, path.replace(/\{\w+\}/g, 'a')]);
    const body =
      typeof init.body === 'string' && !isLines ? Object.keys(JSON.parse(init.body)) : [];
    expect([...address.searchParams.keys(), ...body].sort()).toEqual(isLines ? [] : options);
  });
});

describe('the client for Python', () => {
  const text = files['clients/python/src/quarry_memory/_generated.py'] ?? '';

  test.each(operations)('has a method for $verb $path with every option', (operation) => {
    const { verb, path, operationId } = operation;
    const { api = '', name = '' } = CLIENT_METHODS[operationId] ?? {};
    const constant = `_${api}_${name}`.toUpperCase();
    expect(text).toContain(`${constant} = Operation(\n    verb="${verb}",\n    path="${path}",\n`);
    for (const keyword of ['def', 'async def']) {
      const isIterator = name === 'export_lines';
      const head = new RegExp(`    ${isIterator ? 'def' : keyword} ${name}\\(([^)]*)\\) -> `, 'g');
      const api_ = api === 'memory' ? 'MemoryApi' : 'GraphApi';
      const from = text.indexOf(`class ${keyword === 'def' ? '' : 'Async'}${api_}:`);
      head.lastIndex = from;
      const [, parameters = ''] = head.exec(text) ?? [];
      const names = [...parameters.matchAll(/(?:^|\s)(\w+): /g)].map(([, one = '']) => one);
      const expected = [...argumentsOf(path), ...optionsOf(operation), 'options'];
      const lines =
        operation.requestBody?.content['application/x-ndjson'] === undefined ? [] : ['lines'];
      expect(names.sort()).toEqual([...expected, ...lines].sort());
    }
  });
});
