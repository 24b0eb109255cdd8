// The listener of the process: it accepts every connection, counts them, and gives each to one HTTP
// thread before a byte of it is read.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A thread with connections of its own. */
export interface HttpThread {
  /** Number of its connections. */
  readonly size: number;
  /** Owns the socket from now on; false: it cannot take another. */
  take(socket: Socket): boolean;
  /** Closes connections that wait for nothing, and the oldest that has never sent a byte. */
  closeIdle(): void;
  /** Resolves when every request is answered and every connection is closed. */
  drain(): Promise<void>;
}

export interface FrontDoorOptions {
  /** The main thread, which takes every connection that others cannot. */
  readonly main: HttpThread;
  readonly workers: () => readonly HttpThread[];
  /** Maximum number of connections of all threads. */
  readonly most: number;
  /** A connection beyond the limit was closed. */
  readonly onRefusal: (address: string | undefined) => void;
  /** A connection could not be accepted. */
  readonly onError: (error: Error) => void;
}

/** From this share of the maximum on, idle connections are closed to make room for new ones. */
const CROWDED = 0.9;

export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #server: Server;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    const settings = { pauseOnConnect: true, allowHalfOpen: true, noDelay: true };
    this.#server = createServer(settings, (socket) => this.#accept(socket));
    // An accept that fails, for lack of buffers or memory, is no reason to end.
    this.#server.on('error', (error) => {
      if (this.#server.listening) options.onError(error);
    });
  }

  /** Resolves to the address. */
  listen(host: string, port: number): Promise<AddressInfo> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve(server.address() as AddressInfo);
      });
    });
  }

  /** Accepts no more; what is open stays. */
  close(): void {
    this.#server.close();
  }

  #accept(socket: Socket): void {
    const { main, workers, most, onRefusal } = this.#options;
    socket.on('error', () => socket.destroy());
    const threads = [main, ...workers()];
    const size = threads.reduce((sum, thread) => sum + thread.size, 0);
    if (size >= most) {
      onRefusal(socket.remoteAddress);
      socket.destroy();
      return;
    }
    if (size + 1 >= most * CROWDED) for (const thread of threads) thread.closeIdle();
    // The first of those with the fewest, which is the main thread if it is one of them.
    const [first = main] = threads.sort((a, b) => a.size - b.size);
    if (!first.take(socket)) main.take(socket);
  }
}
