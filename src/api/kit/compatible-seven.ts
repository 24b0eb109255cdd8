// The media type of Elasticsearch 7 (`compatible-with=7`), whose documents have the `_type` `_doc`.
// It is inserted into the finished answer after each `_index` that identifies a document; the
// content of documents is not changed.
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../../base/cooperative-task.js';
import { jsonOf } from './json.js';
import type { Answer } from './routes.js';

const SEVEN = /compatible-with\s*=\s*"?7/i;

/** Whether a client requests version 7 by its Content-Type or its Accept header. */
export function speaksSeven({
  accept,
  contentType,
}: {
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
}): boolean {
  return isSeven(accept) || isSeven(contentType);
}

/** Accepts one media type or a list of them. */
export function isSeven(mediaType: string | undefined): boolean {
  return mediaType !== undefined && SEVEN.test(mediaType);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const COLON = 0x3a;
const TYPE = Buffer.from(',"_type":"_doc"');
/** Members of hits and documents whose content was written by users. */
const CONTENT = new Set([
  '_source',
  'fields',
  'highlight',
  'sort',
  'ignored_field_values',
  'query',
]);
const INDEX = '_index';

/** Adds `_type` to the JSON body of an answer. */
export async function withDocumentTypes(answer: Answer): Promise<Answer> {
  if (answer.raw === undefined && answer.body === undefined) return answer;
  const { body: _body, ...rest } = answer;
  return { ...rest, raw: await runCooperatively(withTypes(jsonOf(answer))) };
}

/** Returns the JSON with `_type` after each `_index` of a document. */
export function* withTypes(json: Buffer): CooperativeTask<Buffer> {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let count = 0;
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at)) {
    const end = endOfString(json, at);
    if (json[end] !== COLON) {
      at = end;
      continue;
    }
    const key = json.toString('latin1', at + 1, end - 1);
    const value = end + 1;
    if (key === INDEX && json[value] === QUOTE) {
      const behind = endOfString(json, value);
      pieces.push(json.subarray(copied, behind), TYPE);
      copied = behind;
      at = behind;
    } else at = CONTENT.has(key) ? endOfValue(json, value) : value;
    count += 1;
    if (count % ITEMS_PER_YIELD === 0) yield;
  }
  if (copied === 0) return json;
  pieces.push(json.subarray(copied));
  return Buffer.concat(pieces);
}

/** Offset after the closing quote of the string that opens at `at`. */
function endOfString(json: Buffer, at: number): number {
  for (let end = json.indexOf(QUOTE, at + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return json.length;
}

/**
 * Offset after the array, object or string that begins at `start`; `start` itself for other
 * scalars.
 */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (OPEN.has(byte)) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
    else if (depth === 0) return at;
    at += 1;
    if (depth === 0) return at;
  }
  return at;
}
