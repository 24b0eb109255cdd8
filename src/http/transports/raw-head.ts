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
/** Every header, each with its CRLF. */
const HEADERS = /^(?:[!#$%&'*+.^_`|~\dA-Za-z-]+:[ \t]*(?:[!-~\x80-\xff][\t -~\x80-\xff]*)?\r\n)*$/;
const LENGTH = /^\d{1,9}$/;

/** The headers that are read, by their places in a list of values; each is sent at most once. */
const FIELDS: ReadonlyMap<string, number> = new Map(
  [
    'host',
    'accept',
    'accept-encoding',
    'content-encoding',
    'content-length',
    'content-type',
    'authorization',
    'x-opaque-id',
    'x-request-id',
    'traceparent',
    'connection',
  ].map((name, at) => [name, at]),
);

/** They change the length of the body, what follows it, who may send it, or the answer. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'te',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'origin',
  'access-control-request-method',
  'x-no-compression',
]);

/**
 * `text` is the request line and the headers, with CRLF between them. Undefined: for the HTTP server.
 */
export function readHead(text: string): RawHead | undefined {
  const start = text.indexOf('\r\n');
  const requested = LINE.exec(start < 0 ? text : text.slice(0, start));
  if (requested === null || OTHER_PATH.test(requested[2] ?? '')) return undefined;
  const values = start < 0 ? [] : fieldValues(`${text.slice(start + 2)}\r\n`);
  if (values === undefined) return undefined;
  const [host, accept, acceptEncoding, contentEncoding, length = '0', contentType] = values;
  const [authorization, opaqueId, requestId, traceparent, connection] = values.slice(6);
  if (host === undefined || !LENGTH.test(length)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  return {
    method: requested[1] as RawMethod,
    url: requested[2] ?? '',
    headers: {
      host,
      accept,
      'accept-encoding': acceptEncoding,
      'content-encoding': contentEncoding,
      'content-length': length,
      'content-type': contentType,
      authorization,
      'x-opaque-id': opaqueId,
      'x-request-id': requestId,
      traceparent,
    },
    length: Number(length),
  };
}

/** The values of FIELDS in `lines`, each with its CRLF. Undefined: for the HTTP server. */
function fieldValues(lines: string): readonly (string | undefined)[] | undefined {
  if (!HEADERS.test(lines)) return undefined;
  const values: (string | undefined)[] = new Array(FIELDS.size).fill(undefined);
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf('\r\n', from);
    const colon = lines.indexOf(':', from);
    const name = lines.slice(from, colon).toLowerCase();
    const at = FIELDS.get(name);
    if (at !== undefined) {
      if (values[at] !== undefined) return undefined;
      values[at] = trimFieldValue(lines.slice(colon + 1, end));
    } else if (OTHER_FIELDS.has(name)) return undefined;
    from = end + 2;
  }
  return values;
}
