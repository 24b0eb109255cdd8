// Bodies that do not match their declaration: depth, size, encodings, invalid text, invalid
// numbers.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Exchange, raw, request } from './exchange.ts';

const SEARCH = 'POST /t/_search';
const JSON_TYPE = 'Content-Type: application/json';
const NDJSON = ['Content-Type: application/x-ndjson'];

const search = (name: string, body: string | Buffer, ...status: number[]): Exchange =>
  request(`search: ${name}`, SEARCH, body, status.length === 0 ? [400] : status);
const store = (name: string, body: string | Buffer, ...status: number[]): Exchange =>
  request(`document: ${name}`, 'PUT /t/_doc/x', body, status.length === 0 ? [400] : status);
const bulk = (name: string, body: string | Buffer, ...status: number[]): Exchange =>
  request(`bulk: ${name}`, 'POST /_bulk', body, status, NDJSON);
const packed = (name: string, encoding: string, body: Buffer, ...status: number[]): Exchange =>
  request(`packed: ${name}`, SEARCH, body, status, [JSON_TYPE, `Content-Encoding: ${encoding}`]);

const deep = (depth: number, open: string, close: string): string =>
  `{"a":${open.repeat(depth)}1${close.repeat(depth)}}`;
const BROKEN = Buffer.from('{"a":"\xff\xfe\xc0\xaf"}', 'latin1');
const action = '{"index":{"_index":"t"}}\n';

const TEXTS: readonly Exchange[] = [
  search('nothing but a brace', '{'),
  search('no JSON', 'hello'),
  search('a list', '[]'),
  search('a number', '1'),
  search('a text', '"x"'),
  search('null', 'null'),
  search('two values', '{}{}'),
  search('a comma too many', '{"size":1,}'),
  search('comments', '{/* x */"size":1}'),
  search('single quotes', "{'size':1}"),
  search('no quotes', '{size:1}'),
  search('a bare newline in a text', '{"a":"\n"}'),
  search('a NUL', '{"a":"\0"}'),
  search('half an escape', '{"a":"\\u12"}'),
  search('an escape that is none', '{"a":"\\x41"}'),
  search('bytes that are no UTF-8', BROKEN),
  search('an overlong slash', Buffer.from('{"a":"\xc0\xaf"}', 'latin1')),
  search('UTF-16', Buffer.from('{"size":1}', 'utf16le')),
  search('NaN', '{"size":NaN}'),
  search('infinity', '{"min_score":Infinity}'),
  search('1e999', '{"min_score":1e999}'),
  search('a leading zero', '{"size":01}'),
  search('hex', '{"size":0x10}'),
  search('a number of a million digits', `{"size":${'9'.repeat(1_000_000)}}`),
  search('100,000 lists', deep(100_000, '[', ']')),
  search('100,000 objects', deep(100_000, '{"a":', '}')),
  search('100,000 lists that never end', '['.repeat(100_000)),
  search('a quotation that never ends', `{"a":"${'x'.repeat(100_000)}`),
  search('17 MB', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`, 413),
  store('bytes that are no UTF-8', BROKEN),
  store('100,000 lists', deep(100_000, '[', ']')),
  store('100,000 objects', deep(100_000, '{"a":', '}')),
  store('a list', '[1]'),
  store('half a document', '{"a":'),
  store('NaN', '{"a":NaN}'),
  store('a field of 40,000 letters', `{"${'f'.repeat(40_000)}":1}`),
  store('5,000 new fields', `{${Array.from({ length: 5000 }, (_, i) => `"n${i}":1`).join()}}`),
  store('a name of dots', '{"...":1}'),
  store('an empty name', '{"":1}'),
  bulk('no final newline', '{"index":{"_index":"t"}}', 400),
  bulk('an action that is none', '{"steal":{}}\n', 400),
  bulk('bytes that are no UTF-8 for an action', Buffer.concat([BROKEN, Buffer.from('\n')]), 400),
  bulk('an action of 100,000 lists', `${deep(100_000, '[', ']')}\n`, 400),
  bulk('a document of 100,000 lists', `${action}${deep(100_000, '[', ']')}\n`, 200),
  bulk(
    'a document of no UTF-8',
    Buffer.concat([Buffer.from(action), BROKEN, Buffer.from('\n')]),
    200,
  ),
  bulk('200,000 empty lines', '\n'.repeat(200_000), 400),
];

const VECTORS: readonly Exchange[] = [
  ['NaN', '[NaN,1]'],
  ['infinity', '[Infinity,1]'],
  ['1e999', '[1e999,1]'],
  ['beyond float', '[1e39,1]'],
  ['null', '[null,1]'],
  ['a text', '["1",1]'],
  ['the text NaN', '["NaN",1]'],
  ['too few', '[1]'],
  ['too many', `[${'1,'.repeat(5000)}1]`],
  ['lists', '[[1],[1]]'],
  ['zeros', '[0,0]'],
].flatMap(([name, vector]) => [
  store(`a vector of ${name}`, `{"v":${vector}}`),
  search(`a vector of ${name}`, `{"knn":{"field":"v","query_vector":${vector},"k":1}}`),
]);

/** Decompresses to more than 17 MB. */
const BOMB = Buffer.alloc(200 * 1024 * 1024, 0x20);

const PACKED: readonly Exchange[] = [
  packed('200 MB of spaces in gzip', 'gzip', gzipSync(BOMB, { level: 1 }), 413),
  packed('200 MB of spaces in deflate', 'deflate', deflateSync(BOMB, { level: 1 }), 413),
  packed('200 MB of spaces in brotli', 'br', brotliCompressSync(BOMB.subarray(0, 40 << 20)), 413),
  packed('gzip in gzip', 'gzip, gzip', gzipSync(gzipSync('{}')), 415),
  packed('gzip that is none', 'gzip', Buffer.from('{"size":1}'), 400),
  packed('half of gzip', 'gzip', gzipSync('{"size":1}').subarray(0, 15), 400),
  packed('gzip with a wrong sum', 'gzip', wrongSum(), 400),
  packed('brotli that is none', 'br', Buffer.from('{"size":1}'), 400),
  packed('deflate that is none', 'deflate', Buffer.from('{"size":1}'), 400),
  packed('an encoding that nobody has', 'zstd', Buffer.from('{}'), 415),
  packed('no encoding by name', 'none', Buffer.from('{}'), 415),
  packed('a name of the prototype for an encoding', '__proto__', Buffer.from('{}'), 415),
];

function wrongSum(): Buffer {
  const bytes = gzipSync('{"size":1}');
  bytes.writeUInt32LE(1, bytes.length - 8);
  return bytes;
}

const START = 'POST /t/_search HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\n';

const SIZES: readonly Exchange[] = [
  raw('1 GB that is only promised', `${START}Content-Length: 1073741824\r\n\r\n{`, 413),
  raw('a length of 2^53', `${START}Content-Length: 9007199254740993\r\n\r\n{`, 413),
  raw(
    'chunks beyond the limit',
    `${START}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${`100000\r\n${' '.repeat(0x100000)}\r\n`.repeat(18)}0\r\n\r\n`,
    413,
  ),
  request('a body of another kind', SEARCH, '<xml/>', [415], ['Content-Type: application/xml']),
  request(
    'a body of a form',
    SEARCH,
    'a=b',
    [415],
    ['Content-Type: application/x-www-form-urlencoded'],
  ),
  request(
    'a body of many parts',
    SEARCH,
    '--x--',
    [415],
    ['Content-Type: multipart/form-data; boundary=x'],
  ),
  request('a body of no kind', SEARCH, '{}', [415], []),
  request('a kind that is none', SEARCH, '{}', [415], ['Content-Type: ///']),
];

export const BODIES: readonly Exchange[] = [...TEXTS, ...VECTORS, ...PACKED, ...SIZES];
