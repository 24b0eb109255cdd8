// Export and import over real HTTP: the same state results in the same bytes, whatever its origin;
// an import merges, and is rejected as a whole if a line is invalid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await server.call(method, path, body, typeof body === 'string' ? NDJSON : {});
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}

async function exported(namespace: string): Promise<string> {
  const reply = await call('GET', `/_memory/${namespace}/_export`);
  expect(reply.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  return reply.text;
}

/** Memories of a session, a superseded one, links that ended, and a proposal. */
async function fill(namespace: string): Promise<void> {
  await call('PUT', `/_memory/${namespace}`, { analyzer: 'standard' });
  const store = (body: object): Promise<Reply> => call('POST', `/_memory/${namespace}`, body);
  const long = '{"id":"a","text":"Grüße aus Köln","metadata":{"session":"s","n":9007199254740993}}';
  const json = { 'content-type': 'application/json' };
  expect((await server.call('POST', `/_memory/${namespace}`, long, json)).status).toBe(201);
  await store({ id: 'b', text: 'Bob moved to Bonn', metadata: { session: 's', title: 'Move' } });
  await store({ id: 'c', text: 'Bob moved to Kiel', supersedes: ['b'] });
  await store({
    id: 'd',
    text: 'no text here',
    vector: [0.1, 0.2, 1e-7],
    metadata: { n: { m: 1 } },
  });
  await store({ id: 'e/ü', text: 'The Move was long.' });
  const link = { src: 'a', dst: 'd', type: 'cites', valid_at: 1000 };
  const made = await call('POST', `/_graph/${namespace}/link`, link);
  await call('DELETE', `/_graph/${namespace}/link/${made.json.edge_id}?invalid_at=2000`);
  await call('POST', `/_graph/${namespace}/detect`);
}

describe('an export', () => {
  test('has settings, memories, links and proposals, each by id, and their number', async () => {
    await fill('one');
    const lines = (await exported('one')).trimEnd().split('\n');
    const kinds = lines.map((line) => Object.keys(JSON.parse(line))[0]);
    expect(kinds.filter((kind, i) => kind !== kinds[i - 1])).toEqual([
      'quarry',
      'memory',
      'link',
      'suggestion',
      'end',
    ]);
    const ids = lines.flatMap((line) => JSON.parse(line).memory?.id ?? []);
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e/ü']);
    expect(lines.find((line) => line.includes('"id":"a"'))).toContain('"n":9007199254740993');
    expect(JSON.parse(lines[0] ?? '').quarry.settings).toMatchObject({ analyzer: 'standard' });
  });

  test('imported elsewhere gives the same bytes, and works there', async () => {
    const text = await exported('one');
    const { json } = await call('POST', '/_memory/two/_import', text);
    expect(json).toMatchObject({
      namespace: 'two',
      memories: { created: 5, merged: 0, unchanged: 0 },
      links: { merged: 0, unchanged: 0 },
      suggestions: { created: 1 },
    });
    expect(await exported('two')).toBe(text);
    const recall = await call('POST', '/_memory/two/_recall', { query: 'moved', k: 5 });
    expect(recall.json.hits.map(({ id }: { id: string }) => id)).toEqual(['c']);
    const nearest = await call('POST', '/_memory/two/_recall', { vector: [0.1, 0.2, 0], k: 1 });
    expect(nearest.json.hits).toMatchObject([{ id: 'd', metadata: { n: { m: 1 } } }]);
    const past = await call('GET', '/_graph/two/ego?node=a&as_of=1500');
    expect(past.json.links).toMatchObject([{ dst: 'd', type: 'cites' }]);
    const { json: again } = await call('POST', '/_memory/two/_import', text);
    expect(again).toMatchObject({
      memories: { created: 0, merged: 0, unchanged: 5 },
      links: { created: 0, merged: 0 },
      suggestions: { created: 0, merged: 0, unchanged: 1 },
    });
    expect(await exported('two')).toBe(text);
  });

  test('merges with another to the same bytes, in either order', async () => {
    const one = await exported('one');
    await call('POST', '/_memory/left/_import', one);
    await call('POST', '/_memory/left', { id: 'a', text: 'Grüße aus Bonn' });
    await call('POST', '/_memory/left', { id: 'f', text: 'more' });
    const { json } = await call('GET', '/_graph/left/suggestions');
    await call('POST', `/_graph/left/suggestions/${json.suggestions[0].id}/accept`);
    const left = await exported('left');
    await call('POST', '/_memory/right/_import', one);
    await call('DELETE', '/_memory/right/b');
    await call('POST', '/_memory/right', { id: 'g', text: 'even more', metadata: { n: 'text' } });
    const right = await exported('right');
    await call('POST', '/_memory/left/_import', right);
    await call('POST', '/_memory/right/_import', left);
    expect(await exported('left')).toBe(await exported('right'));
    expect(await exported('one')).toBe(one);
    const recall = await call('POST', '/_memory/right/_recall', { query: 'Bonn' });
    expect(recall.json.hits[0].id).toBe('a');
  });

  test('may be imported in parts', async () => {
    const lines = (await exported('one')).split('\n');
    const items = lines.filter(
      (line) => !line.startsWith('{"quarry"') && !line.startsWith('{"end"'),
    );
    await call('PUT', '/_memory/parts', { analyzer: 'standard' });
    for (const line of items.filter((line) => line !== ''))
      await call('POST', '/_memory/parts/_import', `${line}\n`);
    expect(await exported('parts')).toBe(await exported('one'));
  });

  test('keeps everything through flush, merge and a log that is written on', async () => {
    const before = await exported('two');
    for (const index of ['.svc-memory-two', '.svc-memory-two-edges']) {
      await call('POST', `/${index}/_flush`);
      await call('POST', `/${index}/_forcemerge?max_num_segments=1`);
    }
    expect(await exported('two')).toBe(before);
  });
});

test('an import takes numbers as other programs spell them, and times as texts', async () => {
  const odd =
    '{"text":"x","vector":[0.100000001490116119384765625,1.0],"stored_at":1700000000000.0}';
  const link =
    '{"src":"a","dst":"b","type":"t","confidence":1.0,"valid_at":"2020-01-01T00:00:00Z","evidence":{"quote":"q","offset":12.0,"x":1234567890123456789}}';
  await call(
    'POST',
    '/_memory/odd/_import',
    `{"memory":{"id":"a","document":${odd}}}\n{"link":{"id":"l","document":${link}}}\n`,
  );
  const recall = await call('POST', '/_memory/odd/_recall', { vector: [1, 10] });
  expect(recall.json.hits).toMatchObject([{ id: 'a', score: 1, stored_at: 1_700_000_000_000 }]);
  const ego = await call('GET', '/_graph/odd/ego?node=a&as_of=2020-01-01T00:00:00Z');
  expect(ego.json.links).toMatchObject([{ valid_at: 1_577_836_800_000, confidence: 1 }]);
});

describe('an import is refused', () => {
  const memory = '{"memory":{"id":"x","document":{"text":"x"}}}';
  const link = '{"link":{"id":"x","document":{"src":"a","dst":"b","type":"t"}}}';
  const header = '{"quarry":{"format":1,"settings":{}}}';
  test.each<[string, string, string, string]>([
    ['of nothing', '\n', 'parse_exception', 'no lines'],
    ['that is no JSON', `${memory}\n{"memory"`, 'x_content_parse_exception', 'line 2'],
    ['of a list', '[]', 'illegal_argument_exception', 'line 1'],
    [
      'of an unknown kind',
      '{"node":{}}',
      'illegal_argument_exception',
      '[memory, link, suggestion',
    ],
    ['of two kinds', `{"memory":{},"link":{}}`, 'illegal_argument_exception', 'line 1'],
    ['of a memory without id', '{"memory":{"document":{}}}', 'illegal_argument_exception', '[id]'],
    ['of an empty id', '{"memory":{"id":"","document":{}}}', 'illegal_argument_exception', 'empty'],
    [
      'of an id with NUL',
      '{"memory":{"id":"\\u0000","document":{}}}',
      'illegal_argument_exception',
      'NUL',
    ],
    ['without a document', '{"memory":{"id":"x"}}', 'illegal_argument_exception', '[document]'],
    [
      'with another key',
      '{"memory":{"id":"x","document":{},"v":1}}',
      'illegal_argument_exception',
      '[v]',
    ],
    [
      'of a link to nobody',
      '{"link":{"id":"x","document":{"src":"a"}}}',
      'illegal_argument_exception',
      '[dst]',
    ],
    ['of a number as type', link.replace('"t"', '7'), 'illegal_argument_exception', '[type]'],
    ['of another format', '{"quarry":{"format":2}}', 'illegal_argument_exception', '[format] 2'],
    [
      'of settings as text',
      '{"quarry":{"format":1,"settings":"x"}}',
      'illegal_argument_exception',
      '[settings]',
    ],
    ['with a late header', `${memory}\n${header}`, 'illegal_argument_exception', 'first line only'],
    ['without its end', `${header}\n${memory}`, 'illegal_argument_exception', 'cut off'],
    [
      'with too few lines',
      `${memory}\n{"end":{"memory":2}}`,
      'illegal_argument_exception',
      'there are 1',
    ],
    ['behind its end', `{"end":{}}\n${memory}`, 'illegal_argument_exception', 'line 2'],
    [
      'with unknown settings',
      `{"quarry":{"format":1,"settings":{"x":1}}}\n{"end":{}}`,
      'illegal_argument_exception',
      '[x]',
    ],
    ...(
      [
        ['text as a number', { text: 7 }, '[text] must be a string, got [7]'],
        ['half a surrogate pair', { text: '\ud800' }, '[text] must be valid Unicode'],
        ['metadata as a text', { text: 'x', metadata: 'm' }, '[metadata] must be an object'],
        ['a vector of zeros', { vector: [0, 0] }, '[vector] has no direction'],
        ['a vector as a text', { vector: 'v' }, '[vector] must be a list of numbers'],
        [
          'a generated vector',
          { text: 'x', text_vector: [1] },
          '[text_vector] is made from [text]',
        ],
        ['a word for a time', { text: 'x', stored_at: 'soon' }, '[stored_at] must be epoch'],
        ['half a millisecond', { text: 'x', expires_at: 1.5 }, '[expires_at] must be epoch'],
        ['a time out of range', { text: 'x', own_time: 9e15 }, '[own_time] is [9000000000000000]'],
        ['a session as a number', { text: 'x', session: 5 }, '[session] must be a string, got [5]'],
      ] as const
    ).map(([what, document, word]): [string, string, string, string] => [
      `of a memory with ${what}, behind one that is right`,
      `${memory}\n${JSON.stringify({ memory: { id: 'y', document } })}`,
      'illegal_argument_exception',
      `line 2 of the import has a wrong memory: ${word}`,
    ]),
    ...(
      [
        ['to itself', { dst: 'a' }, '[src] and [dst] are both ["a"], a link must join two nodes'],
        [
          'of confidence 7',
          { confidence: 7 },
          '[confidence] must be a number from 0 to 1, got [7]',
        ],
        ['of weight -3', { weight: -3 }, '[weight] must be a number from 0 to 1'],
        ['that ends before it begins', { valid_at: 5, invalid_at: 3 }, '[invalid_at] is 3, before'],
        ['of evidence as a text', { evidence: 'q' }, '[evidence] must be an object'],
        ['of a fraction as offset', { evidence: { offset: 0.5 } }, '[evidence.offset] must be'],
      ] as const
    ).map(([what, members, word]): [string, string, string, string] => {
      const document = { src: 'a', dst: 'b', type: 't', ...members };
      return [
        `of a link ${what}, behind a memory that is right`,
        `${memory}\n${JSON.stringify({ link: { id: 'l', document } })}`,
        'illegal_argument_exception',
        `line 2 of the import has a wrong link: ${word}`,
      ];
    }),
    [
      'of a proposal in a state that is none',
      '{"suggestion":{"id":"s","document":{"src":"a","dst":"b","type":"t","state":"new"}}}',
      'illegal_argument_exception',
      '[state] must be one of [suggested, accepted, rejected], got ["new"]',
    ],
    [
      'of an id that names an operation',
      '{"memory":{"id":"_recall","document":{"text":"x"}}}',
      'illegal_argument_exception',
      '[id] must not start with [_]',
    ],
    [
      'of vectors of two lengths',
      '{"memory":{"id":"x","document":{"vector":[1]}}}\n{"memory":{"id":"y","document":{"vector":[1,2]}}}',
      'illegal_argument_exception',
      '[vector] has 2 dimensions',
    ],
    ...[101, 200_000].map((levels): [string, string, string, string] => [
      `of ${levels} levels`,
      `{"memory":{"id":"x","document":{"text":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}}`,
      'x_content_parse_exception',
      'line 1 of the import is nested deeper than 100 levels',
    ]),
    [
      'of 200000 levels beside a long number',
      `{"memory":{"id":"x","document":{"n":12345678901234567890,"m":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`,
      'x_content_parse_exception',
      'line 1 of the import is nested deeper than 100 levels',
    ],
  ])('%s', async (_what, body, type, word) => {
    const reply = await server.call('POST', '/_memory/refused/_import', body, NDJSON);
    expect({ status: reply.status, type: reply.json?.error?.type }, reply.text).toEqual({
      status: 400,
      type,
    });
    expect(reply.json.error.reason).toContain(word);
    expect((await server.call('GET', '/_memory/refused')).json.exists).toBe(false);
  });

  test('of bytes that are no UTF-8, by its line', async () => {
    const body = Buffer.concat([Buffer.from(`${memory}\n`), Buffer.from([0x22, 0xff, 0x22])]);
    const url = `${server.base}/_memory/refused/_import`;
    const reply = await fetch(url, { method: 'POST', headers: NDJSON, body });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('line 2 of the import is not valid UTF-8');
  });

  test('of a badly named or unknown namespace, or of no body', async () => {
    const bad = await server.call('GET', '/_memory/Bad/_export');
    expect(bad.json).toMatchObject({ status: 400, error: { type: 'illegal_argument_exception' } });
    const unknown = await server.call('GET', '/_memory/nobody/_export');
    expect(unknown.json).toMatchObject({
      status: 404,
      error: { type: 'resource_not_found_exception', reason: 'no such namespace [nobody]' },
    });
    const empty = await server.call('POST', '/_memory/x/_import');
    expect(empty.json).toMatchObject({ status: 400, error: { type: 'parse_exception' } });
    const type = await server.call('POST', '/_memory/x/_import', 'x', {
      'content-type': 'text/csv',
    });
    expect(type.json).toMatchObject({ status: 415 });
  });
});
