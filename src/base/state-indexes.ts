// Indexes in which the service keeps state of its own, a document for each namespace or brain, of whomever it is. What stands in
// them decides what the service does in everybody's name, so a key for some indexes neither reads nor writes them, whatever its
// patterns match: they change by the routes of memory and graph alone.

/** Settings of memory namespaces. */
export const NAMESPACES_INDEX = '.svc-namespaces';
/** Settings of brains. */
export const BRAINS_INDEX = '.svc-brains';
/** What stores that replace others are about to do. */
export const INTENTS_INDEX = '.svc-intents';
/** Of each namespace with memories that expire: when the first does. */
export const EXPIRIES_INDEX = '.svc-expiries';

const ALL: readonly string[] = [NAMESPACES_INDEX, BRAINS_INDEX, INTENTS_INDEX, EXPIRIES_INDEX];

export function isStateIndex(name: string): boolean {
  return ALL.includes(name);
}
