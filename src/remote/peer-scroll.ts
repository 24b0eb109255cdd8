// A scroll over the documents of another server. At most one answer is held at a time, and its
// bytes are accounted for while it is.
import type { JsonObject } from '../backend/index.js';
import { runCooperatively } from '../base/cooperative-task.js';
import { HitsError, type HitsPage, readHitsPage } from './hits-page.js';
import { type Peer, type PeerError, repeated } from './peer.js';

export interface PeerScrollOptions {
  readonly peer: Peer;
  /** Index expression of the other server. */
  readonly index: string;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** Called with the size of each answer. */
  readonly onAnswer: (bytes: number) => void;
  /** Called before a rejected request is repeated. */
  readonly onRepeat: () => void;
}

/** Tries of a request that the other server rejects because it is busy. */
const TRIES = 12;

export class PeerScroll {
  readonly #options: PeerScrollOptions;
  #size = 0;

  constructor(options: PeerScrollOptions) {
    this.#options = options;
  }

  /** Returns the first batch. `body` holds `size`. Rejects with PeerError. */
  start(body: JsonObject, keepAlive: string): Promise<HitsPage> {
    this.#size = Number(body['size']);
    const path = `/${encodeIndex(this.#options.index)}/_search?scroll=${encodeURIComponent(keepAlive)}`;
    return this.#page(path, body);
  }

  next(id: string, keepAlive: string): Promise<HitsPage> {
    return this.#page('/_search/scroll', { scroll: keepAlive, scroll_id: id });
  }

  /** A scroll that cannot be cleared ends by itself after its keep-alive. */
  async clear(id: string, signal: AbortSignal): Promise<void> {
    const body = { scroll_id: [id] };
    await this.#options.peer
      .bytes({ method: 'DELETE', path: '/_search/scroll', body, signal })
      .catch(() => {});
  }

  async #page(path: string, body: JsonObject): Promise<HitsPage> {
    const { peer, maxAnswerBytes, signal, onAnswer, onRepeat } = this.#options;
    const bytes = await repeated(
      () => peer.bytes({ method: 'POST', path, body, maxAnswerBytes, signal }),
      // A batch that was read and lost would be missing: only what was not executed is repeated.
      { tries: TRIES, signal, mayRepeat: wasRejected, onRepeat },
    );
    onAnswer(bytes.length);
    try {
      return await runCooperatively(readHitsPage(bytes, this.#size));
    } catch (error) {
      if (error instanceof HitsError) throw peer.unusable(error.message);
      throw error;
    }
  }
}

function wasRejected({ status }: PeerError): boolean {
  return status === 429;
}

/** The names of an index expression, each encoded for a path. */
export function encodeIndex(expression: string): string {
  return expression.split(',').map(encodeURIComponent).join(',');
}
