// The head of a request, read where it is plain: a search of a client that asks for nothing else. What a head may say besides, and what two
// readers of it could take differently, is left to Node's HTTP server: a head that is not plain in every line is none.

import { trimFieldValue } from '../../base/field-value.js';

export type RawMethod = 'GET' | 'POST';

/** Those that say something of a search, by their names; none came twice. A type, so that it passes for any headers. */
export type RawHeaders = {
  readonly host: string;
  readonly accept: string | undefined;
  readonly 'accept-encoding': string | undefined;
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
  /** Of the body, in bytes. */
  readonly length: number;
}

const LINE = /^(GET|POST) (\/(?:[!"$-.0->@-~]+\/)?_(?:search|count)(?:\?[!"$-~]*)?) HTTP\/1\.1$/;
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):[ \t]*((?:[!-~\x80-\xff][\t -~\x80-\xff]*)?)$/;
const LENGTH = /^\d{1,9}$/;

/** What is read of a head. Members of one shape: this is done for every request. */
class HeadFields {
  host: string | undefined = undefined;
  accept: string | undefined = undefined;
  'accept-encoding': string | undefined = undefined;
  'content-type': string | undefined = undefined;
  authorization: string | undefined = undefined;
  'x-opaque-id': string | undefined = undefined;
  'x-request-id': string | undefined = undefined;
  traceparent: string | undefined = undefined;
  'content-length': string | undefined = undefined;
  connection: string | undefined = undefined;

  /** False: such a header, or one more of its name, is not plain. */
  take(name: string, value: string): boolean {
    switch (name) {
      case 'host':
      case 'accept':
      case 'accept-encoding':
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
      // They change how long a body is, what follows it on the connection, who may ask, or what comes back.
      case 'transfer-encoding':
      case 'te':
      case 'trailer':
      case 'expect':
      case 'upgrade':
      case 'http2-settings':
      case 'content-encoding':
      case 'origin':
      case 'access-control-request-method':
      case 'x-no-compression':
        return false;
      default:
        return true;
    }
  }
}

/** `text`: the request line and the headers, each without its end, with CRLF between them. Undefined: not plain. */
export function readHead(text: string): RawHead | undefined {
  const lines = text.split('\r\n');
  const requested = LINE.exec(lines[0] ?? '');
  if (requested === null) return undefined;
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
