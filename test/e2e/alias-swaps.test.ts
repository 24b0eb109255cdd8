// Changes of several indexes while many clients use their names: a name always resolves, and to
// exactly one place.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const CLIENTS = 16;
const CHANGES = LONG ? 25 : 8;

let server: TestServer;
beforeAll(async () => {
  // With an HTTP worker on any machine.
  server = await startServer({ args: ['--pools.http_threads', '3'] });
});
afterAll(() => server.stop());

async function ok(method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await server.call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

interface Load {
  /** Requests that each client sends sequentially. */
  readonly requests: readonly (readonly [string, string, unknown?])[];
  /** Called for each change. */
  readonly change: (turn: number) => Promise<void>;
  /** Checks a response in addition to its status; returns an error message. */
  readonly check?: (path: string, body: Answer) => string | undefined;
}

interface Answer {
  readonly errors?: boolean;
  readonly count?: number;
  readonly _shards?: { readonly total: number; readonly failed: number };
  readonly hits?: { readonly hits: readonly { readonly _index: string }[] };
}

/** The errors of responses during the changes, and the number of responses. */
async function under({ requests, change, check }: Load) {
  const wrong: string[] = [];
  let answers = 0;
  let running = true;
  const client = async (first: number): Promise<void> => {
    for (let i = first; running; i++) {
      const [method = '', path = '', body] = requests[i % requests.length] ?? [];
      const reply = await server.call(method, path, body);
      answers++;
      const json = reply.json as Answer;
      const objection =
        reply.status >= 300 || json.errors === true ? reply.text : check?.(path, json);
      if (objection !== undefined) wrong.push(`${method} ${path}: ${reply.status} ${objection}`);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i));
  try {
    for (let turn = 0; turn < CHANGES; turn++) await change(turn);
  } finally {
    running = false;
    await Promise.all(clients);
  }
  return { wrong: wrong.slice(0, 5), answers };
}

const READS = [
  ['POST', '/now/_search', { query: { match_all: {} } }],
  ['GET', '/now/_search?q=text:tea'],
  ['GET', '/now/_count'],
  ['GET', '/now/_doc/1'],
  ['POST', '/now/_mget', { ids: ['1', '2'] }],
] as const;

function oneIndex(path: string, { hits, _shards: shards, count }: Answer): string | undefined {
  if (shards !== undefined && path.includes('_search') && (shards.total !== 1 || shards.failed > 0))
    return JSON.stringify(shards);
  if (hits !== undefined && hits.hits.length < 2) return `${hits.hits.length} hits`;
  return count !== undefined && count < 2 ? `count ${count}` : undefined;
}

async function filled(index: string, body: object = {}): Promise<void> {
  await ok('PUT', `/${index}`, body);
  for (const id of ['1', '2']) await ok('PUT', `/${index}/_doc/${id}`, { text: 'tea', index });
  await ok('POST', `/${index}/_refresh`);
}

test('an alias that swaps its index is always there', { timeout: 120_000 }, async () => {
  await filled('a', { aliases: { now: {} } });
  await filled('b');
  const found = await under({
    requests: [
      ...READS,
      ['POST', '/now/_doc', { text: 'tea' }],
      ['PUT', '/now/_doc/3', { n: 1 }],
      ['POST', '/now/_bulk', '{"index":{}}\n{"text":"tea"}\n'],
    ],
    check: oneIndex,
    change: (turn) => {
      const [from, to] = turn % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const remove = { remove: { index: from, alias: 'now' } };
      return ok('POST', '/_aliases', { actions: [remove, { add: { index: to, alias: 'now' } }] });
    },
  });
  expect(found.wrong).toEqual([]);
  expect(found.answers).toBeGreaterThan(CHANGES);
  await ok('DELETE', '/a,b');
});

test('an alias that takes the place of an index is always there', {
  timeout: 120_000,
}, async () => {
  await filled('next-0');
  await ok('POST', '/_aliases', { actions: [{ add: { index: 'next-0', alias: 'now' } }] });
  const found = await under({
    requests: [...READS, ['POST', '/now/_doc', { text: 'tea' }]],
    check: oneIndex,
    change: async (turn) => {
      await filled(`next-${turn + 1}`);
      const remove = { remove_index: { index: `next-${turn}` } };
      const add = { add: { index: `next-${turn + 1}`, alias: 'now' } };
      await ok('POST', '/_aliases', { actions: [remove, add] });
    },
  });
  expect(found.wrong).toEqual([]);
  expect(found.answers).toBeGreaterThan(CHANGES);
});

test.each([
  ['names its write index', { is_write_index: true }, CHANGES + 1],
  ['names no write index', {}, 1],
])(
  'an alias that %s and rolls over always takes writes',
  { timeout: 120_000 },
  async (_what, properties, left) => {
    const alias = `log${left}`;
    await ok('PUT', `/${alias}-000001`, { aliases: { [alias]: properties } });
    const found = await under({
      requests: [
        ['POST', `/${alias}/_doc`, { text: 'tea' }],
        ['GET', `/${alias}/_search`],
        ['GET', `/${alias}/_count`],
        ['POST', `/${alias}/_doc?op_type=create`, { text: 'tea' }],
      ],
      change: () => ok('POST', `/${alias}/_rollover`),
    });
    expect(found.wrong).toEqual([]);
    const behind = (await server.call('GET', `/_alias/${alias}`)).json as Record<string, object>;
    expect(Object.keys(behind)).toHaveLength(left);
    await ok('DELETE', `/${alias}-*`);
  },
);
