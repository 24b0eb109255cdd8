// Ids of scrolls and points in time as clients carry them: opaque, not to be guessed, and told apart from text that never
// was one, so that a broken id is an error of its own and not a context that ended.
import { createHash } from 'node:crypto';

export type ContextKind = 'scroll' | 'pit';

const FORMAT = 1;
const KIND_BYTE: Readonly<Record<ContextKind, number>> = { scroll: 1, pit: 2 };
const HEAD = 2;
export const SECRET_BYTES = 16;
const SUM_BYTES = 4;
const BYTES = HEAD + SECRET_BYTES + SUM_BYTES;

/** `secret`: SECRET_BYTES random ones. */
export function contextId(kind: ContextKind, secret: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([FORMAT, KIND_BYTE[kind]]), secret]);
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/** The text was made by contextId(), here or elsewhere. */
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
