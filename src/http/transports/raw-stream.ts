// Writes answers to a socket. Most leave by one system call, past the queues of a stream; what the
// connection does not take at once goes through them.
import type { Socket } from 'node:net';

/**
 * Sends bytes of both buffers, one behind the other, as far as the connection takes them without
 * blocking, and returns their number; 0: none now, -1: the connection is broken.
 */
export type SendNow = (fd: number, first: Uint8Array, second: Uint8Array | undefined) => number;

/** The descriptor of a socket; undefined for sockets that have none, TLS among them. */
export function descriptorOf(socket: Socket): number | undefined {
  // Node has no public name for it.
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } };
  const fd = handle?.fd;
  return fd === undefined || fd < 0 ? undefined : fd;
}

/**
 * False: the client must take more before the next write, `drain` tells when; or the connection is
 * broken, and closes.
 */
export function sendBytes(
  socket: Socket,
  sendNow: SendNow,
  first: Buffer,
  second?: Buffer,
): boolean {
  const length = first.length + (second?.length ?? 0);
  let sent = 0;
  // Only then nothing waits before these bytes, and the descriptor is open.
  const fd = socket.writable && socket.writableLength === 0 ? descriptorOf(socket) : undefined;
  if (fd !== undefined) {
    sent = sendNow(fd, first, second);
    if (sent === length) return true;
    if (sent < 0) {
      socket.destroy();
      return false;
    }
  }
  const rest = [first.subarray(sent), second?.subarray(Math.max(0, sent - first.length))];
  let taken = true;
  socket.cork();
  for (const bytes of rest) {
    if (bytes !== undefined && bytes.length > 0) taken = socket.write(bytes);
  }
  socket.uncork();
  return taken;
}
