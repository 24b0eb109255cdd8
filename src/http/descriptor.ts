// Connections from one thread to another: a second descriptor for the same connection, and a socket over it.
import { Socket } from 'node:net';

/** Copies a descriptor; throws when there are too many. */
export type Duplicate = (fd: number) => number;

/** A descriptor of its own for the socket's connection; undefined where there is none to be had, and the socket stays. */
export function copyOf(socket: Socket, duplicate: Duplicate): number | undefined {
  // Node has no other name for it; other kinds of handles, TLS among them, have none.
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } };
  const fd = handle?.fd;
  if (fd === undefined || fd < 0) return undefined;
  try {
    return duplicate(fd);
  } catch {
    return undefined;
  }
}

/** Owns the descriptor. Half-open, as the HTTP server wants its sockets. */
export function socketOf(fd: number): Socket {
  const socket = new Socket({ fd, readable: true, writable: true, allowHalfOpen: true });
  // Whoever gets it listens as well, but not yet.
  socket.on('error', () => socket.destroy());
  return socket;
}
