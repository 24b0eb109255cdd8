// Requests that somebody else answers, on the same connection.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Somebody else answers it. */
    isHandedOver: boolean;
  }
}

/** Nothing of it was sent, and nothing will be. */
export function handOver(
  request: FastifyRequest,
  reply: FastifyReply,
  refuse: (request: IncomingMessage) => void,
): FastifyReply {
  request.isHandedOver = true;
  reply.hijack();
  refuse(request.raw);
  return reply;
}
