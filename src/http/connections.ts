// How many connections there may be: descriptors are left for the files of the data, whatever clients do with theirs.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** At least so many descriptors are for files, threads and the log, a quarter where there are more of them. */
const LEAST_FILES = 64;
const MOST_FILES = 1024;
/** From this share on idle connections are closed, so that new ones find room. */
const CROWDED = 0.9;

export function connectionsFor(descriptors: number): number {
  const files = Math.min(MOST_FILES, Math.max(LEAST_FILES, Math.ceil(descriptors / 4)));
  return Math.max(1, descriptors - files);
}

/**
 * Whoever takes some of them to another thread lowers `maxConnections` by as many. Those that come back are connections as any other:
 * Node counts only what it has accepted itself.
 */
export function limitConnections(server: Server, most: number): void {
  server.maxConnections = most;
  /** Oldest first. */
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    if (open.size >= server.maxConnections) {
      server.emit('drop', { remoteAddress: socket.remoteAddress });
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size < server.maxConnections * CROWDED) return;
    server.closeIdleConnections();
    // Those that never sent a byte are not idle for Node: their first request may be on its way.
    for (const one of open) {
      if (one.bytesRead > 0 || one === socket) continue;
      one.destroy();
      return;
    }
  });
}
