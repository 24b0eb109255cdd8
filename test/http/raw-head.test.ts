// A head that is read without an HTTP server has the same meaning for Node's HTTP server: one request with
// that method, address, headers and body. The heads are those of real clients with random changes
// of characters, lines and numbers.
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHead } from '../../src/http/transports/raw-head.ts';

const HEADS = [
  'POST /a/_search HTTP/1.1\r\nHost: localhost:9200\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: keep-alive',
  'GET /_search?q=a:b&size=3 HTTP/1.1\r\nhost: x\r\nUser-Agent: curl/8.1\r\nAccept: */*\r\nAuthorization: ApiKey eHg6eXk=',
  'GET /a/_doc/x%2Fy?routing=r HTTP/1.1\r\nHost: x\r\nAccept: */*',
  'PUT /a/_doc/1?refresh=wait_for HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2',
  'DELETE /_memory/a/b HTTP/1.1\r\nhost: x:1\r\nuser-agent: y',
  'POST /a,b-*/_count HTTP/1.1\r\nHost: [::1]\r\naccept-encoding: gzip,deflate\r\nX-Opaque-Id: me\r\ncontent-length: 0',
];
/** Characters and words that HTTP parsers have interpreted differently. */
const BITS = [
  ...'\r\n \t:,;=+-_/?#%&@"\0\x0b\x7f\x85\xa0\xff',
  '\r\n',
  '\r\n ',
  '\r\r\n',
  '0',
  '2, 2',
  '0x2',
  'Content-Length: 1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding\t: identity',
  'Host: y',
  'Connection: close',
  'Upgrade: h2c',
  'HTTP/1.0',
  'http://x',
  '//',
  '/..',
  '%00',
  '%2F',
];

const headOf = (text: string): ReturnType<typeof readHead> =>
  readHead(Buffer.from(`${text}\r\n\r\n`, 'latin1'), text.length);

interface Change {
  readonly at: number;
  readonly drop: number;
  readonly bit: string;
}

const changed = (text: string, changes: readonly Change[]): string =>
  changes.reduce((now, { at, drop, bit }) => {
    const place = at % (now.length + 1);
    return now.slice(0, place) + bit + now.slice(place + drop);
  }, text);

interface Seen {
  readonly requests: readonly IncomingMessage[];
  readonly bodies: readonly string[];
  readonly refused: boolean;
}

/** The requests that Node's server reads from these bytes. */
async function seenByNode(bytes: string): Promise<Seen> {
  const requests: IncomingMessage[] = [];
  const bodies: string[] = [];
  let refused = false;
  const server = createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  });
  server.on('clientError', () => {
    refused = true;
  });
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', stream);
  stream.push(Buffer.from(bytes, 'latin1'));
  for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve));
  stream.destroy();
  return { requests, bodies, refused };
}

describe('a plain head', () => {
  test.each(HEADS)('is %j', (text) => {
    expect(headOf(text)).toBeDefined();
  });

  test('means the same to the server of Node', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...HEADS),
        fc.array(
          fc.record({
            at: fc.nat(300),
            drop: fc.nat(2),
            bit: fc.oneof(fc.constantFrom(...BITS), fc.string({ maxLength: 3 })),
          }),
          { maxLength: 3 },
        ),
        async (base, changes) => {
          const text = changed(base, changes);
          const head = headOf(text);
          if (head === undefined) return;
          taken += 1;
          const body = 'x'.repeat(Math.min(head.length, 4000));
          if (body.length < head.length) return;
          const { requests, bodies, refused } = await seenByNode(`${text}\r\n\r\n${body}`);
          expect([requests.length, refused]).toEqual([1, false]);
          const [request] = requests;
          expect([request?.method, request?.url, bodies[0]]).toEqual([head.method, head.url, body]);
          for (const name of [
            'host',
            'accept',
            'accept-encoding',
            'content-type',
            'authorization',
            'x-opaque-id',
            'traceparent',
          ] as const) {
            expect(head.headers[name]).toBe(request?.headers[name]);
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});
