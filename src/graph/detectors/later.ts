// Decides which of two documents is later: the later one quotes, follows or updates the other.
import type { NodeDocument } from './document.js';

export type Dated = Pick<NodeDocument, 'id' | 'at'>;

/** A total order: by time where both documents have one, else by id. */
export function isLater(a: Dated, b: Dated): boolean {
  if (a.at !== null && b.at !== null && a.at !== b.at) return a.at > b.at;
  return a.id > b.id;
}
