// What a request holds from its first line to the end of its answer.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../api/kit/routes.js';
import type { HeldBytes } from '../ops/in-flight.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the request's body and answer. */
    held: HeldBytes;
  }
}

/** Released however the request ends: `close` comes without `finish` when the client is gone. */
export function startHolding(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): void {
  const held = deps.inFlight.hold();
  request.held = held;
  const release = (): void => held.release();
  reply.raw.once('finish', release).once('close', release);
}
