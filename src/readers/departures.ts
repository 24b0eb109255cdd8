// On the main thread: connections that ask for nothing but searches leave it for a reader while it is busy. One leaves between two
// requests, and only when every byte that came on it is known to be answered.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyOf, type Duplicate } from './descriptor.js';
import { PATIENCE } from './messages.js';
import { RequestBytes, type RequestState } from './request-bytes.js';

const LIGHT = /^\/(?:[^?/]+\/)?_(?:search|count)(?:\?|$)/;

export interface DeparturesOptions {
  readonly duplicate: Duplicate;
  /** Whether one of so many connections that could leave should. */
  readonly wanted: (steady: number) => boolean;
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
  readonly #steady = new Set<Socket>();

  constructor(server: Server, options: DeparturesOptions) {
    this.#options = options;
    server.on('request', (request, response) => this.#asked(request, response));
  }

  /** One that came back from a reader. */
  returned(socket: Socket, patience: number): void {
    this.#stays.set(socket, stayOf(patience));
  }

  #asked(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let stay = this.#stays.get(socket);
    if (stay === undefined) {
      stay = stayOf(PATIENCE);
      this.#stays.set(socket, stay);
    }
    if (!LIGHT.test(request.url ?? '')) {
      // Whatever else is open then, nothing leaves before as many searches again.
      stay.searches = 0;
      this.#steady.delete(socket);
      return;
    }
    stay.searches += 1;
    stay.open += 1;
    if (stay.searches === stay.patience) this.#settle(socket);
    response.once('finish', () => this.#answered(socket, stay));
  }

  #answered(socket: Socket, stay: Stay): void {
    stay.open -= 1;
    if (stay.searches < stay.patience) return;
    const { bytes } = stay;
    if (bytes !== undefined) this.#mayLeave(socket, stay, bytes);
    else if (this.#options.wanted(this.#steady.size)) this.#look(socket, stay);
  }

  #settle(socket: Socket): void {
    this.#steady.add(socket);
    socket.once('close', () => this.#steady.delete(socket));
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
    if (!whole || !this.#options.wanted(this.#steady.size)) return;
    setImmediate(() => {
      const isAnswered = stay.open === 0 && bytes.isEmpty && socket.writableLength === 0;
      // Others may have left in this turn.
      if (!isAnswered || socket.destroyed || !this.#options.wanted(this.#steady.size)) return;
      const fd = copyOf(socket, this.#options.duplicate);
      if (fd === undefined) return;
      this.#steady.delete(socket);
      socket.destroy();
      this.#options.leave(fd, stay.patience);
    });
  }
}

function stayOf(patience: number): Stay {
  return { patience, searches: 0, open: 0, bytes: undefined, state: 'more' };
}
