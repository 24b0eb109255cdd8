// The socket of a connection of plain searches. What comes in is copied out of one buffer that all of a thread share, and an answer
// leaves by one system call: most requests are one read and one write, and need none of a stream's queues.
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

/**
 * Bytes of both, one behind the other, that the descriptor's connection takes without waiting; 0: none just now. -1: it is broken.
 */
export type SendNow = (fd: number, first: Uint8Array, second: Uint8Array | undefined) => number;

/** Sent as one. */
export type AnswerBytes = readonly [Buffer] | readonly [head: Buffer, body: Buffer];

/** Read at once. */
const MOST_BYTES = 64 * 1024;
const incoming = Buffer.allocUnsafeSlow(MOST_BYTES);

export class PlainStream {
  /** What is read goes to `came`: it emits no data. Half-open, as the HTTP server has its sockets. */
  readonly socket: Socket;
  readonly #fd: number;
  readonly #sendNow: SendNow;

  /** Owns the descriptor. `came`: owns its bytes. */
  constructor(fd: number, sendNow: SendNow, came: (bytes: Buffer) => void) {
    this.#fd = fd;
    this.#sendNow = sendNow;
    const callback = (count: number): boolean => {
      const bytes = Buffer.allocUnsafe(count);
      incoming.copy(bytes, 0, 0, count);
      came(bytes);
      return true;
    };
    // Its types know `onread` of sockets that connect only.
    const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: true,
      allowHalfOpen: true,
      onread: { buffer: incoming, callback },
    };
    this.socket = new Socket(options);
    this.socket.on('error', () => this.socket.destroy());
    this.socket.setNoDelay(true);
  }

  /** False: there is more than the client takes, until `drain`; or the connection is broken, and closes. */
  send([first, second]: AnswerBytes): boolean {
    const { socket } = this;
    const length = first.length + (second?.length ?? 0);
    let sent = 0;
    // Only then nothing is before it, and the descriptor is open.
    if (socket.writable && socket.writableLength === 0) {
      sent = this.#sendNow(this.#fd, first, second);
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
}
