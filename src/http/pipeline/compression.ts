// Compression of bodies: which answers are compressed and how, and the encodings of requests.
import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
  deflate,
  deflateSync,
  gzip,
  gzipSync,
} from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { Exchange, Reply } from './exchange.js';

/** Size in bytes from which an answer is worth compressing. */
const COMPRESS_FROM = 1024;
/** Size in bytes from which compressing takes longer than passing the work to another thread. */
const LONG = 64 * 1024;
/** For all encodings: fast, and within a few per cent of the default's size on JSON. */
const COMPRESS_LEVEL = 3;
type Encoding = 'gzip' | 'deflate' | 'br';
/** In order of preference. */
const ENCODINGS: readonly Encoding[] = ['gzip', 'deflate', 'br'];

const ZLIB = { level: COMPRESS_LEVEL };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESS_LEVEL } };

interface Coder {
  readonly now: (bytes: Buffer) => Buffer;
  readonly later: (bytes: Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
  readonly decoder: () => Transform;
}

const CODERS: Readonly<Record<Encoding, Coder>> = {
  gzip: {
    now: (bytes) => gzipSync(bytes, ZLIB),
    later: (bytes) => promisify<Buffer, object, Buffer>(gzip)(bytes, ZLIB),
    stream: () => createGzip(ZLIB),
    decoder: () => createGunzip(),
  },
  deflate: {
    now: (bytes) => deflateSync(bytes, ZLIB),
    later: (bytes) => promisify<Buffer, object, Buffer>(deflate)(bytes, ZLIB),
    stream: () => createDeflate(ZLIB),
    decoder: () => createInflate(),
  },
  br: {
    now: (bytes) => brotliCompressSync(bytes, BROTLI),
    later: (bytes) => promisify<Buffer, object, Buffer>(brotliCompress)(bytes, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
    decoder: () => createBrotliDecompress(),
  },
};

/** Parsed values of Accept-Encoding, since clients repeat a few of them. */
const READ = new Map<string, Encoding | undefined>();
const MOST_READ = 100;

function encodingOf(accepted: string): Encoding | undefined {
  const known = READ.get(accepted);
  if (known !== undefined || READ.has(accepted)) return known;
  // No preference, and the old name, mean gzip.
  const header = accepted.toLowerCase().replace(/\*|x-gzip/g, 'gzip');
  const encoding = (negotiate(header, [...ENCODINGS]) ?? undefined) as Encoding | undefined;
  if (READ.size < MOST_READ) READ.set(accepted, encoding);
  return encoding;
}

/** The reply as a client with these headers takes it. Events are sent one by one. */
export function compressed(reply: Reply, headers: Exchange['headers']): MaybePromise<Reply> {
  const { body } = reply;
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || body === undefined) return reply;
  if (Buffer.isBuffer(body) && body.length < COMPRESS_FROM) return reply;
  const isEvents = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  if (isEvents || headers['x-no-compression'] !== undefined) return reply;
  const encoding = encodingOf(String(accepted));
  if (encoding === undefined) return reply;
  const { vary } = reply.headers;
  const all = {
    ...reply.headers,
    'content-encoding': encoding,
    vary: vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`,
  };
  if (!Buffer.isBuffer(body)) return { ...reply, headers: all, body: through(body, encoding) };
  const { now, later } = CODERS[encoding];
  const bytes = body.length > LONG ? later(body) : now(body);
  return thenMaybe(bytes, (packed) => ({ ...reply, headers: all, body: packed }));
}

function through(body: Readable, encoding: Encoding): Readable {
  return pipeline(body, CODERS[encoding].stream(), () => {});
}

/** The decompressed body of a request; `encoding` is its Content-Encoding. */
export function decompressed(body: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === 'identity') return body;
  if (!Object.hasOwn(CODERS, encoding)) {
    throw new QuarryError(
      'media_type_header_exception',
      `Content-Encoding [${encoding}] is not supported, send gzip, deflate or br`,
      { status: 415 },
    );
  }
  return pipeline(body, CODERS[encoding as Encoding].decoder(), () => {});
}
