// The head of a request that can be answered without an HTTP server, as those of clients of the REST
// API are. Anything else that a head may say, and whatever two parsers could understand differently,
// is left to Node's server: every line must be of a narrow form.

import { trimFieldValue } from '../../base/field-value.js';

export type RawMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The headers that concern a request of the API, each sent at most once. A type alias, since an interface would not
 * be assignable to the headers of any request.
 */
export type RawHeaders = {
  readonly host: string;
  readonly accept: string | undefined;
  readonly 'accept-encoding': string | undefined;
  readonly 'content-encoding': string | undefined;
  readonly 'content-length': string | undefined;
  readonly 'content-type': string | undefined;
  readonly authorization: string | undefined;
  readonly 'x-opaque-id': string | undefined;
  readonly 'x-request-id': string | undefined;
  readonly traceparent: string | undefined;
};

export interface RawHead {
  readonly method: RawMethod;
  /** Path and query string as they were sent, visible ASCII. */
  readonly url: string;
  readonly headers: RawHeaders;
  /** Length of the body in bytes. */
  readonly length: number;
}

const LINE =
  /^(GET|HEAD|POST|PUT|PATCH|DELETE) ((?:\/|(?:\/[!"$-.0->@-~]+)+)(?:\?[!"$-~]*)?) HTTP\/1\.1$/;
/** The Model Context Protocol has further headers. */
const OTHER_PATH = /^\/(?:v1\/)?mcp(?:[/?]|$)/;
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):[ \t]*((?:[!-~\x80-\xff][\t -~\x80-\xff]*)?)$/;
const LENGTH = /^\d{1,9}$/;

/** The headers that are read, as an object of one shape, since this is done for every request. */
class HeadFields {
  host: string | undefined = undefined;
  accept: string | undefined = undefined;
  'accept-encoding': string | undefined = undefined;
  'content-encoding': string | undefined = undefined;
  'content-type': string | undefined = undefined;
  authorization: string | undefined = undefined;
  'x-opaque-id': string | undefined = undefined;
  'x-request-id': string | undefined = undefined;
  traceparent: string | undefined = undefined;
  'content-length': string | undefined = undefined;
  connection: string | undefined = undefined;

  /** False: such a header, or a second one of its name, is for the HTTP server. */
  take(name: string, value: string): boolean {
    switch (name) {
      case 'host':
      case 'accept':
      case 'accept-encoding':
      case 'content-encoding':
      case 'content-type':
      case 'authorization':
      case 'x-opaque-id':
      case 'x-request-id':
      case 'traceparent':
      case 'content-length':
      case 'connection':
        if (this[name] !== undefined) return false;
        this[name] = value;
        return true;
      // They change the length of the body, what follows it, who may send it, or the answer.
      case 'transfer-encoding':
      case 'te':
      case 'trailer':
      case 'expect':
      case 'upgrade':
      case 'http2-settings':
      case 'origin':
      case 'access-control-request-method':
      case 'x-no-compression':
        return false;
      default:
        return true;
    }
  }
}

/**
 * `text` is the request line and the headers, with CRLF between them. Undefined: for the HTTP server.
 */
export function readHead(text: string): RawHead | undefined {
  const lines = text.split('\r\n');
  const requested = LINE.exec(lines[0] ?? '');
  if (requested === null || OTHER_PATH.test(requested[2] ?? '')) return undefined;
  const read = new HeadFields();
  for (let at = 1; at < lines.length; at++) {
    const header = HEADER.exec(lines[at] ?? '');
    if (header === null) return undefined;
    const [, name = '', value = ''] = header;
    if (!read.take(name.toLowerCase(), trimFieldValue(value))) return undefined;
  }
  const { host, connection, 'content-length': length = '0' } = read;
  if (host === undefined || !LENGTH.test(length)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  return {
    method: requested[1] as RawMethod,
    url: requested[2] ?? '',
    headers: read as RawHeaders,
    length: Number(length),
  };
}
