// What Node's HTTP server would end without a word, or without telling anybody: bytes that are no request, expectations, tunnels,
// connections beyond the limit. Each is answered, where there is somebody to answer, and told to the request log.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuseConnection, refuseExpectation, refuseTunnel } from '../api/kit/http-errors.js';
import type { RequestLog } from './request-log.js';

/** The parser's code for a connection that ends in the middle of a request. */
const CUT_OFF = 'HPE_INVALID_EOF_STATE';

export interface RefusedConnections {
  /** Of the parser, or of a timer that waits for a request. */
  connection(error: Error & { readonly code?: string }, socket: Socket): void;
}

/** `onError`: told of connections that could not be accepted. */
export function refuseBeforeRoutes(
  server: Server,
  log: RequestLog,
  onError: (error: Error) => void,
): RefusedConnections {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, method, headers } = request;
    const context = log.contextOf(socket, headers);
    log.refused(socket, refuseExpectation(response, context.requestId), context, method);
  });
  server.on('connect', ({ method, headers }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const context = log.contextOf(socket, headers);
    log.refused(socket, refuseTunnel(socket, context.requestId), context, method);
  });
  log.watch(server);
  // Those of listen() are thrown to whoever called it; an accept that fails later (no buffers, no memory) is no reason to end.
  server.once('listening', () => server.on('error', onError));
  return {
    connection(error, socket) {
      const context = log.contextOf(socket);
      const status = refuseConnection(error, socket, context.requestId);
      // A client that is gone takes its requests with it, which are told of when the connection is closed.
      const isGone = error.code === CUT_OFF && log.isReading(socket);
      if (status !== undefined && !isGone) log.refused(socket, status, context);
    },
  };
}
