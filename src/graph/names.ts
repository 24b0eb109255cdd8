// Rules for the names of brains and their indexes, ids of nodes and types of links.
import { QuarryError } from '../errors.js';

const MAX_NAME = 200;
const MAX_ID_BYTES = 512;
const MEMORY = '.svc-memory-';
const EDGES = '-edges';
const SUGGESTIONS = '.svc-suggestions-';
const LONE_SURROGATE = /\p{Cs}/u;

export function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/** Throws illegal_argument_exception unless `name` follows the rule of namespaces. */
export function checkBrain(name: string): void {
  checkName(name, 'brain');
}

/** The same check for another kind of name, which `what` gives for the message. */
export function checkName(name: string, what: string): void {
  const why = objection(name, what);
  if (why !== undefined) throw illegal(`${what} name [${name}] ${why}`);
}

/** Whether `name` follows the rule. */
export function isName(name: string): boolean {
  return objection(name, 'namespace') === undefined;
}

function objection(name: string, what: string): string | undefined {
  if (name.length > MAX_NAME) {
    return `has ${name.length} characters, at most ${MAX_NAME} are allowed`;
  }
  if (!/^[a-z0-9][a-z0-9_.-]*$/.test(name)) {
    return 'must start with a-z or 0-9 and go on with a-z, 0-9, [_], [-] or [.]';
  }
  if (name.includes('..')) return 'must not contain [..]';
  if (name.endsWith(EDGES)) {
    return `must not end in [${EDGES}], which names the links of ${what} [${name.slice(0, -EDGES.length)}]`;
  }
  return undefined;
}

/** The index whose documents are the nodes, unless the brain's settings name another. */
export function defaultNodesIndex(brain: string): string {
  return `${MEMORY}${brain}`;
}

/**
 * The brain to which an index belongs as its default nodes index; undefined for any other index.
 */
export function brainOfNodes(index: string): string | undefined {
  return index.startsWith(MEMORY) && !isEdgesIndex(index) ? index.slice(MEMORY.length) : undefined;
}

export function edgesIndex(brain: string): string {
  return `${MEMORY}${brain}${EDGES}`;
}

/** The brain whose links the index holds; undefined for any other index. */
export function brainOfEdges(index: string): string | undefined {
  return isEdgesIndex(index) ? index.slice(MEMORY.length, -EDGES.length) : undefined;
}

/** The index of links that detectors propose. No namespace has an index of such a name. */
export function suggestionsIndex(brain: string): string {
  return `${SUGGESTIONS}${brain}`;
}

/** True for the name of an index that holds links. */
export function isEdgesIndex(name: string): boolean {
  return name.startsWith(MEMORY) && name.endsWith(EDGES);
}

/** True for the name of an index that holds links or suggestions of them. */
export function isGraphIndex(name: string): boolean {
  return isEdgesIndex(name) || name.startsWith(SUGGESTIONS);
}

/** Checks `value` as the id of a node or the type of a link and returns it; errors name `field`. */
export function checkId(value: string, field: string): string {
  if (value === '') throw illegal(`[${field}] must not be empty`);
  if (value.includes('\0')) {
    throw illegal(`[${field}] must not contain the character NUL (U+0000)`);
  }
  if (LONE_SURROGATE.test(value)) {
    throw illegal(`[${field}] must be valid Unicode, it has half of a surrogate pair`);
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_ID_BYTES) {
    throw illegal(`[${field}] has ${bytes} bytes, at most ${MAX_ID_BYTES} are allowed`);
  }
  return value;
}
