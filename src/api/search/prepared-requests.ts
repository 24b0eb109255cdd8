// The searches of requests that were sent before, byte for byte: nothing of such a request has to be
// read, checked or compiled again. This is the only cache between a request and the core; it holds
// what was asked, never what was found.

import type { Grant } from '../../auth/grant.js';
import type { MaybePromise, PreparedSearch, SearchResult } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import type { Answer, ApiRequest } from '../kit/routes.js';

/** Requests that are kept: at least this many of the most recent ones, at most twice as many. */
const KEPT = 256;
/** Maximum length of the address and body of a kept request. */
const LONGEST = 2048;
/** Date math in a name, which resolves to another name the next day. */
const DATE_MATH = /<|%3c/i;

export interface PreparedRequest {
  readonly search: PreparedSearch;
  readonly answer: (result: SearchResult) => MaybePromise<Answer>;
}

/** In the place of a request that was sent once: most requests are never repeated. */
const SENT_ONCE = Symbol('sent once');

/** One per thread. */
export class PreparedRequests {
  readonly #requests = new BoundedMap<string, PreparedRequest | typeof SENT_ONCE>(KEPT);
  /** A grant is another object after each change of its key. */
  readonly #grants = new WeakMap<Grant, number>();
  #lastGrant = 0;

  /**
   * Everything that a search handler reads of a request: who sent it, the method, the address, the
   * media types and the body. Undefined if the request is not kept.
   */
  keyOf({ key, method, address, contentType, accept, body }: ApiRequest): string | undefined {
    const length = address.length + (body?.length ?? 0);
    if (length > LONGEST || DATE_MATH.test(address)) return undefined;
    const grant = key === null ? 0 : this.#numberOf(key);
    const head = `${grant} ${method} ${address}\n${contentType ?? ''}\n${accept ?? ''}\n`;
    return body === undefined ? head : head + body.toString('latin1');
  }

  /** Undefined if it is not kept, or if something that it depends on has changed. */
  get(key: string): PreparedRequest | undefined {
    const known = this.#requests.get(key);
    return known === undefined || known === SENT_ONCE || !known.search.isCurrent()
      ? undefined
      : known;
  }

  /** Keeps a request that can be executed again from the second time on that it was sent. */
  set(key: string, request: PreparedRequest): void {
    if (!request.search.isCurrent()) return;
    this.#requests.set(key, this.#requests.has(key) ? request : SENT_ONCE);
  }

  #numberOf(grant: Grant): number {
    const known = this.#grants.get(grant);
    if (known !== undefined) return known;
    this.#lastGrant += 1;
    this.#grants.set(grant, this.#lastGrant);
    return this.#lastGrant;
  }
}
