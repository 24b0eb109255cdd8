// Ids of scrolls, points in time and asynchronous searches as clients see them: opaque and impossible
// to guess. A checksum distinguishes them from other strings, so that an invalid id and an expired
// context are different errors.
import { createHash } from 'node:crypto';

export type ContextKind = 'scroll' | 'pit' | 'async';

const FORMAT = 1;
const KIND_BYTE: Readonly<Record<ContextKind, number>> = { scroll: 1, pit: 2, async: 3 };
const HEAD = 2;
export const SECRET_BYTES = 16;
const SUM_BYTES = 4;
const BYTES = HEAD + SECRET_BYTES + SUM_BYTES;

/** `secret`: SECRET_BYTES random bytes. */
export function contextId(kind: ContextKind, secret: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([FORMAT, KIND_BYTE[kind]]), secret]);
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/** Whether contextId() made the string, in this process or in another one. */
export function isContextId(kind: ContextKind, text: string): boolean {
  if (!/^[A-Za-z0-9_-]{30}$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return false;
  const body = bytes.subarray(0, HEAD + SECRET_BYTES);
  return (
    body[0] === FORMAT &&
    body[1] === KIND_BYTE[kind] &&
    checksum(body).equals(bytes.subarray(HEAD + SECRET_BYTES))
  );
}

function checksum(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, SUM_BYTES);
}
