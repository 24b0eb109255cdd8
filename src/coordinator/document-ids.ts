// Ids that the server gives to documents: 20 characters that are safe in a URL, in order of time, so that neighbours
// in an index have similar ids.
import { randomBytes } from 'node:crypto';

const TIME_BYTES = 6;
const RANDOM_BYTES = 9;

/** `nowMs`: wall clock. 72 random bits make two equal ids of one millisecond as good as impossible. */
export function makeDocumentId(nowMs: number): string {
  const bytes = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(Math.max(0, Math.trunc(nowMs)) % 2 ** 48, 0, TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(bytes, TIME_BYTES);
  return bytes.toString('base64url');
}
