// The earlier versions of a memory. They are a member of its document, so that whatever removes the
// memory removes them in the same write, and an export has them.
import type { Json, JsonObject } from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { isObject } from '../body-fields.js';

export interface Version {
  readonly text: string | null;
  readonly metadata: JsonObject | null;
  readonly expires_at: number | null;
  /** When it was stored or became the latest version; epoch milliseconds. */
  readonly from: number;
  /** When the next version replaced it. */
  readonly until: number;
}

/** The member of the document; the mapping does not know it, so that nothing searches it. */
export const HISTORY = 'history';
/** Kept versions of one memory, and their characters in total; the latest one is always kept. */
export const MAX_VERSIONS = 100;
const MAX_CHARS = 4 * 1024 * 1024;

/** The versions in a document, the latest first; what is no version is left out. */
export function versionsOf(document: JsonObject): readonly Version[] {
  const kept = document[HISTORY];
  return Array.isArray(kept) ? (kept as readonly Json[]).flatMap(readVersion) : [];
}

function readVersion(one: Json): readonly Version[] {
  if (!isObject(one)) return [];
  const { text, metadata, expires_at, from, until } = one;
  if (typeof from !== 'number' || typeof until !== 'number') return [];
  return [
    {
      text: typeof text === 'string' ? text : null,
      metadata: isObject(metadata) ? metadata : null,
      expires_at: typeof expires_at === 'number' ? expires_at : null,
      from,
      until,
    },
  ];
}

/** The versions with one more; the oldest leave where they are too many or too long. */
export function withVersion(versions: readonly Version[], version: Version): readonly Version[] {
  let chars = lengthOf(version);
  const kept = [version];
  for (const one of versions.slice(0, MAX_VERSIONS - 1)) {
    chars += lengthOf(one);
    if (chars > MAX_CHARS) break;
    kept.push(one);
  }
  return kept;
}

function lengthOf({ text, metadata }: Version): number {
  return (text?.length ?? 0) + (metadata === null ? 0 : plainJson(metadata).length);
}
