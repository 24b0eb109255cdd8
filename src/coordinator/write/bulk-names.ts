// The index names of a bulk body that may be created: those to which some line writes a document. A
// delete creates nothing. Used only when a body names an index that does not exist.
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../base/cooperative-task.js';
import { parseJson } from '../catalog/json-text.js';

const NEWLINE = 0x0a;

/** Names with an index, create or update line; `defaultIndex` is the name for lines without one. */
export function* writtenNames(
  body: Uint8Array,
  defaultIndex: string,
): CooperativeTask<ReadonlySet<string>> {
  const names = new Set<string>();
  const decoder = new TextDecoder();
  let isSource = false;
  let lines = 0;
  let lastLine = '';
  let action: Action | undefined;
  for (let at = 0; at < body.length; ) {
    const found = body.indexOf(NEWLINE, at);
    const end = found < 0 ? body.length : found;
    const line = isSource ? '' : decoder.decode(body.subarray(at, end)).trim();
    at = end + 1;
    lines += 1;
    if (lines % ITEMS_PER_YIELD === 0) yield;
    if (isSource) {
      isSource = false;
      continue;
    }
    if (line === '') continue;
    // Lines without an id are mostly equal.
    if (line !== lastLine) action = readAction(line);
    lastLine = line;
    isSource = action?.op !== 'delete';
    if (action !== undefined && isSource) names.add(action.index ?? defaultIndex);
  }
  return names;
}

interface Action {
  readonly op: string;
  readonly index?: string;
}

/** Undefined for an invalid line; the core rejects such bodies earlier. */
function readAction(line: string): Action | undefined {
  try {
    const [entry] = Object.entries(parseJson(line) as Record<string, { _index?: unknown } | null>);
    if (entry === undefined) return undefined;
    const [op, metadata] = entry;
    const index = metadata?._index;
    return typeof index === 'string' ? { op, index } : { op };
  } catch {
    return undefined;
  }
}
