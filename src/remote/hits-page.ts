// Reads the answer of a search of another server: everything but the documents is parsed and
// checked, and each `_source` stays the bytes that arrived, so that no number changes its spelling.
// The answer is not trusted: its envelope is bounded, nesting is counted and not recursed.
import type { Json, JsonObject, SearchHit, SearchResult, ShardFailure } from '../backend/index.js';
import type { CooperativeTask } from '../base/cooperative-task.js';
import { parseExact } from '../base/exact-json.js';
import { asText, printValue } from '../base/json-text.js';

/** What is used of an answer. */
export type HitsPage = Pick<SearchResult, 'hits' | 'total' | 'timedOut' | 'shards' | 'scrollId'>;

/** Continues the phrase "the remote answered". */
export class HitsError extends Error {
  override readonly name = 'HitsError';
}

/** The answer without its documents: each is replaced by its number in `sources`. */
interface Envelope {
  readonly text: string;
  readonly sources: readonly Uint8Array[];
}

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Depth of the members of a hit: the answer, `hits`, its list, the hit. */
const HIT_DEPTH = 4;
/** Bytes of an answer without documents, and of each hit: index, id and routing are at most 1.3 KB. */
const ENVELOPE_BYTES = 1024 * 1024;
const ENVELOPE_BYTES_PER_HIT = 4096;
const MAX_SCROLL_ID = 1024 * 1024;
/** Shard failures that are read. */
const MAX_FAILURES = 100;

/**
 * `size`: the number of hits that were requested. `withSource`: whether each must have its
 * document. Throws HitsError.
 */
export function* readHitsPage(
  bytes: Buffer,
  size: number,
  withSource = true,
): CooperativeTask<HitsPage> {
  const { text, sources } = yield* envelopeOf(
    bytes,
    ENVELOPE_BYTES + size * ENVELOPE_BYTES_PER_HIT,
  );
  let answer: Json;
  try {
    answer = parseExact(text);
  } catch {
    throw new HitsError('what is no JSON');
  }
  const body = objectAt(answer, 'the answer');
  const hits = objectAt(body['hits'], '[hits]');
  const list = hits['hits'];
  if (!Array.isArray(list)) throw wrong('[hits.hits]', 'a list', list);
  if (list.length > size) {
    throw new HitsError(`${list.length} hits, more than the ${size} that were requested`);
  }
  const total = totalOf(hits['total']);
  const scrollId = body['_scroll_id'];
  return {
    hits: (list as readonly Json[]).map((hit, i) =>
      hitOf(hit, i, withSource ? sources : undefined),
    ),
    ...(total === undefined ? {} : { total }),
    timedOut: body['timed_out'] === true,
    shards: shardsOf(body['_shards']),
    ...(scrollId === undefined ? {} : { scrollId: scrollIdOf(scrollId) }),
  };
}

function* envelopeOf(bytes: Buffer, most: number): CooperativeTask<Envelope> {
  const pieces: Buffer[] = [];
  const sources: Uint8Array[] = [];
  let length = 0;
  let from = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length > most) throw new HitsError(`more than ${most} bytes beside its documents`);
    pieces.push(piece);
  };
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at);
      const isSource = depth === HIT_DEPTH && isSourceKey(bytes, at, end);
      at = end;
      if (!isSource) continue;
      const start = valueStart(bytes, end);
      // The same text may be a value, which no colon follows.
      if (start === undefined) continue;
      at = valueEnd(bytes, start);
      keep(bytes.subarray(from, start));
      keep(Buffer.from(String(sources.length)));
      sources.push(bytes.subarray(start, at));
      from = at;
      yield;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    at += 1;
  }
  keep(bytes.subarray(from));
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return { text: decoder.decode(Buffer.concat(pieces, length)), sources };
  } catch {
    throw new HitsError('what is no UTF-8');
  }
}

const SOURCE_KEY = Buffer.from('"_source"');

function isSourceKey(bytes: Buffer, at: number, end: number): boolean {
  return (
    end - at === SOURCE_KEY.length && bytes.compare(SOURCE_KEY, 0, SOURCE_KEY.length, at, end) === 0
  );
}

/** The position after the string that begins at `at`. */
function stringEnd(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new HitsError('JSON that breaks off');
}

/** The position of the value behind a key that ends at `end`; undefined if no colon follows. */
function valueStart(bytes: Buffer, end: number): number | undefined {
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : undefined;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1;
  return at;
}

/** The position after the value that begins at `start`. */
function valueEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // The end of the object that holds a plain value.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
    at += 1;
  }
  throw new HitsError('JSON that breaks off');
}

function hitOf(value: Json, i: number, sources: readonly Uint8Array[] | undefined): SearchHit {
  const at = `[hits.hits[${i}]`;
  const hit = objectAt(value, `${at}]`);
  const { _index: index, _id: id, _routing: routing } = hit;
  if (typeof index !== 'string' || index === '') throw wrong(`${at}._index]`, 'a name', index);
  if (typeof id !== 'string' || id === '') throw wrong(`${at}._id]`, 'a string', id);
  if (routing !== undefined && typeof routing !== 'string') {
    throw wrong(`${at}._routing]`, 'a string', routing);
  }
  const source = sources && sourceOf(hit, sources, `${at}._source]`);
  const version = integerOf(hit['_version'], `${at}._version]`);
  const seqNo = integerOf(hit['_seq_no'], `${at}._seq_no]`);
  return {
    index,
    id,
    score: null,
    ...(source === undefined ? {} : { source }),
    ...(routing === undefined ? {} : { routing }),
    ...(version === undefined ? {} : { version }),
    ...(seqNo === undefined ? {} : { seqNo }),
  };
}

/** The bytes of the document, for which the envelope has their number. */
function sourceOf(hit: JsonObject, sources: readonly Uint8Array[], name: string): Uint8Array {
  const number = hit['_source'];
  const source = typeof number === 'number' ? sources[number] : undefined;
  if (source === undefined) {
    throw new HitsError(
      `the document [${asText(hit['_index'])}][${asText(hit['_id'])}], which didn't store _source`,
    );
  }
  if (source[0] === OPEN_BRACE) return source;
  throw new HitsError(`${name} that is not an object`);
}

const MAX_LONG = 2n ** 63n - 1n;

function integerOf(value: Json | undefined, name: string): bigint | undefined {
  if (value === undefined) return undefined;
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  const integer = isInteger ? BigInt(value as number | bigint) : -1n;
  if (integer >= 0n && integer <= MAX_LONG) return integer;
  throw wrong(name, 'a whole number', value);
}

/** A number in version 6 and earlier. */
function totalOf(value: Json | undefined): HitsPage['total'] {
  if (value === undefined) return undefined;
  const { value: count } = typeof value === 'number' ? { value } : objectAt(value, '[hits.total]');
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) {
    return { value: count, relation: 'eq' };
  }
  throw wrong('[hits.total]', 'a count', value);
}

function shardsOf(value: Json | undefined): HitsPage['shards'] {
  const shards = objectAt(value, '[_shards]');
  const count = (name: string): number => {
    const number = shards[name] ?? 0;
    if (typeof number === 'number' && number >= 0) return number;
    throw wrong(`[_shards.${name}]`, 'a count', number);
  };
  const failures = shards['failures'] ?? [];
  if (!Array.isArray(failures)) throw wrong('[_shards.failures]', 'a list', failures);
  const failed = count('failed');
  const read = (failures as readonly Json[]).slice(0, MAX_FAILURES).map(failureOf);
  return {
    total: count('total'),
    successful: count('successful'),
    skipped: count('skipped'),
    failed,
    failures: failed > 0 && read.length === 0 ? [failureOf({})] : read,
  };
}

function failureOf(value: Json): ShardFailure {
  const { shard, index, reason } = objectAt(value, '[_shards.failures]');
  const details =
    typeof reason === 'object' && reason !== null ? (reason as JsonObject) : { type: null, reason };
  const { type, reason: why } = details as { readonly type?: Json; readonly reason?: Json };
  return {
    shard: typeof shard === 'number' ? shard : -1,
    index: typeof index === 'string' ? index : 'unknown',
    reason: {
      type: typeof type === 'string' ? type : 'exception',
      reason: typeof why === 'string' ? why : 'the remote gave no reason',
    },
  };
}

function scrollIdOf(value: Json): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_SCROLL_ID) return value;
  throw wrong('[_scroll_id]', 'a string', typeof value === 'string' ? value.length : value);
}

function objectAt(value: Json | undefined, name: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw wrong(name, 'an object', value);
}

function wrong(name: string, expected: string, value: Json | undefined): HitsError {
  return new HitsError(
    `${name} that is not ${expected}${value === undefined ? '' : `: ${printValue(value)}`}`,
  );
}
