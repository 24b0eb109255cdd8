// What Node's HTTP server would end without an answer or a record: bytes that are no request,
// expectations, tunnels. Each is answered, if there is somebody to answer, and recorded.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuseConnection, refuseExpectation, refuseTunnel } from '../../api/kit/http-errors.js';
import type { RequestLog } from '../pipeline/request-log.js';

/** The parser's code for a connection that ends in the middle of a request. */
const CUT_OFF = 'HPE_INVALID_EOF_STATE';
/** The server's code for a request that has not arrived in time. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

export interface RefusedConnections {
  /** An error of the parser, or of a timer that waits for a request. */
  connection(error: Error & { readonly code?: string }, socket: Socket): void;
  /** A connection whose client ended its side in the middle of a request. */
  cutOff(socket: Socket): void;
  /** A connection whose client has not sent the whole of a request in time. */
  late(socket: Socket): void;
}

export function refuseBeforeRoutes(server: Server, log: RequestLog): RefusedConnections {
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
  server.on('tlsClientError', (_error: Error, socket: Socket) =>
    log.refusedConnection(socket.remoteAddress),
  );
  const connection: RefusedConnections['connection'] = (error, socket) => {
    const context = log.contextOf(socket);
    const status = refuseConnection(error, socket, context.requestId);
    // A client that is gone takes its requests with it, which are recorded when the connection closes.
    const isGone = error.code === CUT_OFF && log.isReading(socket);
    if (status !== undefined && !isGone) log.refused(socket, status, context);
  };
  return {
    connection,
    cutOff: (socket) => connection(Object.assign(new Error('cut off'), { code: CUT_OFF }), socket),
    late: (socket) => connection(Object.assign(new Error('late'), { code: LATE }), socket),
  };
}
