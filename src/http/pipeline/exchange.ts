// One request and its answer as a transport provides them to the pipeline.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { AnswerStream } from '../../api/kit/client.js';

/** The connection of a client; one object for all requests on it. */
export interface ClientConnection {
  readonly remoteAddress?: string | undefined;
  once(event: 'close', listener: () => void): unknown;
}

/** A complete answer. Names of headers are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent in pieces as the client reads them, and destroyed if the client is gone. */
  readonly body: Buffer | Readable | undefined;
}

export interface Exchange {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly connection: ClientConnection;
  /** The body as it was sent, possibly compressed; a stream is read once. Undefined: no body. */
  readonly body: Buffer | Readable | undefined;
  /** The whole request has arrived. */
  readonly isWhole: boolean;
  /** The answer as the code that works on the request watches it. */
  readonly response: AnswerStream;
  /** Throws if intermediaries could understand the request differently. */
  validate(): void;
  /** Called once. `sent` is called when the client's system has taken all of the answer. */
  send(reply: Reply, sent: () => void): void;
}
