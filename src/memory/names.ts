// Names of namespaces and of the indexes behind them.
import { checkName, defaultNodesIndex, isEdgesIndex } from '../graph/names.js';

/**
 * Throws illegal_argument_exception unless `name` follows the rule. A namespace is also a brain, so
 * both share one rule.
 */
export function checkNamespace(name: string): void {
  checkName(name, 'namespace');
}

export function memoryIndex(namespace: string): string {
  return defaultNodesIndex(namespace);
}

const PREFIX = memoryIndex('');

/** True for the name of an index that holds memories. */
export function isMemoryIndex(name: string): boolean {
  return name.startsWith(PREFIX) && name.length > PREFIX.length && !isEdgesIndex(name);
}

/** The namespace whose memories the index holds. */
export function namespaceOf(index: string): string {
  return index.slice(PREFIX.length);
}
