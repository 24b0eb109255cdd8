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
const LENGTH = /^\d{1,9}$/;

/** The headers that are read, by their places in a list of values; each is sent at most once. */
const FIELDS = [
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
] as const;

/** They change the length of the body, what follows it, who may send it, or the answer. */
const OTHER_FIELDS = [
  'transfer-encoding',
  'te',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'origin',
  'access-control-request-method',
  'x-no-compression',
];

/** A name in lower case, and its place in FIELDS; -1 for OTHER_FIELDS. */
interface KnownName {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** By length. */
const NAMES: readonly (readonly KnownName[])[] = namesByLength();

function namesByLength(): KnownName[][] {
  const known = [
    ...FIELDS.map((name, at) => ({ bytes: Buffer.from(name), at })),
    ...OTHER_FIELDS.map((name) => ({ bytes: Buffer.from(name), at: -1 })),
  ];
  const longest = Math.max(...known.map(({ bytes }) => bytes.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    known.filter(({ bytes }) => bytes.length === length),
  );
}

/** Bytes that a name, or a value, may have: 1. */
const IN_NAME = tableOf(/[!#$%&'*+.^_`|~\dA-Za-z-]/);
const IN_VALUE = tableOf(/[\t -~\x80-\xff]/);
const CR = 0x0d;
const LF = 0x0a;
const COLON = 0x3a;
/** Makes a letter lower case; no other byte of a name becomes a letter or a hyphen by it. */
const LOWER = 0x20;

function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    characters.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}

/**
 * The first `end` bytes are the request line and the headers, with CRLF between them. Undefined: for
 * the HTTP server.
 */
export function readHead(bytes: Buffer, end: number): RawHead | undefined {
  const firstEnd = bytes.indexOf(CR);
  const lineEnd = firstEnd < 0 || firstEnd > end ? end : firstEnd;
  const requested = LINE.exec(bytes.toString('latin1', 0, lineEnd));
  if (requested === null || OTHER_PATH.test(requested[2] ?? '')) return undefined;
  const values = fieldValues(bytes, lineEnd, end);
  if (values === undefined) return undefined;
  const [host, accept, acceptEncoding, contentEncoding, length = '0'] = values;
  const connection = values[10];
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
      'content-type': values[5],
      authorization: values[6],
      'x-opaque-id': values[7],
      'x-request-id': values[8],
      traceparent: values[9],
    },
    length: Number(length),
  };
}

/**
 * The values of FIELDS in the lines between the CRLF at `from` and `end`. Undefined: for the HTTP
 * server.
 */
function fieldValues(
  bytes: Buffer,
  from: number,
  end: number,
): readonly (string | undefined)[] | undefined {
  const values: (string | undefined)[] = new Array(FIELDS.length);
  for (let at = from; at < end; ) {
    if (bytes[at] !== CR || bytes[at + 1] !== LF) return undefined;
    const start = at + 2;
    let colon = start;
    while (colon < end && IN_NAME[bytes[colon] ?? 0] === 1) colon++;
    if (colon === start || bytes[colon] !== COLON) return undefined;
    at = colon + 1;
    while (at < end && IN_VALUE[bytes[at] ?? 0] === 1) at++;
    const place = placeOf(bytes, start, colon);
    if (place === undefined) continue;
    if (place < 0 || values[place] !== undefined) return undefined;
    values[place] = trimFieldValue(bytes.toString('latin1', colon + 1, at));
  }
  return values;
}

/** Of the name between `start` and `end`; undefined for one that means nothing here. */
function placeOf(bytes: Buffer, start: number, end: number): number | undefined {
  for (const { bytes: name, at } of NAMES[end - start] ?? []) {
    let i = 0;
    while (i < name.length && ((bytes[start + i] ?? 0) | LOWER) === name[i]) i++;
    if (i === name.length) return at;
  }
  return undefined;
}
