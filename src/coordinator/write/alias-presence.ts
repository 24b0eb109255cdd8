// Decides what an operation on one document does through an alias with a filter. `_update` and
// `delete` affect only visible documents. `index` and `create` write any document, as in
// Elasticsearch; but a key that has access only through such aliases of the index must not
// overwrite a document that is hidden from it.

import { parse, stringify } from 'lossless-json';
import type {
  Access,
  FoundDocument,
  GetRequest,
  WriteOperation,
  WriteResult,
} from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { isObject, toFlag } from '../../query/values.js';
import type { DocumentPlace } from '../catalog/catalog.js';
import { replicasOf } from '../catalog/index-shards.js';
import { parseJson } from '../catalog/json-text.js';
import type { AliasDocuments } from './alias-documents.js';

/** The visibility of a document through the alias. */
export type Presence =
  | { readonly state: 'absent' | 'hidden' }
  | { readonly state: 'visible'; readonly seqNo: bigint; readonly primaryTerm: bigint };

/** An operation through the alias `operation.index`, whose place has a filter. */
export interface AliasOperation {
  readonly operation: WriteOperation;
  readonly place: DocumentPlace;
  /**
   * Set if the client has access to the index only through aliases with filters; it creates the
   * errors.
   */
  readonly alone: Access | undefined;
}

/**
 * Changes to an operation before it is written, so that it affects only the version that was
 * checked.
 */
export interface Conditions {
  readonly op?: 'create';
  readonly ifSeqNo?: bigint;
  readonly ifPrimaryTerm?: bigint;
  /** Of an update: the body without its upsert, because the document exists. */
  readonly source?: Uint8Array;
}

/**
 * The operation is written, answered without a write, or refused. After a conflict with
 * `conditions` the decision is repeated.
 */
export type Decision =
  | { readonly kind: 'write'; readonly conditions: Conditions | undefined }
  | { readonly kind: 'answer'; readonly result: WriteResult }
  | { readonly kind: 'refuse'; readonly error: QuarryError };

export interface PresenceOptions {
  /** Reads documents without regard to the filters of aliases. */
  readonly read: (
    requests: readonly GetRequest[],
  ) => Promise<readonly (FoundDocument | QuarryError)[]>;
  readonly filtered: Pick<AliasDocuments, 'read'>;
}

/** False for an operation that does not depend on the visibility of a document. */
export function needsPresence({ operation, alone }: AliasOperation): boolean {
  const { op, id } = operation;
  if (op === 'update' || op === 'delete') return true;
  return alone !== undefined && id !== undefined;
}

/** The visibility for each operation, in order. */
export async function presencesOf(
  operations: readonly AliasOperation[],
  { read, filtered }: PresenceOptions,
): Promise<readonly (Presence | QuarryError)[]> {
  const there = await read(operations.map((one) => request(one, one.place.entry.name)));
  const found = operations.filter((_, i) => isFound(there[i]));
  const reads = found.map((one) => {
    const { entry, routing } = one.place;
    return { request: request(one, one.operation.index), entry, routing };
  });
  const shown = (found.length === 0 ? [] : await filtered.read(reads)).values();
  return there.map((document): Presence | QuarryError => {
    if (document instanceof QuarryError) return document;
    if (!document.found) return { state: 'absent' };
    const seen = shown.next().value;
    if (seen === undefined || seen instanceof QuarryError) return seen ?? { state: 'hidden' };
    if (!seen.found) return { state: 'hidden' };
    const { seqNo = 0n, primaryTerm = 1 } = seen;
    return { state: 'visible', seqNo, primaryTerm: BigInt(primaryTerm) };
  });
}

function isFound(document: FoundDocument | QuarryError | undefined): boolean {
  return document !== undefined && !(document instanceof QuarryError) && document.found;
}

function request({ operation, place }: AliasOperation, index: string): GetRequest {
  const { routing } = place;
  const id = operation.id ?? '';
  return { index, id, source: false, ...(routing === undefined ? {} : { routing }) };
}

export function decide(one: AliasOperation, presence: Presence): Decision {
  switch (one.operation.op) {
    case 'index':
    case 'create':
      return decideIndex(one, presence);
    case 'update':
      return decideUpdate(one, presence);
    case 'delete':
      return decideDelete(one, presence);
  }
}

function decideIndex(one: AliasOperation, presence: Presence): Decision {
  const { operation, alone } = one;
  if (alone === undefined) return asItIs;
  if (presence.state === 'hidden') return refuse(hidden(one, alone));
  if (operation.op === 'create') return { kind: 'write', conditions: { op: 'create' } };
  if (hasConditions(operation)) return asItIs;
  return presence.state === 'visible'
    ? { kind: 'write', conditions: seenOf(presence) }
    : { kind: 'write', conditions: { op: 'create' } };
}

function decideUpdate(one: AliasOperation, presence: Presence): Decision {
  const { operation, alone } = one;
  const body = readUpdate(operation.source);
  if (body instanceof QuarryError) return refuse(body);
  if (presence.state === 'visible') {
    if (hasConditions(operation)) return asItIs;
    const source = body.upserts ? { source: body.withoutUpsert() } : {};
    return { kind: 'write', conditions: { ...seenOf(presence), ...source } };
  }
  if (!body.upserts) return refuse(missing(operation));
  if (presence.state === 'absent') return asItIs;
  return refuse(alone === undefined ? exists(operation) : hidden(one, alone));
}

function decideDelete({ operation, place }: AliasOperation, presence: Presence): Decision {
  if (presence.state === 'visible') {
    return hasConditions(operation) ? asItIs : { kind: 'write', conditions: seenOf(presence) };
  }
  if (operation.ifSeqNo !== undefined) return refuse(conflictWithNothing(operation));
  const { id = '' } = operation;
  return {
    kind: 'answer',
    result: {
      op: 'delete',
      index: place.entry.name,
      id,
      result: 'not_found',
      status: 404,
      version: 1n,
      seqNo: -2n,
      primaryTerm: 0,
      shardsTotal: 1 + replicasOf(place.entry),
      forcedRefresh: false,
    },
  };
}

const asItIs: Decision = { kind: 'write', conditions: undefined };

function refuse(error: QuarryError): Decision {
  return { kind: 'refuse', error };
}

function seenOf(presence: Presence & { readonly state: 'visible' }): Conditions {
  return { ifSeqNo: presence.seqNo, ifPrimaryTerm: presence.primaryTerm };
}

/** The conditions of the request take precedence. */
function hasConditions({ ifSeqNo, version }: WriteOperation): boolean {
  return ifSeqNo !== undefined || version !== undefined;
}

interface UpdateBody {
  /** The update creates a missing document. */
  readonly upserts: boolean;
  /** The body without its upsert; numbers keep their spelling. */
  readonly withoutUpsert: () => Uint8Array;
}

/** Returns an error for an invalid body. */
function readUpdate(source: Uint8Array | undefined): UpdateBody | QuarryError {
  const text = Buffer.from(source ?? []).toString('utf8');
  try {
    const body = parseJson(text);
    if (!isObject(body)) throw new Error('it is no object');
    const { upsert, doc_as_upsert: asUpsert = false } = body;
    return {
      upserts: toFlag(asUpsert, '[doc_as_upsert]') || upsert !== undefined,
      withoutUpsert: () => {
        const {
          upsert: _upsert,
          doc_as_upsert: _asUpsert,
          ...rest
        } = parse(text) as object & {
          readonly upsert?: unknown;
          readonly doc_as_upsert?: unknown;
        };
        return Buffer.from(stringify(rest) ?? '{}');
      },
    };
  } catch (error) {
    if (error instanceof QuarryError) return error;
    const why = (error as Error).message;
    return new QuarryError(
      'x_content_parse_exception',
      `the body of an update must be a JSON object: ${why}`,
    );
  }
}

function hidden({ operation }: AliasOperation, access: Access): QuarryError {
  const { index, id = '' } = operation;
  return access.refusalOf(
    `document [${id}], which is there and which the filter of alias [${index}] does not show`,
    index,
  );
}

function missing({ id = '' }: WriteOperation): QuarryError {
  return new QuarryError('document_missing_exception', `[${id}]: document missing`);
}

function exists({ id = '', index }: WriteOperation): QuarryError {
  return new QuarryError(
    'version_conflict_engine_exception',
    `[${id}]: version conflict, document already exists, though the filter of alias [${index}] does not show it`,
  );
}

function conflictWithNothing({ id = '', ifSeqNo, ifPrimaryTerm }: WriteOperation): QuarryError {
  return new QuarryError(
    'version_conflict_engine_exception',
    `[${id}]: version conflict, required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. but no document was found`,
  );
}
