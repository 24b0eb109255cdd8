// The id of a link: 32 hex digits of a hash over its statement. The same statement has the same id
// wherever it is made, so that a retry and an import find the existing link.

/**
 * XXH3-128 with seed 0, most significant byte first; passed in, because native code computes it.
 */
export type Hash128 = (bytes: Uint8Array) => Uint8Array;

export interface Statement {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  /** Epoch milliseconds. */
  readonly validAt: number;
}

/**
 * None of the strings may contain NUL, so that two different statements never hash the same bytes.
 */
export function edgeId(hash: Hash128, { src, type, dst, validAt }: Statement): string {
  const text = `xg1\0${src}\0${type}\0${dst}\0${validAt}`;
  return Buffer.from(hash(Buffer.from(text, 'utf8'))).toString('hex');
}
