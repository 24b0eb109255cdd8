// Reads a request body, compressed or not, up to the limit of its route. The limit is looked up for
// each request because a reload of the configuration may change it; Fastify's own limit is fixed
// when a route is registered.
import { Readable } from 'node:stream';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import { decompressed } from './compression.js';
import type { Exchange } from './exchange.js';

export interface BodyLimit {
  /** The setting that the error message names. */
  readonly setting: 'limits.body_bytes' | 'limits.bulk_bytes';
  readonly bytes: number;
}

/**
 * Upper limit of the buffer allocated before any data arrives, so that a large declared length
 * alone costs little memory.
 */
const FIRST_BYTES = 1024 * 1024;
/**
 * A body up to this length that arrives in one chunk is not copied. It then keeps the chunk's whole
 * memory alive, at most 64 KiB.
 */
const WHOLE_BYTES = 16 * 1024;
/** Initial buffer of a body of undeclared length. */
const UNKNOWN_BYTES = 64 * 1024;

/**
 * Reads the decompressed body; undefined if it is absent or empty. Fails with
 * content_too_large_exception as soon as the declared or the decompressed length exceeds the limit,
 * and with any error that `held` throws for a reservation. After a failure the rest of the body is
 * discarded, and a compressed one is not decompressed further.
 */
export function readBody(
  { headers, body }: Pick<Exchange, 'headers' | 'body'>,
  limit: BodyLimit,
  held: HeldBytes,
): MaybePromise<Buffer | undefined> {
  if (body === undefined) return undefined;
  const encoding = headers['content-encoding'];
  if (Buffer.isBuffer(body) && encoding === undefined) {
    if (body.length > limit.bytes) throw tooLarge(limit);
    held.take(body.length);
    return body.length === 0 ? undefined : body;
  }
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > limit.bytes) throw tooLarge(limit);
  const sent = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  const payload = decompressed(sent, encoding);
  return new Promise((resolve, reject) => {
    const collected = new BodyBuffer(payload === sent ? declared : 0);
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const fail = (error: unknown): void => {
      stop();
      payload.on('error', () => {});
      held.drop();
      reject(error as Error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (collected.length + chunk.length > limit.bytes) throw tooLarge(limit);
        held.take(chunk.length);
        collected.add(chunk);
      } catch (error) {
        if (payload !== sent) payload.pause();
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(collected.length === 0 ? undefined : collected.all());
    };
    const onError = (error: Error): void => fail(Object.assign(error, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
    payload.resume();
  });
}

const NOTHING = Buffer.alloc(0);

/**
 * Collects the body in one growing buffer, because a client may send chunks of any size and each
 * would cost an object. A body of several chunks ends up in a buffer of exactly the declared
 * length, whose ownership can be transferred to another thread; a body that arrives in one chunk,
 * as search bodies do, is not copied.
 */
class BodyBuffer {
  readonly #declared: number;
  #buffer: Buffer = NOTHING;
  length = 0;

  /** `declared` is the declared length in bytes; 0 if unknown. */
  constructor(declared: number) {
    this.#declared = declared;
  }

  add(chunk: Buffer): void {
    if (this.length === 0 && chunk.length === this.#declared && chunk.length <= WHOLE_BYTES) {
      this.#buffer = chunk;
      this.length = chunk.length;
      return;
    }
    const needed = this.length + chunk.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    chunk.copy(this.#buffer, this.length);
    this.length = needed;
  }

  all(): Buffer {
    if (this.length === this.#buffer.length) return this.#buffer;
    return this.#buffer.subarray(0, this.length);
  }

  #grow(needed: number): void {
    const wanted = Math.max(
      needed,
      2 * this.#buffer.length,
      Math.min(this.#declared || UNKNOWN_BYTES, FIRST_BYTES),
    );
    const most = this.#declared > 0 ? Math.max(this.#declared, needed) : wanted;
    const grown = Buffer.allocUnsafeSlow(Math.min(wanted, most));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}

/** The error of status 413, content_too_large_exception. */
function tooLarge({ setting, bytes }: BodyLimit): QuarryError {
  return new QuarryError(
    'content_too_large_exception',
    `request body is larger than the limit [${setting}] of ${bytes} bytes`,
  );
}
