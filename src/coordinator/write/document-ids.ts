// Generates document ids: UUIDs of version 7 (RFC 9562), ordered by time, so that ids of documents
// that are stored together are similar.
import { randomBytes } from 'node:crypto';

const TIME_BYTES = 6;
const UUID_BYTES = 16;
const VERSION = 0x70;
const VARIANT = 0x80;

/**
 * `nowMs`: wall clock. 74 random bits make equal ids within one millisecond practically impossible.
 */
export function makeDocumentId(nowMs: number): string {
  const bytes = randomBytes(UUID_BYTES);
  bytes.writeUIntBE(Math.max(0, Math.trunc(nowMs)) % 2 ** 48, 0, TIME_BYTES);
  bytes[6] = VERSION | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = VARIANT | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
