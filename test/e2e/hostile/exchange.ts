// Exchanges of bytes over a socket, without an HTTP client that would correct, reject or hide
// anything.
import { connect } from 'node:net';

/** The bytes to send, and the expected responses. */
export interface Exchange {
  readonly name: string;
  readonly bytes: Buffer;
  /**
   * Allowed statuses; empty: the connection is closed without a response. Every error must have an
   * envelope.
   */
  readonly status: readonly number[];
  /** Must not occur in the response. */
  readonly never?: RegExp;
}

export interface Answered {
  /** Statuses of all responses on the connection, in order. */
  readonly statuses: readonly number[];
  readonly head: string;
  readonly body: string;
  readonly ms: number;
}

/** Longer than any error takes on a busy machine. */
const PATIENCE_MS = 20_000;

/** Wait after a response to verify that nothing follows it. */
const QUIET_MS = 1500;

/** Sends, and reads until the peer closes the connection, or has responded and keeps it open. */
export function exchange(port: number, bytes: Buffer): Promise<Answered> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parts: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end within ${PATIENCE_MS} ms, so far: ${Buffer.concat(parts)}`));
    }, PATIENCE_MS);
    let quiet: NodeJS.Timeout | undefined;
    socket.on('data', (part) => {
      parts.push(part);
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.destroy(), QUIET_MS);
    });
    // A connection may be reset if a request is rejected while it is sent; earlier responses count.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      resolve(read(Buffer.concat(parts).toString('latin1'), performance.now() - started));
    });
    socket.write(bytes);
  });
}

function read(text: string, ms: number): Answered {
  const end = text.indexOf('\r\n\r\n');
  return {
    statuses: [...text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code)),
    head: end < 0 ? text : text.slice(0, end),
    body: end < 0 ? '' : text.slice(end + 4),
    ms,
  };
}

export function raw(name: string, text: string | Buffer, ...status: number[]): Exchange {
  return { name, bytes: Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'), status };
}

/** A valid HTTP request on its own connection. */
export function request(
  name: string,
  line: string,
  body: string | Buffer | undefined,
  status: readonly number[],
  headers: readonly string[] = ['Content-Type: application/json'],
): Exchange {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body ?? '');
  const head = [
    `${line} HTTP/1.1`,
    'Host: q',
    'Connection: close',
    ...(body === undefined ? [] : [...headers, `Content-Length: ${bytes.length}`]),
  ];
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  return { name, bytes: Buffer.concat([start, bytes]), status };
}

/** Headers of a request without a body. */
export function withHeaders(
  name: string,
  headers: readonly string[],
  ...status: number[]
): Exchange {
  const head = ['GET /_cat/health HTTP/1.1', 'Host: q', 'Connection: close', ...headers];
  return raw(name, `${head.join('\r\n')}\r\n\r\n`, ...status);
}
