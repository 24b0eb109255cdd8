// On the main thread: a request that an HTTP worker has forwarded.
import { EventEmitter } from 'node:events';
import type { AnswerStream } from '../../api/kit/client.js';
import type { ClientConnection, Exchange, Reply } from '../pipeline/exchange.js';
import type { ForwardedHead, ForwardToMain, ForwardToWorker } from './messages.js';
import { exactBytes, ReceivedBody, receivedBytes, SentBody } from './pieces.js';

/** Answers up to this size count as sent when they are on their way to the worker. */
const SMALL_ANSWER = 64 * 1024;

/** The client of one request; `close` when it is gone, or has its answer. */
class RemoteClient extends EventEmitter implements AnswerStream, ClientConnection {
  readonly remoteAddress: string | undefined;
  closed = false;
  writableFinished = false;

  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

export class ForwardedExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: ForwardedHead['headers'];
  readonly body: Buffer | ReceivedBody | undefined;
  readonly #id: number;
  readonly #post: (message: ForwardToWorker) => void;
  readonly #client: RemoteClient;
  readonly #ended: () => void;
  #answer: SentBody | undefined;
  #sent: () => void = () => {};

  /** `ended` is called when nothing more follows. */
  constructor(
    id: number,
    head: ForwardedHead,
    post: (message: ForwardToWorker) => void,
    ended: () => void,
  ) {
    const { method, url, headers, address, body } = head;
    this.#id = id;
    this.#post = post;
    this.#ended = ended;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#client = new RemoteClient(address);
    if (body === 'pieces') {
      this.body = new ReceivedBody(() => post({ kind: 'wantsRequest', id }));
    } else if (body !== undefined) {
      this.body = receivedBytes(body);
    }
  }

  get connection(): ClientConnection {
    return this.#client;
  }
  get response(): AnswerStream {
    return this.#client;
  }
  get isWhole(): boolean {
    return !(this.body instanceof ReceivedBody) || this.body.isOver;
  }

  /** The worker has validated it. */
  validate(): void {}

  send({ status, headers, body }: Reply, sent: () => void): void {
    const id = this.#id;
    this.#sent = sent;
    const isStream = body !== undefined && !Buffer.isBuffer(body);
    if (isStream) {
      this.#answer = new SentBody(body, (piece) => this.#post({ kind: 'answerPiece', id, piece }));
    }
    const bytes = isStream ? ('pieces' as const) : body && exactBytes(body);
    const isReported = isStream || (body?.length ?? 0) > SMALL_ANSWER;
    this.#post({ kind: 'answer', id, answer: { status, headers, body: bytes, isReported } });
    if (!isReported) this.#finish();
  }

  receive(message: Exclude<ForwardToMain, { kind: 'request' }>): void {
    switch (message.kind) {
      case 'requestPiece':
        if (this.body instanceof ReceivedBody) this.body.receive(message.piece);
        break;
      case 'wantsAnswer':
        this.#answer?.next();
        break;
      case 'sent':
        this.#finish();
        break;
      case 'gone':
        this.gone();
        break;
    }
  }

  gone(): void {
    this.#ended();
    if (this.body instanceof ReceivedBody) this.body.destroy(new Error('the client is gone'));
    this.#answer?.cancel();
    this.#client.close();
  }

  #finish(): void {
    this.#ended();
    this.#client.writableFinished = true;
    this.#sent();
    this.#client.close();
  }
}
