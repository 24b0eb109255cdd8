// `pretty`, YAML and `filter_path` of responses: the filter language, short responses at once, long
// ones in pieces.
import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PrintedPieces, printAtOnce, startPrinting } from '../../src/api/kit/printed.ts';
import type { Printers } from '../../src/backend/index.ts';
import { CorePrinters } from '../../src/coordinator/node/printers.ts';
import { loadAddon, NativeErrors } from '../../src/native/addon.ts';

const addon = loadAddon();
const printers: Printers = new CorePrinters({ addon, errors: new NativeErrors(addon) });
const PRETTY = { style: 'indented', filter: '' } as const;

afterEach(() => {
  expect(addon.openPrinters()).toBe(0);
});

const ANSWER = {
  took: 1,
  hits: { total: 2, hits: [{ _id: 'a', _source: { x: { y: 1 }, z: null } }, { _id: 'b' }] },
  empty: {},
  'a.b': { c: [1, [2]] },
};

function filtered(value: unknown, filter: string): string {
  const json = Buffer.from(JSON.stringify(value));
  return printAtOnce(printers, { style: 'compact', filter }, json).toString();
}

test.each([
  ['took', { took: 1 }],
  [' took , empty ', { took: 1, empty: {} }],
  ['t*', { took: 1 }],
  ['hits.hits._id', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  ['hits.*._source.x', { hits: { hits: [{ _source: { x: { y: 1 } } }] } }],
  ['**.y', { hits: { hits: [{ _source: { x: { y: 1 } } }] } }],
  ['hits.**._id', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  ['hits.hits._source.z', { hits: { hits: [{ _source: { z: null } }] } }],
  ['a\\.b.c', { 'a.b': { c: [1, [2]] } }],
  ['a.b', {}],
  ['nobody', {}],
  ['-hits,-a\\.b', { took: 1, empty: {} }],
  ['hits,-hits.hits', { hits: { total: 2 } }],
  ['hits.hits,-**._source', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  [
    '-**._id,-took,-empty,-a*,-hits.total',
    { hits: { hits: [{ _source: ANSWER.hits.hits[0]?._source }] } },
  ],
  ['', ANSWER],
])('filter_path %s', (filter, kept) => {
  expect(filtered(ANSWER, filter)).toBe(JSON.stringify(kept));
});

test('filter_path with many double stars over a deep answer', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 90; i++) deep = { a: deep };
  expect(filtered(deep, `${'**.a.'.repeat(40)}b`)).toBe('{}');
  expect(filtered(deep, `${'**.'.repeat(40)}a`)).toBe(JSON.stringify(deep));
  expect(filtered(deep, `${'**.'.repeat(5000)}x`)).toBe('{}');
});

test('filter_path takes a key __proto__ for a key', () => {
  const answer = JSON.parse('{"__proto__":{"x":1},"y":2}');
  expect(filtered(answer, '__proto__.x')).toBe('{"__proto__":{"x":1}}');
});

test('YAML looks as from Elasticsearch', () => {
  const json =
    '{"books":{"mappings":{},"aliases":[]},"hits":[{"_id":"1","sort":[1,"a"]},"x"],"a b":null,"on":true,"id":9007199254740993,"score":1.0}';
  expect(printAtOnce(printers, { style: 'yaml', filter: '' }, Buffer.from(json)).toString()).toBe(
    [
      '---',
      'books:',
      '  mappings: {}',
      '  aliases: []',
      'hits:',
      '- _id: "1"',
      '  sort:',
      '  - 1',
      '  - "a"',
      '- "x"',
      '"a b": null',
      '"on": true',
      'id: 9007199254740993',
      'score: 1.0',
      '',
    ].join('\n'),
  );
});

test('YAML reads back as what it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.stringify(value);
      const yaml = printAtOnce(printers, { style: 'yaml', filter: '' }, Buffer.from(json));
      expect(parse(yaml.toString())).toEqual(JSON.parse(json));
    }),
  );
});

/** A response that is many times as long when it is indented. */
function deepAnswer(items: number): { json: Buffer; pretty: string } {
  let item: unknown = 1;
  for (let i = 0; i < 90; i++) item = [item];
  const value = Array.from({ length: items }, () => item);
  return {
    json: Buffer.from(JSON.stringify(value)),
    pretty: `${JSON.stringify(value, null, 2)}\n`,
  };
}

async function read(printed: Buffer | Readable): Promise<string> {
  if (printed instanceof Buffer) return printed.toString();
  const pieces: Buffer[] = [];
  for await (const piece of printed) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a short answer is one buffer, printed at once', () => {
  const printed = startPrinting(printers, PRETTY, Buffer.from('{"a":1}'));
  expect(String(printed)).toBe('{\n  "a": 1\n}\n');
});

test('a short answer that becomes long comes in pieces', async () => {
  const { json, pretty } = deepAnswer(100);
  expect(json.length).toBeLessThan(64 * 1024);
  const printed = startPrinting(printers, PRETTY, json);
  expect(printed).toBeInstanceOf(PrintedPieces);
  expect((await read(printed)) === pretty).toBe(true);
});

test('a long answer comes in pieces', async () => {
  const { json, pretty } = deepAnswer(3000);
  expect((await read(startPrinting(printers, PRETTY, json))) === pretty).toBe(true);
  const filter = { style: 'compact', filter: 'nothing' } as const;
  expect(await read(startPrinting(printers, filter, json))).toBe('{}');
});

test('a piece is printed when it is asked for, and no more of them are held', async () => {
  const { json } = deepAnswer(3000);
  let printed = 0;
  const counting: Printers = {
    pieceBytes: printers.pieceBytes,
    open: (...args) => printers.open(...args),
    print: (...args) => printers.print(...args),
    close: (printer) => printers.close(printer),
    printLater: (...args) => {
      printed += 1;
      return printers.printLater(...args);
    },
  };
  const pieces = startPrinting(counting, PRETTY, json) as PrintedPieces;
  const iterator = pieces.iterator({ destroyOnReturn: true });
  await iterator.next();
  await iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(printed).toBeLessThanOrEqual(4);
  expect(pieces.readableLength).toBeLessThanOrEqual(2 * printers.pieceBytes);
  await iterator.return?.();
});

test('a client that goes closes the printer', async () => {
  const { json } = deepAnswer(3000);
  const unread = startPrinting(printers, PRETTY, json) as PrintedPieces;
  unread.destroy();
  const begun = startPrinting(printers, PRETTY, json) as PrintedPieces;
  for await (const piece of begun) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  expect(begun.destroyed).toBe(true);
});

test('an answer that is no JSON is an error of ours', async () => {
  expect(() => startPrinting(printers, PRETTY, Buffer.from('{"a"'))).toThrow('no JSON');
  const long = Buffer.from(`[${'1,'.repeat(50_000)}`);
  await expect(read(startPrinting(printers, PRETTY, long))).rejects.toThrow('no JSON');
});
