// Indexes with the service's own state, one document per namespace or brain of any owner. They
// control what the service does for all clients. A key for some indexes must not read or write
// them, whatever its patterns match; they change only through the memory and graph routes.

/** Settings of memory namespaces. */
export const NAMESPACES_INDEX = '.svc-namespaces';
/** Settings of brains. */
export const BRAINS_INDEX = '.svc-brains';
/** Write intents of stores that supersede other memories. */
export const INTENTS_INDEX = '.svc-intents';
/** For each namespace with expiring memories, the time of the first expiry. */
export const EXPIRIES_INDEX = '.svc-expiries';
/** The ids of forgotten memories, for those who follow the changes of a namespace. */
export const FORGOTTEN_INDEX = '.svc-forgotten';
/** How often memories were recalled, where that is counted. */
export const RECALLS_INDEX = '.svc-recalls';

const ALL: readonly string[] = [
  NAMESPACES_INDEX,
  BRAINS_INDEX,
  INTENTS_INDEX,
  EXPIRIES_INDEX,
  FORGOTTEN_INDEX,
  RECALLS_INDEX,
];

export function isStateIndex(name: string): boolean {
  return ALL.includes(name);
}
