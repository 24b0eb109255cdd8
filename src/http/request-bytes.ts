// The bytes of one request as they came in, looked at just far enough to know where it ends and whether it is a plain search: a
// connection changes its thread, or who answers it, between two requests only, and one that somebody cannot answer goes on with its
// bytes to another.

import { BoundedMap } from '../base/bounded-map.js';
import { Doorkeeper } from '../ops/doorkeeper.js';
import { type PlainHead, readHead } from './plain-head.js';

/** Head and body together; searches beyond it are rare, and none of the short ones. */
const MOST_BYTES = 64 * 1024;
/** What Node's HTTP server takes. */
const MOST_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Heads that are kept, twice as many at times, and their length: a client sends the same few again and again. */
const KEPT = 128;
const LONGEST = 1024;

/** Whole requests that are kept when they come for the second time, twice as many at times, and their length: with what was made of them they are found at one look. */
const KEPT_WHOLE = 256;
const LONGEST_WHOLE = 3072;

const recent = new BoundedMap<string, PlainHead>(KEPT);
const recentWhole = new BoundedMap<string, PlainRequest>(KEPT_WHOLE);
const doorkeeper = new Doorkeeper(2 * KEPT_WHOLE);

/** Undefined: not plain. */
function headOf(text: string): PlainHead | undefined {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const head = readHead(text);
  if (head !== undefined && text.length <= LONGEST) recent.set(text, head);
  return head;
}

/** `more`: not all is there. `whole`: one plain search and nothing else. `other`: anything else. */
export type RequestState = 'more' | 'whole' | 'other';

/** From its third time on mostly the same object for the same bytes. */
export interface PlainRequest extends PlainHead {
  /** Decodes nothing: as it was sent. Empty where there is none. */
  readonly body: Buffer;
}

export class RequestBytes {
  #chunks: Buffer[] = [];
  #length = 0;
  #head: PlainHead | undefined;
  /** Where the body begins. */
  #bodyAt = 0;
  /** That came before. */
  #known: PlainRequest | undefined;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(chunk: Buffer): RequestState {
    if (this.#length === 0 && chunk.length <= LONGEST_WHOLE) {
      this.#known = recentWhole.get(chunk.toString('latin1'));
    }
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#known !== undefined) {
      if (this.#chunks.length === 1) return 'whole';
      this.#known = undefined;
    }
    if (this.#length > MOST_BYTES) return 'other';
    if (this.#head === undefined) {
      const bytes = this.all();
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return this.#length > MOST_HEAD_BYTES ? 'other' : 'more';
      this.#head = end > MOST_HEAD_BYTES ? undefined : headOf(bytes.toString('latin1', 0, end));
      if (this.#head === undefined) return 'other';
      this.#bodyAt = end + HEAD_END.length;
    }
    const missing = this.#bodyAt + this.#head.length - this.#length;
    return missing > 0 ? 'more' : missing === 0 ? 'whole' : 'other';
  }

  /** Of a request that is whole. */
  request(): PlainRequest {
    if (this.#known !== undefined) return this.#known;
    if (this.#head === undefined) throw new Error('no whole request has come');
    const { method, url, headers, length } = this.#head;
    const bytes = this.all();
    const request = { method, url, headers, length, body: bytes.subarray(this.#bodyAt) };
    if (bytes.length <= LONGEST_WHOLE && doorkeeper.knows(bytes))
      recentWhole.set(bytes.toString('latin1'), request);
    return request;
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
    this.#known = undefined;
  }
}
