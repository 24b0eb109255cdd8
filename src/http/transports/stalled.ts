// Closes the connections of clients that do not take their answers, which would be held for as long as
// they like.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * From its turn on the connection until it is sent, some of an answer must be taken within every `ms`.
 * The socket's own timer sees every part of a long write that was taken.
 */
export function cutWhenStalled(response: ServerResponse, ms: number): void {
  const watch = (socket: unknown): void => {
    if (response.writableFinished || !(socket instanceof Socket)) return;
    socket.setTimeout(ms);
    // Unless Node has set its own time for idle connections by now.
    response.once('finish', () => {
      if (socket.timeout === ms) socket.setTimeout(0);
    });
  };
  if (response.socket === null) response.once('socket', watch);
  else watch(response.socket);
}
