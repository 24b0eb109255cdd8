// Pipelined requests: of a connection, a few are handled at a time. Node's parser emits every
// request of a chunk of 64 KiB at once, which may be more than a thousand.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that are handled at once. */
const MOST_AT_ONCE = 8;
/**
 * Requests of a connection that wait for the answer to others. A client that sends more is cut off,
 * as by Elasticsearch.
 */
const MOST_WAITING = 10_000;

/** The requests of a connection that were not answered. */
interface Unanswered {
  running: number;
  readonly waiting: (() => void)[];
}

/** Gives the listener of the server the requests of each connection in their turn. */
export function answerInTurn(server: Server): void {
  const handle = server.listeners('request')[0] as
    | ((request: IncomingMessage, response: ServerResponse) => void)
    | undefined;
  if (handle === undefined) throw new Error('the server has no listener for requests');
  const connections = new WeakMap<Socket, Unanswered>();
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const unanswered = connections.get(socket) ?? { running: 0, waiting: [] };
    connections.set(socket, unanswered);
    const start = (): void => {
      unanswered.running += 1;
      response.once('close', () => {
        unanswered.running -= 1;
        startNext(unanswered, socket);
      });
      handle.call(server, request, response);
    };
    if (unanswered.running < MOST_AT_ONCE && unanswered.waiting.length === 0) start();
    else wait(unanswered, start, socket);
  });
}

function wait({ waiting }: Unanswered, start: () => void, socket: Socket): void {
  waiting.push(start);
  if (waiting.length > MOST_WAITING) socket.destroy();
}

function startNext({ waiting }: Unanswered, socket: Socket): void {
  const start = waiting.shift();
  if (start === undefined) return;
  if (socket.destroyed) {
    waiting.length = 0;
    return;
  }
  setImmediate(start);
}
