// Values that are nested thousands of levels deep, wherever a body takes a value of the caller: an
// answer of the caller's error, and no overflow of the stack.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  expect((await server.call('PUT', '/books/_doc/1?refresh=true', { n: 1 })).status).toBe(201);
});
afterAll(() => server?.stop());

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const script = '{"source":"ctx._source.n = 1"}';
const PLACES: Readonly<Record<string, (deep: string) => readonly [string, string, string]>> = {
  'a document': (deep) => ['PUT', '/books/_doc/2', `{"v":${deep}}`],
  'a document of a bulk': (deep) => [
    'POST',
    '/books/_bulk',
    lines('{"index":{"_id":"2"}}', `{"v":${deep}}`),
  ],
  'an action of a bulk': (deep) => [
    'POST',
    '/books/_bulk',
    lines(`{"index":{"_id":"2","attempts":${deep}}}`, '{"v":1}'),
  ],
  'an update': (deep) => ['POST', '/books/_update/1', `{"doc":{"v":${deep}}}`],
  'an upsert beside a script': (deep) => [
    'POST',
    '/books/_update/3',
    `{"script":${script},"upsert":{"v":${deep}}}`,
  ],
  'an upsert beside a script of a bulk': (deep) => [
    'POST',
    '/books/_bulk',
    lines('{"update":{"_id":"3"}}', `{"script":${script},"upsert":{"v":${deep}}}`),
  ],
  'parameters of a script of a bulk': (deep) => [
    'POST',
    '/books/_bulk',
    lines(
      '{"update":{"_id":"1"}}',
      `{"script":{"source":"ctx._source.n = 1","params":{"v":${deep}}}}`,
    ),
  ],
  'a search': (deep) => ['POST', '/books/_search', `{"query":{"term":{"v":${deep}}}}`],
  'one of several searches': (deep) => [
    'POST',
    '/_msearch',
    lines('{"index":"books"}', `{"query":{"term":{"v":${deep}}}}`),
  ],
  'metadata of a memory': (deep) => [
    'POST',
    '/_memory/ann',
    `{"text":"Ann keeps bees","metadata":{"v":${deep}}}`,
  ],
  'a line of memories': (deep) => [
    'POST',
    '/_memory/ann/_bulk',
    lines(`{"text":"Ann keeps bees","metadata":{"v":${deep}}}`),
  ],
  'a line of an import': (deep) => [
    'POST',
    '/_memory/ann/_import',
    lines(`{"memory":{"id":"a","text":"Ann keeps bees","metadata":{"v":${deep}}}}`),
  ],
  'a mapping': (deep) => ['PUT', '/others', `{"mappings":{"_meta":{"v":${deep}}}}`],
  'an ingest template': (deep) => [
    'PUT',
    '/_index_template/t',
    `{"index_patterns":["t-*"],"_meta":{"v":${deep}}}`,
  ],
};

test.each(Object.keys(PLACES))('in %s', async (place) => {
  for (const levels of [2000, 20_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(levels)}12345678901234567890${close.repeat(levels)}`;
      const [method, path, body] = PLACES[place]?.(deep) ?? ['', '', ''];
      const isLines = body.endsWith('\n');
      const headers = { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' };
      const reply = await server.call(method, path, body, headers);
      expect(reply.status, reply.text.slice(0, 300)).toBeLessThan(500);
      const items = reply.json?.items as readonly Record<string, { status: number }>[] | undefined;
      if (items === undefined) expect(reply.status, reply.text.slice(0, 300)).toBe(400);
      for (const item of items ?? []) expect(Object.values(item)[0]?.status).toBe(400);
    }
  }
});
