// Compression of answers: from what length on, how strongly, and what a client that takes it is sent.
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  deflate,
  deflateSync,
  gzip,
  gzipSync,
} from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyCompressOptions } from '@fastify/compress';
import type { MaybePromise } from '../base/maybe-promise.js';
import { QuarryError } from '../errors.js';

/** Bytes from which an answer is worth compressing. */
const COMPRESS_FROM = 1024;
/** Bytes that take longer than a way to another thread and back. */
const LONG = 64 * 1024;
/** Of gzip and brotli alike: fast, and within a few per cent of the default's size on JSON. */
const COMPRESS_LEVEL = 3;
type Encoding = 'gzip' | 'deflate' | 'br';
/** The first that a client takes as well as any other. */
const ENCODINGS: readonly Encoding[] = ['gzip', 'deflate', 'br'];

const ZLIB = { level: COMPRESS_LEVEL };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESS_LEVEL } };

/** Of the HTTP server. */
export const COMPRESSION: FastifyCompressOptions = {
  threshold: COMPRESS_FROM,
  encodings: [...ENCODINGS],
  zlibOptions: ZLIB,
  brotliOptions: BROTLI,
  requestEncodings: ['gzip', 'deflate', 'br', 'identity'],
  onUnsupportedRequestEncoding: (encoding) =>
    new QuarryError(
      'media_type_header_exception',
      `Content-Encoding [${encoding}] is not supported, send gzip, deflate or br`,
      { status: 415 },
    ),
};

interface Packer {
  readonly now: (bytes: Buffer) => Buffer;
  readonly later: (bytes: Buffer) => Promise<Buffer>;
}

const PACKERS: Readonly<Record<Encoding, Packer>> = {
  gzip: {
    now: (bytes) => gzipSync(bytes, ZLIB),
    later: (bytes) => promisify<Buffer, object, Buffer>(gzip)(bytes, ZLIB),
  },
  deflate: {
    now: (bytes) => deflateSync(bytes, ZLIB),
    later: (bytes) => promisify<Buffer, object, Buffer>(deflate)(bytes, ZLIB),
  },
  br: {
    now: (bytes) => brotliCompressSync(bytes, BROTLI),
    later: (bytes) => promisify<Buffer, object, Buffer>(brotliCompress)(bytes, BROTLI),
  },
};

/** What clients send as Accept-Encoding, again and again. */
const READ = new Map<string, Encoding | undefined>();
const MOST_READ = 100;

/** The encoding of an answer of so many bytes; undefined: as it is. `accepted`: the Accept-Encoding header. */
export function encodingOf(accepted: string | undefined, bytes: number): Encoding | undefined {
  if (accepted === undefined || bytes < COMPRESS_FROM) return undefined;
  const known = READ.get(accepted);
  if (known !== undefined || READ.has(accepted)) return known;
  const header = accepted.toLowerCase().replace(/\*|x-gzip/g, 'gzip');
  const encoding = (negotiate(header, [...ENCODINGS]) ?? undefined) as Encoding | undefined;
  if (READ.size < MOST_READ) READ.set(accepted, encoding);
  return encoding;
}

export function pack(bytes: Buffer, encoding: Encoding): MaybePromise<Buffer> {
  const { now, later } = PACKERS[encoding];
  return bytes.length > LONG ? later(bytes) : now(bytes);
}
