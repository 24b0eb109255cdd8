// The bytes of one request as they came in, looked at just far enough to know where it ends and what it asks for: a connection
// changes its thread between two requests only, and one that a thread cannot answer goes on with its bytes to another.

/** Head and body together; searches beyond it are rare, and none of the short ones. */
const MOST_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LIGHT = /^(?:GET|POST) \/(?:[^ ?/]+\/)?_(?:search|count)(?:\?[^ ]*)? HTTP\/1\.1\r\n/;
/** What changes how long a body is, or what follows it on the connection. */
const ODD = /\r\n(?:transfer-encoding|expect|upgrade)[ \t]*:/i;
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*(?=\r\n)/gi;

/** `more`: not all is there. `whole`: one search and nothing else. `other`: anything else. */
export type RequestState = 'more' | 'whole' | 'other';

export class RequestBytes {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Of head and body; 0: the head is not all there. */
  #expected = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(chunk: Buffer): RequestState {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > MOST_BYTES) return 'other';
    if (this.#expected === 0) {
      const bytes = this.all();
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return 'more';
      const head = bytes.toString('latin1', 0, end + 2);
      const length = bodyLength(head);
      if (length === undefined || !LIGHT.test(head)) return 'other';
      this.#expected = end + HEAD_END.length + length;
    }
    if (this.#length < this.#expected) return 'more';
    return this.#length === this.#expected ? 'whole' : 'other';
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
    this.#expected = 0;
  }
}

/** Undefined where the head does not say it plainly. */
function bodyLength(head: string): number | undefined {
  if (ODD.test(head)) return undefined;
  let length: number | undefined;
  for (const [, digits] of head.matchAll(LENGTH)) {
    if (length !== undefined) return undefined;
    length = Number(digits);
  }
  // A length in a form that is not understood is no body of none.
  if (length === undefined) return /\r\ncontent-length/i.test(head) ? undefined : 0;
  return length;
}
