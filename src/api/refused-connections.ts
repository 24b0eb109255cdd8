// What Node's HTTP server would end without a word, or without telling anybody: bytes that are no request, expectations, tunnels,
// connections beyond the limit. Each is answered, where there is somebody to answer, and told to the request log.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuseConnection, refuseExpectation, refuseTunnel } from './http-errors.js';
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
  server.on('checkExpectation', ({ socket, method }: IncomingMessage, response: ServerResponse) =>
    log.refused(socket, refuseExpectation(response), method),
  );
  server.on('connect', ({ method }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    log.refused(socket, refuseTunnel(socket), method);
  });
  log.watch(server);
  // Those of listen() are thrown to whoever called it; an accept that fails later (no buffers, no memory) is no reason to end.
  server.once('listening', () => server.on('error', onError));
  return {
    connection(error, socket) {
      const status = refuseConnection(error, socket);
      // A client that is gone takes its requests with it, which are told of when the connection is closed.
      const isGone = error.code === CUT_OFF && log.isReading(socket);
      if (status !== undefined && !isGone) log.refused(socket, status);
    },
  };
}
