// The bytes of one request as they came in, looked at just far enough to know where it ends and what it asks for: a connection
// changes its thread between two requests only, and one that a thread cannot answer goes on with its bytes to another.

/** Head and body together; searches beyond it are rare, and none of the short ones. */
const MOST_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LIGHT = /^(?:GET|POST) \/(?:[^ ?/]+\/)?_(?:search|count)(?:\?[^ ]*)? HTTP\/1\.1\r\n/;
/** What changes how long a body is, or what follows it on the connection. In small letters, as all names of headers here. */
const ODD = ['\r\ntransfer-encoding', '\r\nexpect', '\r\nupgrade'];
const LENGTH = '\r\ncontent-length';
const LENGTH_HEADER = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n/y;

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

/** Undefined where the head does not say it plainly. Searched for as text: it is done for every request. */
function bodyLength(head: string): number | undefined {
  const lower = head.toLowerCase();
  if (ODD.some((name) => isThere(lower, name))) return undefined;
  const at = lower.indexOf(LENGTH);
  if (at < 0) return 0;
  if (lower.includes(LENGTH, at + 1)) return undefined;
  // A length in a form that is not understood is no body of none.
  LENGTH_HEADER.lastIndex = at;
  const digits = LENGTH_HEADER.exec(lower)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Other names may begin with it. */
function isThere(head: string, name: string): boolean {
  for (let at = head.indexOf(name); at >= 0; at = head.indexOf(name, at + 1)) {
    const rest = head.slice(at + name.length).trimStart();
    if (rest.startsWith(':')) return true;
  }
  return false;
}
