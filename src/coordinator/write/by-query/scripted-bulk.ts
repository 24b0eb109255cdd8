// Splits bulk bodies that contain updates by script. The engine does not run scripts: everything
// between such updates is passed on as bytes, and the updates are run individually, all in the
// order of the body. A body with an action line that the engine might reject is not split, so that
// the engine rejects the whole body before anything is written.

import type {
  BulkRequest,
  Json,
  JsonObject,
  SourceSpec,
  WriteOperation,
} from '../../../backend/index.js';
import { type CooperativeTask, ITEMS_PER_YIELD } from '../../../base/cooperative-task.js';
import { asText } from '../../../base/json-text.js';
import { isObject } from '../../../query/values.js';
import { parseJson } from '../../catalog/json-text.js';

/** A range of bytes of the body, or an update by script. */
export type BulkStep =
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'update'; readonly operation: WriteOperation };

const NEWLINE = 0x0a;
const SCRIPT = '"script"';
const PIECE = 1024 * 1024;
const OPS = ['index', 'create', 'update', 'delete'];
const LONGS = ['version', 'if_seq_no', 'if_primary_term', 'retry_on_conflict'];
const TEXTS = ['_index', '_id', 'routing'];
const MOST_ID_BYTES = 512;

/**
 * Undefined: no update of the body has a script, or the engine should process the body as a whole.
 */
export function* scriptedSteps(
  request: BulkRequest,
): CooperativeTask<readonly BulkStep[] | undefined> {
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  if (body.at(-1) !== NEWLINE || !(yield* isNamed(body))) return undefined;
  const steps: BulkStep[] = [];
  let plain = 0;
  let updates = 0;
  for (let at = 0, lines = 1; at < body.length; lines++) {
    if (lines % ITEMS_PER_YIELD === 0) yield;
    const start = at;
    const end = body.indexOf(NEWLINE, at);
    at = end + 1;
    const line = body.toString('utf8', start, end).trim();
    if (line === '') continue;
    const action = readAction(line);
    if (action === undefined) return undefined;
    if (action.op === 'delete') continue;
    const sourceEnd = body.indexOf(NEWLINE, at);
    if (sourceEnd < 0) return undefined;
    const source = body.subarray(at, sourceEnd);
    at = sourceEnd + 1;
    if (action.op !== 'update' || !isScripted(source)) continue;
    const operation = operationOf(action.meta, source, request);
    if (operation === undefined) return undefined;
    if (start > plain) steps.push({ kind: 'bytes', from: plain, to: start });
    steps.push({ kind: 'update', operation });
    plain = at;
    updates += 1;
  }
  if (updates === 0) return undefined;
  if (plain < body.length) steps.push({ kind: 'bytes', from: plain, to: body.length });
  return steps;
}

/** Searches in pieces, because a megabyte takes as long as a small search. */
function* isNamed(body: Buffer): CooperativeTask<boolean> {
  for (let at = 0; at < body.length; at += PIECE) {
    if (at > 0) yield;
    if (body.subarray(at, at + PIECE + SCRIPT.length - 1).includes(SCRIPT)) return true;
  }
  return false;
}

export interface BulkAction {
  readonly op: string;
  readonly meta: JsonObject;
}

/** Undefined for an invalid line, or for one for which the engine might reject the whole body. */
export function readAction(line: string): BulkAction | undefined {
  const entries = Object.entries(objectOf(line) ?? {});
  const [op = '', meta] = entries[0] ?? [];
  // Further members next to the action are ignored.
  if (!OPS.includes(op) || !isObject(meta) || !isSound(op, meta)) {
    return undefined;
  }
  return { op, meta };
}

/** True if nothing in the line can make the engine reject the whole body. */
function isSound(op: string, meta: JsonObject): boolean {
  const checked = op === 'create' || op === 'update';
  if (checked && (meta['version'] !== undefined || meta['version_type'] !== undefined))
    return false;
  const both = (meta['if_seq_no'] === undefined) === (meta['if_primary_term'] === undefined);
  const tried = meta['if_seq_no'] !== undefined && meta['retry_on_conflict'] !== undefined;
  if (!both || tried || (op === 'create' && meta['if_seq_no'] !== undefined)) return false;
  const id = meta['_id'];
  if (id === undefined && (op === 'update' || op === 'delete')) return false;
  if (typeof id === 'string' && (id === '' || Buffer.byteLength(id) > MOST_ID_BYTES)) return false;
  return Object.entries(meta).every(([name, value]) => isSoundValue(name, value));
}

function isSoundValue(name: string, value: Json): boolean {
  if (TEXTS.includes(name)) return typeof value === 'string' || typeof value === 'number';
  if (LONGS.includes(name)) return typeof value === 'number' && value >= 0;
  if (name === 'version_type') return value === 'external' || value === 'external_gte';
  if (name === 'require_alias') return typeof value === 'boolean';
  return name === '_source' || (name === 'pipeline' && value === null);
}

/** True if the body may have a script; an invalid script is an error of its item. */
function isScripted(source: Buffer): boolean {
  if (!source.includes(SCRIPT)) return false;
  return objectOf(source.toString('utf8'))?.['script'] !== undefined;
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined without an index. */
function operationOf(
  meta: JsonObject,
  source: Uint8Array,
  request: BulkRequest,
): WriteOperation | undefined {
  const index = meta['_index'] ?? request.defaultIndex;
  if (index === undefined) return undefined;
  const routing = meta['routing'] ?? request.defaultRouting;
  const wanted = meta['_source'] ?? request.defaultSource;
  const { if_seq_no: seqNo, if_primary_term: term, retry_on_conflict: retries } = meta;
  return {
    op: 'update',
    index: asText(index),
    id: asText(meta['_id']),
    source: new Uint8Array(source),
    requireAlias: meta['require_alias'] === true || request.requireAlias === true,
    ...(routing === undefined ? {} : { routing: asText(routing) }),
    ...(wanted === undefined ? {} : { getSource: wanted as SourceSpec }),
    ...(seqNo === undefined ? {} : { ifSeqNo: BigInt(Number(seqNo)) }),
    ...(term === undefined ? {} : { ifPrimaryTerm: BigInt(Number(term)) }),
    ...(retries === undefined ? {} : { retryOnConflict: Number(retries) }),
  };
}
