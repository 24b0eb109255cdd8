// The document that records what a superseding store, a deletion or a drop is about to do. It is
// read after a crash and carried out without the privileges of a client, so that it is accepted
// only if a request to that namespace could have meant it.
import type { Json, JsonObject } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { plainJson, printValue } from '../base/json-text.js';
import { checkId, edgesIndex, illegal } from '../graph/names.js';
import { isObject, refuseUnknown } from './body-fields.js';
import { checkNamespace } from './names.js';
import { checkedLink } from './transfer-documents.js';

export type Intent = StoreIntent | ForgetIntent | DropIntent;

export interface StoreIntent {
  readonly namespace: string;
  /** The new memory, identified together with its storing time. */
  readonly id: string;
  readonly stored_at: number;
  /** The memories that it supersedes, without their texts. */
  readonly retired: readonly RetiredMemory[];
  /** Bulk lines that create the links. */
  readonly links: string;
}

interface RetiredMemory {
  readonly id: string;
  readonly invalid_at: number;
  readonly superseded_at: number;
}

/** Memories that are deleted with their links. */
export interface ForgetIntent {
  readonly namespace: string;
  readonly forgotten: readonly ForgottenMemory[];
}

interface ForgottenMemory {
  readonly id: string;
  /** The version that is deleted; null: the document is gone already, but links may be left. */
  readonly document: { readonly if_seq_no: number; readonly if_primary_term: number } | null;
}

/** A namespace that is deleted with everything that belongs to it. */
export interface DropIntent {
  readonly namespace: string;
  readonly dropped: true;
}

const KEYS = ['namespace', 'id', 'stored_at', 'retired', 'links'];
const RETIRED_KEYS = ['id', 'invalid_at', 'superseded_at'];

/** The version of a document in the form of a conditional write. */
export function seenAs({ seqNo = 0n, primaryTerm = 1 }: SeenVersion): ForgottenMemory['document'] {
  return { if_seq_no: Number(seqNo), if_primary_term: Number(primaryTerm) };
}

interface SeenVersion {
  readonly seqNo?: bigint | undefined;
  readonly primaryTerm?: bigint | number | undefined;
}

/** Throws illegal_argument_exception for content that no request to the namespace writes. */
export function readIntent(namespace: string, body: JsonObject): Intent {
  checkNamespace(namespace);
  if (body['namespace'] !== namespace) throw wrong(body, 'namespace', `[${namespace}]`);
  if (body['dropped'] !== undefined) return readDrop(namespace, body);
  if (body['forgotten'] !== undefined) return readForgetting(namespace, body);
  return readStore(namespace, body);
}

function readDrop(namespace: string, body: JsonObject): DropIntent {
  refuseUnknown(body, ['namespace', 'dropped'], 'an intent');
  if (body['dropped'] !== true) throw wrong(body, 'dropped', '[true]');
  return { namespace, dropped: true };
}

function readForgetting(namespace: string, body: JsonObject): ForgetIntent {
  refuseUnknown(body, ['namespace', 'forgotten'], 'an intent');
  const { forgotten } = body;
  if (!Array.isArray(forgotten)) throw wrong(body, 'forgotten', 'a list');
  return { namespace, forgotten: forgotten.map(readForgotten) };
}

function readForgotten(one: Json): ForgottenMemory {
  if (!isObject(one)) throw illegal(`[forgotten] must hold objects, got ${printValue(one)}`);
  refuseUnknown(one, ['id', 'document'], 'a forgotten memory');
  const id = checkId(readText(one, 'id'), 'id');
  const { document } = one;
  if (document === null) return { id, document };
  if (!isObject(document ?? null)) throw wrong(one, 'document', 'an object or null');
  const seen = document as JsonObject;
  refuseUnknown(seen, ['if_seq_no', 'if_primary_term'], 'a document');
  const if_seq_no = readCount(seen, 'if_seq_no');
  return { id, document: { if_seq_no, if_primary_term: readCount(seen, 'if_primary_term') } };
}

function readCount(body: JsonObject, field: string): number {
  const value = body[field];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(body, field, 'a whole number');
}

function readStore(namespace: string, body: JsonObject): StoreIntent {
  refuseUnknown(body, KEYS, 'an intent');
  const { retired } = body;
  if (!Array.isArray(retired)) throw wrong(body, 'retired', 'a list');
  return {
    namespace,
    id: checkId(readText(body, 'id'), 'id'),
    stored_at: readInstant(body, 'stored_at'),
    retired: retired.map(readRetired),
    links: readLinks(namespace, readText(body, 'links')),
  };
}

function readRetired(one: Json): RetiredMemory {
  if (!isObject(one)) throw illegal(`[retired] must hold objects, got ${printValue(one)}`);
  refuseUnknown(one, RETIRED_KEYS, 'a retired memory');
  return {
    id: checkId(readText(one, 'id'), 'id'),
    invalid_at: readInstant(one, 'invalid_at'),
    superseded_at: readInstant(one, 'superseded_at'),
  };
}

/** Checks that the lines create links of the namespace, and rebuilds their action lines. */
function readLinks(namespace: string, text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const links = Array.from({ length: Math.ceil(lines.length / 2) }, (_, i) => {
    const [action = '', source = ''] = lines.slice(2 * i, 2 * i + 2);
    const id = createdId(namespace, parseExact(action));
    const document = parseExact(source);
    if (!isObject(document)) throw illegal(`[links] has ${printValue(document)} for a link`);
    checkedLink(document);
    return `${creation(namespace, id)}\n${source}\n`;
  });
  return links.join('');
}

function createdId(namespace: string, action: Json): string {
  const create = isObject(action) ? action['create'] : undefined;
  const id = isObject(create) ? create['_id'] : undefined;
  const isCreation =
    typeof id === 'string' && plainJson(action) === creation(namespace, checkId(id, '_id'));
  if (isCreation) return id;
  throw illegal(
    `[links] must create links in [${edgesIndex(namespace)}], got ${printValue(action)}`,
  );
}

function creation(namespace: string, id: string): string {
  return plainJson({ create: { _index: edgesIndex(namespace), _id: id } });
}

function readText(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value === 'string') return value;
  throw wrong(body, field, 'a string');
}

function readInstant(body: JsonObject, field: string): number {
  const value = body[field];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw wrong(body, field, 'epoch milliseconds');
}

function wrong(body: JsonObject, field: string, what: string): Error {
  return illegal(`[${field}] must be ${what}, got ${printValue(body[field] ?? null)}`);
}
