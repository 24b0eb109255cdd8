// NDJSON of documents: one document in each line, or hits as a search prints them (`_index`, `_id`,
// `_source`: dumps of elasticdump), or a bulk body of action lines and documents.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Json, JsonObject } from '../../backend/index.js';
import { parseExact } from '../../base/exact-json.js';
import { asText } from '../../base/json-text.js';
import { readHitsPage } from '../../remote/hits-page.js';
import type { BulkDocument } from '../bulk-target.js';
import { isObject, memberOf } from '../sequence-reader.js';
import { type Line, linesOf } from './lines.js';

export interface FileDocument extends BulkDocument {
  readonly index: string;
  /** Position behind it in its file. */
  readonly end: number;
}

export interface NdjsonOptions {
  /** Where documents go; undefined: each line says it. */
  readonly index: string | undefined;
  /** The member that holds the id of a document; undefined: the place in the file makes it. */
  readonly idField: string | undefined;
}

type Form = 'document' | 'hit' | 'bulk';

const ACTIONS = ['index', 'create', 'delete', 'update'];

/** Throws an Error that names the line by its position. */
export async function* ndjsonDocuments(
  file: string,
  from: number,
  options: NdjsonOptions,
): AsyncIterable<FileDocument> {
  let form: Form | undefined;
  let action: { readonly line: Line; readonly meta: JsonObject } | undefined;
  for await (const line of linesOf(file, from)) {
    form ??= formOf(line, file);
    if (form === 'document') yield ofDocument(line, file, options);
    else if (form === 'hit') yield ofHit(line, file, options);
    else if (action === undefined) {
      const { name, meta } = actionOf(line, file);
      if (name === 'delete') yield ofAction(line, meta, undefined, file, options);
      else action = { line, meta };
    } else {
      yield ofAction(line, action.meta, line.bytes, file, options);
      action = undefined;
    }
  }
  if (action !== undefined) throw at(file, action.line, 'has no document behind it');
}

function formOf(line: Line, file: string): Form {
  const object = objectOf(line, file);
  const [name, ...more] = Object.keys(object);
  if (name !== undefined && more.length === 0 && ACTIONS.includes(name) && isMeta(object[name])) {
    return 'bulk';
  }
  return typeof object['_id'] === 'string' && isObject(object['_source']) ? 'hit' : 'document';
}

function isMeta(value: Json | undefined): boolean {
  const known = ['_index', '_id', '_type', 'routing', '_routing', 'version', 'version_type'];
  return isObject(value) && Object.keys(value).every((name) => known.includes(name));
}

function ofDocument(line: Line, file: string, options: NdjsonOptions): FileDocument {
  const { index, idField } = options;
  if (index === undefined)
    throw new Error(`${file} holds documents without a name of an index: give --index`);
  const id = idField === undefined ? placeId(file, line) : namedId(line, file, idField);
  return { index, id, source: trimmed(line.bytes, file, line), end: line.end };
}

function namedId(line: Line, file: string, idField: string): string {
  const value = objectOf(line, file)[idField];
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return asText(value);
  throw at(file, line, `has no string or number in [${idField}], which --id names`);
}

/** The same line of the same file gives the same id, so that a repeated run writes it again. */
function placeId(file: string, { start }: Line): string {
  const text = JSON.stringify([basename(file), start]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}

function ofHit(line: Line, file: string, { index: wanted }: NdjsonOptions): FileDocument {
  const page = Buffer.concat([
    Buffer.from('{"_shards":{},"hits":{"hits":['),
    line.bytes,
    Buffer.from(']}}'),
  ]);
  try {
    const reading = readHitsPage(page, 1);
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    const [hit] = step.value.hits;
    if (hit !== undefined) {
      const { index, id, routing, source } = hit;
      return {
        index: wanted ?? index,
        id,
        routing,
        source: source ?? Buffer.from('{}'),
        end: line.end,
      };
    }
  } catch (error) {
    throw at(file, line, `is no hit: ${(error as Error).message}`);
  }
  throw at(file, line, 'is no hit');
}

function actionOf(line: Line, file: string): { readonly name: string; readonly meta: JsonObject } {
  const object = objectOf(line, file);
  const [name = '', ...more] = Object.keys(object);
  if (more.length > 0 || !['index', 'create', 'delete'].includes(name) || !isObject(object[name])) {
    throw at(file, line, 'is no action [index], [create] or [delete] of a bulk body');
  }
  return { name, meta: memberOf(object[name]) };
}

function ofAction(
  line: Line,
  meta: JsonObject,
  source: Buffer | undefined,
  file: string,
  options: NdjsonOptions,
): FileDocument {
  const { _index: own, _id: id = placeId(file, line) } = meta;
  const routing = meta['routing'] ?? meta['_routing'];
  const index = options.index ?? own;
  if (typeof index !== 'string') throw at(file, line, 'has no [_index]: give --index');
  return {
    index,
    id: asText(id),
    ...(routing === undefined ? {} : { routing: asText(routing) }),
    source: source === undefined ? undefined : trimmed(source, file, line),
    end: line.end,
  };
}

function objectOf(line: Line, file: string): JsonObject {
  let value: Json;
  try {
    value = parseExact(line.bytes.toString('utf8'));
  } catch {
    throw at(file, line, 'is no JSON');
  }
  if (isObject(value)) return value;
  throw at(file, line, 'is no JSON object');
}

/** The object without what stands around it; the service parses it. */
function trimmed(bytes: Buffer, file: string, line: Line): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x20);
  if (bytes[first] === 0x7b) return bytes.subarray(first);
  throw at(file, line, 'is no JSON object');
}

function at(file: string, { start }: Line, what: string): Error {
  return new Error(`${file}: the line at byte ${start} ${what}`);
}
