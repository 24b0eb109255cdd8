// Reads a request body up to the limit of its route, packed or not. The limit is looked up request by request, because
// a reload may change it; Fastify's own is fixed when a route is registered.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { QuarryError } from '../../errors.js';
import type { HeldBytes } from '../../ops/in-flight.js';

export interface BodyLimit {
  /** Named in the refusal. */
  readonly setting: 'limits.body_bytes' | 'limits.bulk_bytes';
  readonly bytes: number;
}

/** Allotted before anything has arrived: a length that is only declared costs no more. */
const FIRST_BYTES = 1024 * 1024;
/** Of a body that is left where it came in: what came with it is held along, no more than 64 KiB. */
const WHOLE_BYTES = 16 * 1024;
/** Of a body that tells no length. */
const UNKNOWN_BYTES = 64 * 1024;

/**
 * All bytes of `payload`, which is `raw` itself or what unpacks it, are what `done` is called with, or an error:
 * content_too_large_exception as soon as the declared length, or what has arrived unpacked, is beyond the limit; what `held`
 * refuses as well. What follows then is dropped; a packed body is not unpacked further.
 */
export function readBody(
  raw: IncomingMessage,
  payload: Readable,
  limit: BodyLimit,
  held: HeldBytes,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const declared = Number(raw.headers['content-length'] ?? 0);
  if (declared > limit.bytes) {
    done(tooLarge(limit));
    return;
  }
  const collected = new BodyBuffer(payload === raw ? declared : 0);
  const stop = (): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  };
  const onData = (chunk: Buffer): void => {
    try {
      if (collected.length + chunk.length > limit.bytes) throw tooLarge(limit);
      held.take(chunk.length);
      collected.add(chunk);
    } catch (error) {
      stop();
      payload.on('error', () => {});
      if (payload !== raw) payload.pause();
      held.drop();
      done(error as Error);
    }
  };
  const onEnd = (): void => {
    stop();
    done(null, collected.all());
  };
  const onError = (error: Error): void => {
    stop();
    held.drop();
    done(Object.assign(error, { statusCode: 400 }));
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
  payload.resume();
}

const NOTHING = Buffer.alloc(0);

/**
 * The bytes so far, in memory of their own: pieces as small as a client likes would each cost an object. A body that comes in
 * several pieces ends up in a buffer of just the declared length, which may be moved to another thread; what comes whole, as
 * bodies of searches do, stays where it is.
 */
class BodyBuffer {
  readonly #declared: number;
  #buffer: Buffer = NOTHING;
  length = 0;

  /** 0: unknown. */
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

/** content_too_large_exception, 413. */
export function tooLarge({ setting, bytes }: BodyLimit): QuarryError {
  return new QuarryError(
    'content_too_large_exception',
    `request body is larger than the limit [${setting}] of ${bytes} bytes`,
  );
}
