// Invalid or ambiguous HTTP: request lines, headers, lengths and chunks.
import { type Exchange, raw, withHeaders } from './exchange.ts';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: q\r\n\r\n';

/** Bytes that one server treats as a body must not be treated as the next request by another. */
function smuggling(name: string, headers: string, body: string, ...status: number[]): Exchange {
  const bytes = `POST /t/_search HTTP/1.1\r\nHost: q\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
  return { ...raw(name, bytes, ...status), never: /smuggled/ };
}

const get = (rest: string): string => `GET /_cat/health HTTP/1.1\r\n${rest}`;

export const MALFORMED: readonly Exchange[] = [
  raw('no words', '\r\n\r\n\r\nx\r\n\r\n', 400),
  raw('noise', 'GARBAGE\r\n\r\n', 400),
  raw('a method alone', 'GET\r\n\r\n', 400),
  raw('no version', 'GET /\r\n\r\n', 505),
  raw('an unknown version', 'GET / HTTP/9.9\r\nHost: q\r\n\r\n', 400),
  raw('a version of letters', 'GET / HTTP/x.y\r\nHost: q\r\n\r\n', 400),
  raw('another protocol', 'GET / SMTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400),
  raw('a TLS greeting', Buffer.from('1603010200010001fc0303', 'hex'), 400),
  raw('a database greeting', Buffer.from('00000008 04d2162f'.replace(' ', ''), 'hex'), 400),
  raw('zeros', Buffer.alloc(64), 400),
  raw('high bytes', Buffer.alloc(64, 0xff), 400),
  raw('a method of small letters', 'get / HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('an unknown method', 'STEAL / HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('a method with a NUL', 'G\0ET / HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('a path with a NUL', 'GET /\0 HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('a path with a tab', 'GET /a\tb HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('a path with a space', 'GET /a b HTTP/1.1\r\nHost: q\r\n\r\n', 400),
  raw('no host', 'GET / HTTP/1.1\r\n\r\n', 400),
  raw('a header without a colon', get('Host: q\r\nnonsense\r\n\r\n'), 400),
  raw('a header without a name', get('Host: q\r\n: x\r\n\r\n'), 400),
  raw('a header name with a space', get('Host: q\r\nX Y: x\r\n\r\n'), 400),
  raw('a header name with a NUL', get('Host: q\r\nX\0: x\r\n\r\n'), 400),
  raw('a header value with a NUL', get('Host: q\r\nX: a\0b\r\n\r\n'), 400),
  raw('a header value with a bare CR', get('Host: q\r\nX: a\rb\r\n\r\n'), 400),
  raw('a folded header', get('Host: q\r\nX: a\r\n b\r\n\r\n'), 400),
  raw('a space before the headers', get(' Host: q\r\n\r\n'), 400),
  raw(
    'a request line that is too long',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: q\r\n\r\n`,
    431,
  ),
  raw('a header that is too long', get(`Host: q\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`), 431),
  raw('headers that are too many', get(`Host: q\r\n${'X: y\r\n'.repeat(5000)}\r\n`), 431),
  raw('two hosts', get('Host: q\r\nHost: evil.example\r\n\r\n'), 400),
  raw('a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405),
];

export const AMBIGUOUS: readonly Exchange[] = [
  smuggling(
    'length and chunks',
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    `0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'chunks and length',
    'Transfer-Encoding: chunked\r\nContent-Length: 4',
    `0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'two lengths',
    `Content-Length: 2\r\nContent-Length: ${SMUGGLED.length}`,
    `{}${SMUGGLED}`,
    400,
  ),
  smuggling(
    'the same length twice',
    'Content-Length: 2\r\nContent-Length: 2',
    `{}${SMUGGLED}`,
    400,
  ),
  smuggling('a list of lengths', 'Content-Length: 2, 2', `{}${SMUGGLED}`, 400),
  smuggling('a negative length', 'Content-Length: -2', `{}${SMUGGLED}`, 400),
  smuggling('a length with a plus', 'Content-Length: +2', `{}${SMUGGLED}`, 400),
  smuggling('a length in hex', 'Content-Length: 0x2', `{}${SMUGGLED}`, 400),
  smuggling('a length with a fraction', 'Content-Length: 2.0', `{}${SMUGGLED}`, 400),
  smuggling('a length of letters', 'Content-Length: two', `{}${SMUGGLED}`, 400),
  smuggling(
    'a length beyond 64 bits',
    'Content-Length: 99999999999999999999999',
    `{}${SMUGGLED}`,
    400,
  ),
  smuggling('a length with a space inside', 'Content-Length: 2 2', `{}${SMUGGLED}`, 400),
  smuggling('a space before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${SMUGGLED}`, 400),
  smuggling('an unknown coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`, 400),
  smuggling(
    'chunks that are not the last coding',
    'Transfer-Encoding: chunked, identity',
    `0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'a coding with a vertical tab',
    'Transfer-Encoding: \x0bchunked',
    `0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling('a quoted coding', 'Transfer-Encoding: "chunked"', `0\r\n\r\n${SMUGGLED}`, 400),
  smuggling(
    'a coding behind a bare LF',
    'X: y\nTransfer-Encoding: chunked',
    `0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling('a chunk of no size', 'Transfer-Encoding: chunked', `\r\n${SMUGGLED}`, 400),
  smuggling(
    'a chunk of letters',
    'Transfer-Encoding: chunked',
    `zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'a negative chunk',
    'Transfer-Encoding: chunked',
    `-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'a chunk beyond 64 bits',
    'Transfer-Encoding: chunked',
    `fffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
    400,
  ),
  smuggling(
    'a chunk in 0x',
    'Transfer-Encoding: chunked',
    `0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'a chunk that is longer than its size',
    'Transfer-Encoding: chunked',
    `2\r\n{}{}\r\n0\r\n\r\n`,
    400,
  ),
  smuggling(
    'chunks that end in bare LF',
    'Transfer-Encoding: chunked',
    `2\n{}\n0\n\n${SMUGGLED}`,
    400,
  ),
  smuggling(
    'endless extensions of a chunk',
    'Transfer-Encoding: chunked',
    `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
    400,
    413,
  ),
  smuggling(
    'endless trailers',
    'Transfer-Encoding: chunked',
    `2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(5000)}\r\n`,
    400,
    431,
    200,
  ),
];

export const HEADERS: readonly Exchange[] = [
  withHeaders('a media type that nobody has', ['Accept: image/png'], 406),
  withHeaders('a media type that is none', ['Accept: ;;;,,,'], 406),
  withHeaders(
    'a version that nobody has',
    ['Accept: application/vnd.elasticsearch+json;compatible-with=99'],
    406,
  ),
  withHeaders('a mark of 8 KB', [`X-Opaque-Id: ${'a'.repeat(8000)}`], 200),
  withHeaders('a mark with markup', ['X-Opaque-Id: <script>alert(1)</script>'], 200),
  withHeaders('a trace that is none', ['traceparent: 00-zz-zz-zz'], 200),
  withHeaders('an expectation that is none', ['Expect: miracles'], 417),
  withHeaders('an upgrade', ['Connection: Upgrade', 'Upgrade: websocket'], 200, 400),
  withHeaders(
    'an upgrade to HTTP/2',
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'],
    200,
    400,
  ),
  withHeaders('a range', ['Range: bytes=0-18446744073709551615'], 200),
  withHeaders('a key while there are none', ['Authorization: Bearer ../../etc/passwd'], 200),
  withHeaders('a page of another origin', ['Origin: https://evil.example'], 200),
  withHeaders('a method in a header', ['X-HTTP-Method-Override: DELETE'], 200),
  withHeaders(
    'a host in a header',
    ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example'],
    200,
  ),
  withHeaders(
    'encodings of answers that nobody has',
    ['Accept-Encoding: zstd;q=1, *;q=0'],
    200,
    406,
  ),
];
