// The connections of one thread, and how many a process may have: descriptors are left for the files
// of the data, whatever clients do with theirs.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RawConnections } from './raw-connections.js';

/** At least this many descriptors are for files, threads and the log, a quarter if that is more. */
const LEAST_FILES = 64;
const MOST_FILES = 1024;

export function connectionsFor(descriptors: number): number {
  const files = Math.min(MOST_FILES, Math.max(LEAST_FILES, Math.ceil(descriptors / 4)));
  return Math.max(1, descriptors - files);
}

/**
 * How long a client that has ended its side is answered; then it is gone, and its requests are
 * cancelled. Nobody can tell it from a client that has closed its connection.
 */
const HALF_CLOSED_MS = 1000;
/** How long a connection that was accepted last may take to send its first byte when draining. */
const FIRST_BYTE_MS = 250;

export interface ThreadConnectionsOptions {
  readonly server: Server;
  /** Absent if connections begin at the HTTP server, as with TLS. */
  readonly raw?: RawConnections | undefined;
  readonly closed?: () => void;
}

export class ThreadConnections {
  readonly #options: ThreadConnectionsOptions;
  /** Oldest first. */
  readonly #open = new Set<Socket>();
  #isDraining = false;
  #drained: () => void = () => {};

  constructor(options: ThreadConnectionsOptions) {
    this.#options = options;
    // Node starts its timers of incomplete requests when a server listens, which this one never does.
    options.server.emit('listening');
    // Not with TLS, whose sockets do not tell here that their clients have ended.
    if (options.raw !== undefined) Object.assign(options.server, { httpAllowHalfOpen: true });
  }

  get size(): number {
    return this.#open.size;
  }
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Owns the socket, of which nothing was read yet. */
  take(socket: Socket): void {
    const { raw, server, closed } = this.#options;
    this.#open.add(socket);
    let gone: NodeJS.Timeout | undefined;
    socket.once('end', () => {
      gone = setTimeout(() => socket.destroy(), HALF_CLOSED_MS);
    });
    socket.once('close', () => {
      clearTimeout(gone);
      this.#open.delete(socket);
      closed?.();
      if (this.#open.size === 0) this.#drained();
    });
    if (raw !== undefined) raw.take(socket);
    else {
      server.emit('connection', socket);
      socket.resume();
    }
  }

  /** Makes room: closes those that wait for nothing, and the oldest that has never sent a byte. */
  closeIdle(): void {
    this.#closeUsed();
    for (const socket of this.#open) {
      if (socket.bytesRead > 0) continue;
      socket.destroy();
      return;
    }
  }

  /** Resolves when every request is answered and every connection is closed. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    // What has arrived by now is read first.
    await new Promise(setImmediate);
    this.#closeUsed();
    setTimeout(() => {
      for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
    }, FIRST_BYTE_MS);
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  /** Closes all connections, whatever is on them. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #closeUsed(): void {
    this.#options.raw?.closeIdle();
    this.#options.server.closeIdleConnections();
  }
}
