// Requests and answers of Node's HTTP server.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { OneAnswer } from '../../api/kit/client.js';
import { checkRequest } from '../../api/kit/http-errors.js';
import type { ClientConnection, Exchange, Reply } from '../pipeline/exchange.js';
import { afterRest } from './discard.js';
import { cutWhenStalled } from './stalled.js';

export interface NodeExchangeOptions {
  /** Milliseconds within which a client must take a part of its answer. */
  readonly stalledMs: number;
  /** Connections are closed behind their answers. */
  readonly isClosing: () => boolean;
}

export class NodeExchange implements Exchange {
  readonly response: OneAnswer;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: NodeExchangeOptions;

  constructor(request: IncomingMessage, response: ServerResponse, options: NodeExchangeOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.response = new OneAnswer(request.socket);
  }

  get method(): string {
    return this.#request.method ?? '';
  }
  get url(): string {
    return this.#request.url ?? '/';
  }
  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }
  get connection(): ClientConnection {
    return this.#request.socket;
  }
  get body(): IncomingMessage | undefined {
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = this.headers;
    return coding === undefined && length === '0' ? undefined : this.#request;
  }
  get isWhole(): boolean {
    return this.#request.complete;
  }

  validate(): void {
    checkRequest(this.#request);
  }

  send({ status, headers, body }: Reply, sent: () => void): void {
    const request = this.#request;
    const response = this.#response;
    const { stalledMs, isClosing } = this.#options;
    const all: Record<string, string | number> = { ...headers };
    // The rest of a body that would have to be decompressed is not read.
    const isCutOff = !request.complete && this.headers['content-encoding'] !== undefined;
    if (isCutOff || isClosing()) response.shouldKeepAlive = false;
    if (body === undefined && status !== 204 && this.method !== 'HEAD') all['content-length'] = 0;
    if (Buffer.isBuffer(body)) all['content-length'] = body.length;
    response.writeHead(status, all);
    response.once('finish', () => {
      this.response.finish();
      sent();
    });
    cutWhenStalled(response, stalledMs);
    afterRest(request, response, () => {
      if (body === undefined || Buffer.isBuffer(body)) response.end(body);
      else pipeline(body, response, () => {});
    });
  }
}
