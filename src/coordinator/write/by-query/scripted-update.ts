// `_update` with a script: reads the document, runs the script, and writes the result unless the
// document was changed concurrently.
import { parse, stringify } from 'lossless-json';
import type {
  FoundDocument,
  GetRequest,
  Json,
  JsonObject,
  WriteOperation,
  WriteResult,
} from '../../../backend/index.js';
import { runCooperatively } from '../../../base/cooperative-task.js';
import { QuarryError } from '../../../errors.js';
import type { HeldBytes } from '../../../ops/in-flight.js';
import { parseSource } from '../../../query/fetch/source-filter.js';
import { compileUpdateScript, type UpdateScript } from '../../../query/update-script/script.js';
import { isObject, toFlag } from '../../../query/values.js';
import { parseJson } from '../../catalog/json-text.js';

export interface DocumentAccess {
  readonly get: (request: GetRequest) => Promise<FoundDocument>;
  readonly write: (operation: WriteOperation) => Promise<WriteResult>;
  readonly nowMs: () => number;
  /** Memory reservation for the document before and after the change. */
  readonly hold: () => HeldBytes;
}

interface ScriptedUpdate {
  readonly script: UpdateScript;
  /** JSON text. */
  readonly upsert: string | undefined;
  readonly scriptedUpsert: boolean;
  /** `_source` of the body: the part of the new document to return. */
  readonly wanted: Json | undefined;
}

/**
 * Undefined: no update with a script; the core handles it. `mostCharacters`: limit for what the
 * script may put into the document.
 */
export function readScriptedUpdate(
  operation: WriteOperation,
  mostCharacters: () => number,
): ScriptedUpdate | undefined {
  const { op, source } = operation;
  if (op !== 'update' || source === undefined) return undefined;
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (!bytes.includes('"script"')) return undefined;
  const text = bytes.toString('utf8');
  const body = readObject(text);
  // The core rejects a body that is no object, with its own message.
  if (body?.['script'] === undefined) return undefined;
  const { script, scripted_upsert: scripted = false, upsert, doc, doc_as_upsert: asUpsert } = body;
  if (doc !== undefined || asUpsert !== undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      "Validation Failed: 1: can't provide both script and doc;",
    );
  }
  const known = ['script', 'scripted_upsert', 'upsert', '_source', 'detect_noop'];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'x_content_parse_exception',
      `[UpdateRequest] [${unknown}] is not supported together with [script]`,
    );
  }
  return {
    wanted: body['_source'],
    script: compileUpdateScript(script, mostCharacters),
    upsert: isObject(upsert) ? partOf(text, 'upsert') : undefined,
    scriptedUpsert: toFlag(scripted, '[scripted_upsert]'),
  };
}

export async function runScriptedUpdate(
  { script, upsert, scriptedUpsert, wanted }: ScriptedUpdate,
  requested: WriteOperation,
  access: DocumentAccess,
): Promise<WriteResult> {
  const operation =
    wanted === undefined ? requested : { ...requested, getSource: parseSource(wanted) };
  for (let left = operation.retryOnConflict ?? 0; ; left--) {
    const found = await readDocument(operation, access);
    const held = access.hold();
    try {
      held.take(found?.source?.length ?? 0);
      if (found !== undefined) return await change(script, found, operation, access, held);
      if (upsert === undefined) throw missing(operation);
      return await create(scriptedUpsert ? script : undefined, upsert, operation, access, held);
    } catch (error) {
      const conflict =
        error instanceof QuarryError && error.type === 'version_conflict_engine_exception';
      if (!conflict || left <= 0) throw error;
    } finally {
      held.release();
    }
  }
}

function readObject(text: string): JsonObject | undefined {
  try {
    const body: Json = parseJson(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The value in its original spelling. */
function partOf(text: string, name: string): string {
  return stringify((parse(text) as Record<string, unknown>)[name]) ?? '{}';
}

/** Undefined if the document or its index does not exist. */
async function readDocument(
  { index, id = '', routing }: WriteOperation,
  { get }: DocumentAccess,
): Promise<FoundDocument | undefined> {
  try {
    const found = await get({
      index,
      id,
      source: true,
      ...(routing === undefined ? {} : { routing }),
    });
    return found.found ? found : undefined;
  } catch (error) {
    if (error instanceof QuarryError && error.type === 'index_not_found_exception')
      return undefined;
    throw error;
  }
}

async function change(
  script: UpdateScript,
  found: FoundDocument,
  operation: WriteOperation,
  access: DocumentAccess,
  held: HeldBytes,
): Promise<WriteResult> {
  const { seqNo = 0n, primaryTerm = 1, version = 1n } = found;
  const text = Buffer.from(found.source ?? Buffer.from('{}')).toString('utf8');
  const outcome = await runCooperatively(script.run(text, metaOf(found, access.nowMs())));
  const { retryOnConflict: _retries, source: _body, getSource: _wanted, ...address } = operation;
  if (outcome.op === 'noop') {
    const noop: WriteResult = {
      op: 'update',
      index: found.index,
      id: found.id,
      result: 'noop',
      status: 200,
      version,
      seqNo,
      primaryTerm,
      shardsTotal: 0,
      forcedRefresh: false,
    };
    return withSource(noop, 'noop', operation, access);
  }
  const seen = {
    ...address,
    ifSeqNo: operation.ifSeqNo ?? seqNo,
    ifPrimaryTerm: operation.ifPrimaryTerm ?? BigInt(primaryTerm),
  };
  const written =
    outcome.op === 'index'
      ? await access.write({ ...seen, op: 'index', source: heldBytes(outcome.source, held) })
      : await access.write({ ...seen, op: 'delete' });
  return withSource({ ...written, op: 'update' }, outcome.op, operation, access);
}

async function create(
  script: UpdateScript | undefined,
  upsert: string,
  operation: WriteOperation,
  access: DocumentAccess,
  held: HeldBytes,
): Promise<WriteResult> {
  const { retryOnConflict: _retries, getSource: _wanted, ...address } = operation;
  const { index, id = '' } = operation;
  const meta = { _id: id, _index: index, _now: BigInt(access.nowMs()) };
  const outcome = script && (await runCooperatively(script.run(upsert, meta, undefined, 'create')));
  if (outcome !== undefined && outcome.op !== 'index') return nothingMade(index, id);
  const source = heldBytes(outcome?.source ?? upsert, held);
  const written = await access.write({ ...address, op: 'create', source });
  return withSource({ ...written, op: 'update' }, 'index', operation, access);
}

function heldBytes(text: string, held: HeldBytes): Buffer {
  held.take(Buffer.byteLength(text));
  return Buffer.from(text);
}

/** The script decided not to create the document. */
function nothingMade(index: string, id: string): WriteResult {
  const none = { version: -1n, seqNo: -2n, primaryTerm: 0, shardsTotal: 0, forcedRefresh: false };
  return { op: 'update', index, id, result: 'noop', status: 200, ...none };
}

function metaOf({ id, index, version, routing }: FoundDocument, nowMs: number) {
  return {
    _id: id,
    _index: index,
    _version: version ?? null,
    _routing: routing ?? null,
    _now: BigInt(nowMs),
  };
}

async function withSource(
  result: WriteResult,
  op: string,
  { index, id = '', routing, getSource }: WriteOperation,
  { get }: DocumentAccess,
): Promise<WriteResult> {
  if (getSource === undefined || getSource === false || op === 'delete') return result;
  const address = { index, id, ...(routing === undefined ? {} : { routing }) };
  const { source } = await get({ ...address, source: getSource });
  if (source === undefined) return result;
  return { ...result, getSource: Buffer.from(source).toString('utf8') };
}

function missing({ id = '' }: WriteOperation): QuarryError {
  return new QuarryError('document_missing_exception', `[${id}]: document missing`);
}
