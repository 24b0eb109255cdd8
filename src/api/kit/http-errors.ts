// Translates errors of Fastify, its plug-ins and Node's HTTP parser into errors of this API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isScarcity } from '../../base/descriptors.js';
import { QuarryError, toEnvelope } from '../../errors.js';
import { toJson } from './json.js';

/** Prefix of Node's error codes for broken brotli streams. */
const BROTLI_ERROR = 'ERR__ERROR_';

/** The members that are read from foreign errors; any of them may be missing. */
interface ForeignError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message?: string;
}

/**
 * Returns a QuarryError if the client caused the error, else `thrown` itself. `encoding` is the
 * request's Content-Encoding.
 */
export function translate(thrown: unknown, encoding: string | undefined): unknown {
  if (thrown instanceof QuarryError) return thrown;
  const { code, statusCode, message } = (thrown ?? {}) as ForeignError;
  const known = knownRefusal(code ?? '', encoding ?? 'identity');
  if (known !== undefined) return known;
  if (isScarcity(thrown)) {
    const reason = `rejected execution: this process or its machine has too little of what the request needs (${thrown.code}): raise its limits (ulimit -n, -u), or retry later`;
    return new QuarryError('es_rejected_execution_exception', reason);
  }
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return thrown;
  return new QuarryError('illegal_argument_exception', message ?? 'bad request', {
    status: statusCode,
  });
}

function knownRefusal(code: string, encoding: string): QuarryError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new QuarryError('media_type_header_exception', 'Content-Type header is not valid', {
        status: 415,
      });
    case 'FST_ERR_BAD_URL':
      return new QuarryError(
        'illegal_argument_exception',
        'the request path is not valid percent-encoded UTF-8',
      );
    case 'FST_ERR_MAX_LIMIT':
    case 'FST_ERR_PARAM_LENGTH':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new QuarryError(
        'illegal_argument_exception',
        'a part of the request path is too long',
      );
    case 'FST_CP_ERR_INVALID_CONTENT':
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return misencoded(encoding);
    default:
      return code.startsWith(BROTLI_ERROR) ? misencoded(encoding) : undefined;
  }
}

function misencoded(encoding: string): QuarryError {
  return new QuarryError('parse_exception', `request body is not valid ${encoding}`);
}

/** More headers than any client sends. Node silently drops those beyond 2,000. */
const MAX_HEADERS = 1000;

/**
 * Rejects requests that the parser accepts but that proxies interpret differently. Must be called
 * first.
 */
export function checkRequest({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw refusal(505, `HTTP/${httpVersion} is not supported, speak HTTP/1.1`);
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw refusal(431, `there are more than ${MAX_HEADERS} headers`);
  }
  if (headers.host === undefined && httpVersion === '1.1')
    throw refusal(400, 'there is no Host header');
  if (countOf(rawHeaders, 'host') > 1) throw refusal(400, 'there is more than one Host header');
}

/** Number of headers named `wanted`, in lower case; `headers` alternates names and values. */
function countOf(headers: readonly string[], wanted: string): number {
  let count = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function refusal(status: number, reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason, { status });
}

/** Answers an `Expect` header other than `100-continue`; returns the status of the answer. */
export function refuseExpectation(response: ServerResponse, requestId: string): number {
  const status = 417;
  const body = toJson(
    toEnvelope(refusal(status, 'of what [Expect] may ask for there is 100-continue')),
  );
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      Connection: 'close',
    })
    .end(body);
  return status;
}

/**
 * Answers data that is not an HTTP request, or that arrived too slowly, and closes the connection.
 * Returns the status; undefined if the connection is already closed or cannot be written to.
 */
export function refuseConnection(
  error: ForeignError,
  socket: Socket,
  requestId: string,
): number | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const [status, line, reason] = parserRefusal(error.code ?? '');
  hangUp(socket, requestId, status, line, reason);
  return status;
}

/** Rejects CONNECT, since this server is not a proxy; returns the status. */
export function refuseTunnel(socket: Socket, requestId: string): number {
  hangUp(
    socket,
    requestId,
    405,
    'Method Not Allowed',
    'this server makes no tunnels: [CONNECT] is not allowed',
  );
  return 405;
}

function hangUp(
  socket: Socket,
  requestId: string,
  status: number,
  line: string,
  reason: string,
): void {
  const refusal = new QuarryError('illegal_argument_exception', reason, { status });
  const body = toJson(toEnvelope(refusal));
  socket.end(
    `HTTP/1.1 ${status} ${line}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function parserRefusal(code: string): readonly [status: number, line: string, reason: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'Request Timeout', 'the request was not sent in time'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'Request Header Fields Too Large', 'request line and headers exceed 16 KiB'];
    default:
      return [400, 'Bad Request', 'what was sent is not an HTTP request'];
  }
}
