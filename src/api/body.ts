// Reads a request body up to the limit of its route, packed or not. The limit is looked up request by request, because
// a reload may change it; Fastify's own is fixed when a route is registered.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { QuarryError } from '../errors.js';

export interface BodyLimit {
  /** Named in the refusal. */
  readonly setting: 'limits.body_bytes' | 'limits.bulk_bytes';
  readonly bytes: number;
}

/**
 * All bytes of `payload`, which is `raw` itself or what unpacks it. content_too_large_exception as soon as the declared
 * length, or what has arrived unpacked, is beyond the limit. What follows then is dropped; a packed body is not unpacked
 * further.
 */
export function readBody(
  raw: IncomingMessage,
  payload: Readable,
  limit: BodyLimit,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(raw.headers['content-length']) > limit.bytes) {
      reject(tooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit.bytes) return;
      stop();
      payload.on('error', () => {});
      if (payload !== raw) payload.pause();
      reject(tooLarge(limit));
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length));
    };
    const onError = (error: Error): void => {
      stop();
      reject(Object.assign(error, { statusCode: 400 }));
    };
    payload.on('data', onData).on('end', onEnd).on('error', onError);
    payload.resume();
  });
}

function tooLarge({ setting, bytes }: BodyLimit): QuarryError {
  return new QuarryError(
    'content_too_large_exception',
    `request body is larger than the limit [${setting}] of ${bytes} bytes`,
  );
}
