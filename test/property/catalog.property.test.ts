// Changes of the catalog with arbitrary JSON: each is accepted or rejected as a client error, and
// an accepted one is unchanged after a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { parseExact } from '../../src/base/exact-json.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-catalog-'));
let server: TestServer;
const start = (): Promise<TestServer> =>
  startServer({ dataDir, args: ['--snapshot.path', join(dataDir, 'repositories')] });
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const number = fc.oneof(
  fc.constantFrom('9007199254740993', '-9223372036854775809', '18446744073709551616', '1e400'),
  fc.constantFrom('-1e400', '-0', '-0.0', '2.0', '1e22', '100000000000000000000', '0.1', '1e3'),
  fc.constantFrom('123456789012345678901234567890', '0.12345678901234567890', '5e-324', '1'),
);
const word = fc.constantFrom('a', 'term', 'n', '', 'a.b', 'params', '__proto__', 'constructor');
const text = fc.oneof(
  word,
  fc.constantFrom('toString', '\ud800', 'x\udfffy', '\u0000', '\u007f', 'é"\\\n', '😀', 'type'),
);
const json = fc.letrec<{ any: string; object: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      number,
      text.map((one) => JSON.stringify(one)),
      fc.constantFrom('null', 'true'),
    ),
    fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(text, tie('any')), { maxLength: 3, selector: ([name]) => name })
    .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
}));
const deep = fc
  .tuple(fc.integer({ min: 1, max: 98 }), fc.boolean(), number)
  .map(([levels, list, one]) =>
    list
      ? '['.repeat(levels) + one + ']'.repeat(levels)
      : '{"a":'.repeat(levels) + one + '}'.repeat(levels),
  );
const value = fc.oneof({ weight: 4, arbitrary: json.any }, { weight: 1, arbitrary: deep });

/** A filter that is usually a query, containing `v`. */
const filterOf = (v: string): string =>
  `{"bool":{"filter":[{"term":{"n":${v}}}],"must_not":{"range":{"m":{"gte":${v}}}}}}`;
const scriptOf = (v: string): string =>
  `{"script_score":{"query":{"match_all":{}},"script":{"source":"params.a / 2","params":{"a":${v},"b":2.0}}}}`;

type Shape = (v: string, n: number) => readonly [method: string, path: string, body: string];
const SHAPES: readonly Shape[] = [
  (v, n) => ['PUT', `/i${n}`, `{"aliases":{"a${n}":{"filter":${filterOf(v)}}}}`],
  (v, n) => ['PUT', `/i${n}`, `{"aliases":{"a${n}":{"filter":${scriptOf(v)}}}}`],
  (v, n) => ['PUT', `/i${n}`, `{"aliases":{"a${n}":{"filter":${v},"routing":${v}}}}`],
  (v, n) => ['PUT', `/i${n}`, `{"mappings":{"_meta":{"k":${v}}}}`],
  (v, n) => ['PUT', `/i${n}`, `{"settings":${v}}`],
  (v, n) => ['PUT', `/i${n}`, `{"settings":{"query.default_field":${v},"analysis":{"x":${v}}}}`],
  (v, n) => ['PUT', `/i${n}`, `{"mappings":{"properties":{"f":{"type":"keyword","meta":${v}}}}}`],
  (v) => ['PUT', '/base/_mapping', `{"_meta":{"k":${v}}}`],
  (v) => ['PUT', '/base/_settings', `{"analysis":${v}}`],
  (v) => ['PUT', '/base/_settings?reopen=true', `{"analysis":{"analyzer":{"x":${v}}}}`],
  (v, n) => ['PUT', `/base/_alias/b${n % 7}`, `{"filter":${filterOf(v)},"search_routing":"${n}"}`],
  (v, n) => [
    'POST',
    '/_aliases',
    `{"actions":[{"add":{"index":"base","alias":"c${n % 7}","filter":{"term":{"k":${v}}}}}]}`,
  ],
  (v, n) => [
    'PUT',
    `/_index_template/t${n % 9}`,
    `{"index_patterns":["p${n % 9}-*"],"priority":${n},"_meta":{"k":${v}},"template":{"mappings":{"_meta":{"k":${v}}},` +
      `"aliases":{"d${n % 9}":{"filter":${filterOf(v)}}}}}`,
  ],
  (_v, n) => ['PUT', `/p${n % 9}-${n}`, '{}'],
  (v, n) => [
    'PUT',
    `/_component_template/c${n % 9}`,
    `{"template":{"settings":${v}},"_meta":{"k":${v}}}`,
  ],
  (v, n) => ['PUT', `/_component_template/c${n % 9}`, `{"template":{"mappings":${v}}}`],
  (v, n) => [
    'PUT',
    `/_template/l${n % 9}`,
    `{"index_patterns":["q${n}-*"],"order":${v},"aliases":{"e":{"filter":${v}}}}`,
  ],
  (v, n) => [
    'PUT',
    `/_scripts/s${n % 9}`,
    `{"script":{"lang":"mustache","source":{"size":${v},"query":${v}}}}`,
  ],
  (v, n) => [
    'PUT',
    `/_inference/e${n}`,
    `{"service":"quarry","service_settings":{"dimensions":${v}}}`,
  ],
  (v, n) => ['PUT', `/_inference/u${n}`, `{"url":"http://127.0.0.1/v1","model":${v},"dims":${v}}`],
  (v, n) => [
    'PUT',
    `/_snapshot/r${n % 9}`,
    `{"type":"fs","settings":{"location":${v},"max_number_of_snapshots":${v}}}`,
  ],
  (v, n) => ['PUT', `/_memory/s${n}`, `{"dims":${v},"inference_endpoint":${v}}`],
];

const ALL = 'expand_wildcards=all';
const PARTS = [
  `/_all/_settings?${ALL}`,
  `/_all/_alias?${ALL}`,
  `/_all/_mapping?${ALL}`,
  '/_index_template',
  '/_component_template',
  '/_template',
  '/_inference',
  '/_snapshot',
  ...Array.from({ length: 9 }, (_, i) => `/_scripts/s${i}`),
];

async function catalog(): Promise<readonly unknown[]> {
  const parts = [];
  for (const path of PARTS) parts.push(parseExact((await server.call('GET', path)).text));
  return parts;
}

test('every change is taken or refused, and is there after a start', async () => {
  expect((await server.call('PUT', '/base', {})).status).toBe(200);
  let count = 0;
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(...SHAPES), async (v, shape) => {
      const [method, path, body] = shape(v, count++);
      const headers = { 'content-type': 'application/json' };
      const { status, text: answer } = await server.call(method, path, body, headers);
      if (status < 300) taken += 1;
      expect(status, `${method} ${path} ${body}: ${answer}`).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(100);
  const before = await catalog();
  expect(await server.stop()).toBe(0);
  server = await start();
  const after = await catalog();
  for (const [i, path] of PARTS.entries()) expect(after[i], path).toEqual(before[i]);
  expect((await server.call('GET', '/_cluster/health')).json as JsonObject).not.toHaveProperty(
    'damaged',
  );
}, 240_000);
