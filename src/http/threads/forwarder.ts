// On an HTTP worker: requests that the main thread answers. Heads and bodies go there, answers come back
// and are sent as any other.
import { Readable } from 'node:stream';
import type { Exchange, Reply } from '../pipeline/exchange.js';
import type { ForwardedAnswer, ForwardToMain, ForwardToWorker } from './messages.js';
import { exactBytes, ReceivedBody, receivedBytes, SentBody } from './pieces.js';

/** Bodies up to this declared length are sent with their heads, in one message. */
const SMALL_BODY = 64 * 1024;

/** One request at the main thread. */
interface Forwarded {
  readonly exchange: Exchange;
  /** The body of the request, if it goes in pieces. */
  request: SentBody | undefined;
  /** The body of the answer, if it comes in pieces. */
  answer: ReceivedBody | undefined;
}

export class Forwarder {
  readonly #post: (message: ForwardToMain) => void;
  readonly #open = new Map<number, Forwarded>();
  #last = 0;

  constructor(post: (message: ForwardToMain) => void) {
    this.#post = post;
  }

  get size(): number {
    return this.#open.size;
  }

  /** `body`: what was read of it already, all of it. */
  forward(exchange: Exchange, body?: Buffer): void {
    const unread = body ?? exchange.body;
    if (unread === undefined || Buffer.isBuffer(unread)) this.#start(exchange, unread);
    else if (isSmall(exchange)) {
      // If the client leaves before all of it has arrived, nobody misses the request.
      collected(unread).then(
        (bytes) => this.#start(exchange, bytes),
        () => {},
      );
    } else this.#start(exchange, unread);
  }

  receive(message: ForwardToWorker): void {
    const forwarded = this.#open.get(message.id);
    if (forwarded === undefined) return;
    switch (message.kind) {
      case 'answer':
        this.#answer(message.id, forwarded, message.answer);
        break;
      case 'answerPiece':
        forwarded.answer?.receive(message.piece);
        break;
      case 'wantsRequest':
        forwarded.request?.next();
        break;
    }
  }

  #start(exchange: Exchange, body: Buffer | Readable | undefined): void {
    const { method, url, connection, response } = exchange;
    this.#last += 1;
    const id = this.#last;
    const forwarded: Forwarded = { exchange, request: undefined, answer: undefined };
    this.#open.set(id, forwarded);
    const isStream = body instanceof Readable;
    if (isStream) {
      const send = (piece: Parameters<ReceivedBody['receive']>[0]): void =>
        this.#post({ kind: 'requestPiece', id, piece });
      forwarded.request = new SentBody(body, send);
    }
    response.once('close', () => {
      if (this.#open.delete(id)) this.#post({ kind: 'gone', id });
    });
    this.#post({
      kind: 'request',
      id,
      head: {
        method,
        url,
        headers: { ...exchange.headers },
        address: connection.remoteAddress,
        body: isStream ? 'pieces' : body && exactBytes(body),
      },
    });
  }

  #answer(id: number, forwarded: Forwarded, answer: ForwardedAnswer): void {
    const { status, headers } = answer;
    // A request that was refused before all of it had arrived.
    forwarded.request?.discard();
    const reply: Reply = { status, headers, body: this.#bodyOf(id, forwarded, answer.body) };
    forwarded.exchange.send(reply, () => {
      if (this.#open.delete(id) && answer.isReported) this.#post({ kind: 'sent', id });
    });
  }

  #bodyOf(id: number, forwarded: Forwarded, body: ForwardedAnswer['body']): Reply['body'] {
    if (body === undefined) return undefined;
    if (body !== 'pieces') return receivedBytes(body);
    forwarded.answer = new ReceivedBody(() => this.#post({ kind: 'wantsAnswer', id }));
    return forwarded.answer;
  }
}

function isSmall({ headers }: Exchange): boolean {
  const { 'content-length': length } = headers;
  return length !== undefined && Number(length) <= SMALL_BODY;
}

async function collected(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
