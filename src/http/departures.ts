// On the main thread: connections that ask for nothing but plain searches leave the HTTP server, which others need. One leaves between
// two requests, and only when every byte that came on it is known to be answered.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyOf, type Duplicate } from './descriptor.js';
import { PATIENCE } from './messages.js';
import { RequestBytes, type RequestState } from './request-bytes.js';

const LIGHT = /^\/(?:[^?/]+\/)?_(?:search|count)(?:\?|$)/;

export interface DeparturesOptions {
  readonly duplicate: Duplicate;
  /** Whether one that could leave should. */
  readonly wanted: () => boolean;
  /** Owns the descriptor from now on. */
  readonly leave: (fd: number, patience: number) => void;
}

/** Of a connection. */
interface Stay {
  readonly patience: number;
  searches: number;
  /** Requests that are not answered. */
  open: number;
  /** The bytes of the request that is being answered, once somebody looks. */
  bytes: RequestBytes | undefined;
  state: RequestState;
}

export class Departures {
  readonly #options: DeparturesOptions;
  readonly #stays = new WeakMap<Socket, Stay>();

  constructor(server: Server, options: DeparturesOptions) {
    this.#options = options;
    server.on('request', (request, response) => this.#requested(request, response));
  }

  /** One that came back. */
  returned(socket: Socket, patience: number): void {
    this.#stays.set(socket, stayOf(patience));
  }

  #requested(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let stay = this.#stays.get(socket);
    if (stay === undefined) {
      stay = stayOf(PATIENCE);
      this.#stays.set(socket, stay);
    }
    if (!LIGHT.test(request.url ?? '')) {
      // Whatever else is open then, nothing leaves before as many searches again.
      stay.searches = 0;
      return;
    }
    stay.searches += 1;
    stay.open += 1;
    response.once('finish', () => this.#answered(socket, stay));
  }

  #answered(socket: Socket, stay: Stay): void {
    stay.open -= 1;
    if (stay.searches < stay.patience) return;
    const { bytes } = stay;
    if (bytes !== undefined) this.#mayLeave(socket, stay, bytes);
    // A server that holds back a client who asks faster than he reads is not to be disturbed.
    else if (stay.open === 0 && !socket.isPaused() && this.#options.wanted())
      this.#look(socket, stay);
  }

  /** From the next request on. If a part of it is there already, what comes now will not be whole. */
  #look(socket: Socket, stay: Stay): void {
    const bytes = new RequestBytes();
    stay.bytes = bytes;
    socket.on('data', (chunk: Buffer) => {
      stay.state = stay.state === 'other' ? 'other' : bytes.add(chunk);
    });
  }

  #mayLeave(socket: Socket, stay: Stay, bytes: RequestBytes): void {
    const whole = stay.state === 'whole';
    bytes.clear();
    stay.state = 'more';
    if (!whole || !this.#options.wanted()) return;
    setImmediate(() => {
      const isAnswered = stay.open === 0 && bytes.isEmpty && socket.writableLength === 0;
      if (!isAnswered || socket.destroyed || !this.#options.wanted()) return;
      const fd = copyOf(socket, this.#options.duplicate);
      if (fd === undefined) return;
      socket.destroy();
      this.#options.leave(fd, stay.patience);
    });
  }
}

function stayOf(patience: number): Stay {
  return { patience, searches: 0, open: 0, bytes: undefined, state: 'more' };
}
