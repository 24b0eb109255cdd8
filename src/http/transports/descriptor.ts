// Passing connections from one thread to another: a second descriptor for the same connection, and a
// socket over it.
import { Socket } from 'node:net';
import { descriptorOf } from './raw-stream.js';

/** Duplicates a descriptor; throws if there are too many. */
export type Duplicate = (fd: number) => number;

/** A descriptor of its own for the socket's connection; undefined if there is none to be had. */
export function copyOf(socket: Socket, duplicate: Duplicate): number | undefined {
  const fd = descriptorOf(socket);
  if (fd === undefined) return undefined;
  try {
    return duplicate(fd);
  } catch {
    return undefined;
  }
}

/** Owns the descriptor. Half-open, as the HTTP server needs its sockets. */
export function socketOf(fd: number): Socket {
  const socket = new Socket({ fd, readable: true, writable: true, allowHalfOpen: true });
  socket.setNoDelay(true);
  // The owner listens as well, but not yet.
  socket.on('error', () => socket.destroy());
  return socket;
}
