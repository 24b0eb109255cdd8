// The bytes of one request as they arrive, read just far enough to know where it ends and whether it
// is one that can be answered without an HTTP server.

import { type RawHead, readHead } from './raw-head.js';

/** Bodies up to this length are waited for. */
const SHORT_BODY = 64 * 1024;
/** Maximum length of a head, as of Node's HTTP server. */
const MOST_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * `more`: incomplete. `whole`: one such request and nothing else. `long`: such a request and the
 * beginning of a body that is not waited for. `other`: anything else.
 */
export type RequestState = 'more' | 'whole' | 'long' | 'other';

export interface RawRequest extends RawHead {
  /** What has arrived of it; empty if there is none. */
  readonly body: Buffer;
}

export class RequestBytes {
  #chunks: Buffer[] = [];
  #length = 0;
  #head: RawHead | undefined;
  /** Offset of the body. */
  #bodyAt = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(chunk: Buffer): RequestState {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#head === undefined) {
      const bytes = this.all();
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return this.#length > MOST_HEAD_BYTES ? 'other' : 'more';
      this.#head = end > MOST_HEAD_BYTES ? undefined : readHead(bytes, end);
      if (this.#head === undefined) return 'other';
      this.#bodyAt = end + HEAD_END.length;
    }
    const missing = this.#bodyAt + this.#head.length - this.#length;
    if (missing > 0) return this.#head.length > SHORT_BODY ? 'long' : 'more';
    return missing === 0 ? 'whole' : 'other';
  }

  /** The request, of which at least the head has arrived. */
  request(): RawRequest {
    if (this.#head === undefined) throw new Error('no head has come');
    const { method, url, headers, length } = this.#head;
    // Assigned member by member, because spreading objects is slow.
    return { method, url, headers, length, body: this.all().subarray(this.#bodyAt) };
  }

  all(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    return bytes;
  }

  clear(): void {
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    this.#bodyAt = 0;
  }
}
