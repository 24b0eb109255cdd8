// The end of a request is determined from its bytes alone, however they are split; anything but a
// single request of the API is classified as other.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestBytes, type RequestState } from '../../src/http/transports/raw-request.ts';

const search = (body = '{"size":1}', head = ''): string =>
  `POST /a/_search?q=x HTTP/1.1\r\nHost: x\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function stateOf(...chunks: readonly (string | Buffer)[]): RequestState {
  const bytes = new RequestBytes();
  let state: RequestState = 'more';
  for (const chunk of chunks) {
    state = bytes.add(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  }
  return state;
}

describe('the bytes of a request', () => {
  test.each([
    search(),
    search(''),
    Buffer.from(search('{"query":{"match":{"t":"schön"}}}')),
    'GET /_search HTTP/1.1\r\nHost: x\r\n\r\n',
    search('{}', 'Connection: Keep-Alive\r\nX-Any:  \r\nx-any: twice\r\nTEX: 1\r\n'),
    search('{}', 'X-Latin: sch\xf6n\r\n'),
    'GET /a,b-*/_count?q=t:x HTTP/1.1\r\nHost: x\r\ncontent-length:  0 \r\n\r\n',
    'GET /a/_doc/_search HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /a/_doc/x%2Fy?_source=b&routing=c HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /a/_source/x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
    'PUT /a/_doc/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    'DELETE /a/_doc/x HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /_search/scroll HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    'GET /mcp2 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /?pretty HTTP/1.1\r\nHost: x\r\n\r\n',
    'HEAD /a/_doc/x HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /docs?x HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/metrics HTTP/1.1\r\nHost: x\r\n\r\n',
    search('{}', 'Content-Encoding: gzip\r\n'),
    search('x'.repeat(1e6)),
  ])('are one request: %s', (text) => {
    expect(stateOf(text)).toBe('whole');
  });

  test.each([
    ['a document without an id', 'GET /a/_doc/ HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an empty name', 'GET //_search HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an address of a proxy', 'GET http://x/a/_search HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a question about methods', 'OPTIONS /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['the protocol of tools, long', 'GET /v1/mcp?x HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['the protocol of tools', 'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
    ['an old protocol', 'GET /_search HTTP/1.0\r\n\r\n'],
    ['pieces of unknown length', search('{}', 'Transfer-Encoding: chunked\r\n')],
    ['a question before the body', search('{}', 'Expect: 100-continue\r\n')],
    ['another protocol', search('{}', 'Upgrade: h2c\r\n')],
    ['two lengths', search('{}', 'Content-Length: 2\r\n')],
    ['a length that is none', search('{}').replace('th: 2', 'th: x')],
    ['a length with a sign', search('{}').replace('th: 2', 'th: +2')],
    ['no host', 'GET /_search HTTP/1.1\r\n\r\n'],
    ['two hosts', search('{}', 'Host: y\r\n')],
    ['two keys', search('{}', 'Authorization: a\r\nauthorization: b\r\n')],
    ['a page of another origin', search('{}', 'Origin: http://x\r\n')],
    ['the last request', search('{}', 'Connection: close\r\n')],
    ['a header on two lines', search('{}', 'X-Any: a\r\n b\r\n')],
    ['a space before the colon', search('{}', 'X-Any : a\r\n')],
    ['a line that ends early', search('{}', 'X-Any: a\nTransfer-Encoding: chunked\r\n')],
    ['a carriage return in a value', search('{}', 'X-Any: a\rb\r\n')],
    ['a null in a value', search('{}', 'X-Any: a\0b\r\n')],
    ['a header without a name', search('{}', ': a\r\n')],
    ['a header without a colon', search('{}', 'X-Any\r\n')],
    ['letters that a path cannot have', search().replace('/a/', '/\xe9/')],
    ['a fragment', search().replace('q=x', 'q=x#y')],
    ['a length beyond all numbers', search('{}').replace('th: 2', 'th: 99999999999')],
    ['a second request behind it', search() + search()],
    ['a letter behind it', `${search()}x`],
    ['the middle of a request', search().slice(5)],
  ])('are something else: %s', (_what, text) => {
    expect(stateOf(text)).toBe('other');
  });

  test('are the beginning of a long body, which is not waited for', () => {
    const text = search('x'.repeat(64 * 1024 + 1));
    expect(stateOf(text.slice(0, 20))).toBe('more');
    const bytes = new RequestBytes();
    expect(bytes.add(Buffer.from(text.slice(0, 200)))).toBe('long');
    const { method, length, body } = bytes.request();
    expect({ method, length }).toEqual({ method: 'POST', length: 64 * 1024 + 1 });
    expect(body.toString()).toMatch(/^x+$/);
    expect(stateOf(search('x'.repeat(64 * 1024)).slice(0, 200))).toBe('more');
    expect(stateOf(`${text}y`)).toBe('other');
  });

  test('without an end are too many at some point', () => {
    expect(stateOf(`GET /_search HTTP/1.1\r\nx: ${'y'.repeat(16_000)}`)).toBe('more');
    expect(stateOf(`GET /_search HTTP/1.1\r\nx: ${'y'.repeat(17_000)}`)).toBe('other');
  });

  test('are whole with the last byte and not before, however they are cut, and all kept', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 50 }),
        fc.array(fc.nat(200), { maxLength: 5 }),
        (body, cuts) => {
          const whole = Buffer.from(search(body));
          const bytes = new RequestBytes();
          const ends = [...new Set(cuts.map((cut) => cut % whole.length))].sort((a, b) => a - b);
          const states = [...ends, whole.length].map((end, i) =>
            bytes.add(whole.subarray(ends[i - 1] ?? 0, end)),
          );
          expect(states.pop()).toBe('whole');
          expect(states.every((state) => state === 'more')).toBe(true);
          expect(bytes.all()).toEqual(whole);
          bytes.clear();
          expect(bytes.isEmpty).toBe(true);
          expect(bytes.add(whole)).toBe('whole');
        },
      ),
    );
  });
});
