// Checks the documents of an import member by member before anything is written, so that the import
// does not fail half way. Unknown members are kept, because documents in the index of a namespace
// may have any shape.
import type { Json, JsonObject } from '../backend/index.js';
import { checkQuoted } from '../graph/link-body.js';
import { checkId, illegal } from '../graph/names.js';
import { readTime, shown } from '../graph/times.js';
import {
  isAbsent,
  isObject,
  readFlag,
  readMetadata,
  readObject,
  readShare,
  readText,
  readVector,
} from './body-fields.js';
import { HISTORY, MAX_VERSIONS } from './manage/versions.js';
import { TEXT_VECTOR } from './memory-index.js';
import { plainNumber } from './transfer-merge.js';

const LIFE = [
  ...['stored_at', 'edited_at', 'own_time'],
  ...['expires_at', 'invalid_at', 'superseded_at'],
];
const LINK_LIFE = ['valid_at', 'invalid_at', 'created_at', 'expired_at'];
const SHARES = ['confidence', 'weight', 'strength'];
const VERSION_LIFE = ['expires_at', 'from', 'until'];
const STATES = ['suggested', 'accepted', 'rejected'];

/**
 * The document with its instants as milliseconds. Throws illegal_argument_exception, which names
 * the invalid member.
 */
export function checkedMemory(id: string, given: JsonObject): JsonObject {
  const { said_by: _by, said_on: _on, ...own } = given;
  const document = withNumbers(own, LIFE);
  if (id.startsWith('_'))
    throw illegal(`[id] must not start with [_], which names operations, got ${shown(id)}`);
  for (const field of ['text', 'session', 'fingerprint']) readText(document, field);
  readMetadata(document);
  const { vector } = document;
  readVector(
    { vector: Array.isArray(vector) ? vector.map(plainNumber) : (vector ?? null) },
    'vector',
  );
  if (!isAbsent(document[TEXT_VECTOR]))
    throw illegal(`[${TEXT_VECTOR}] is made from [text], leave it out`);
  const checked = withInstants(document, LIFE);
  if (isAbsent(checked[HISTORY])) return checked;
  return { ...checked, [HISTORY]: checkedHistory(checked[HISTORY] ?? null) };
}

function checkedHistory(value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw illegal(`[${HISTORY}] must be a list, got ${shown(value)}`);
  const versions: readonly Json[] = value;
  if (versions.length > MAX_VERSIONS) {
    throw illegal(
      `[${HISTORY}] has ${versions.length} versions, at most ${MAX_VERSIONS} are allowed`,
    );
  }
  return versions.map((one, i) => {
    const at = `${HISTORY}[${i}]`;
    if (!isObject(one)) throw illegal(`[${at}] must be an object, got ${shown(one)}`);
    readText(one, 'text', `${at}.text`);
    readMetadata(one);
    const version = withInstants(withNumbers(one, VERSION_LIFE), VERSION_LIFE);
    for (const field of ['from', 'until']) {
      if (isAbsent(version[field])) throw illegal(`[${at}.${field}] is missing`);
    }
    return version;
  });
}

export function checkedLink(given: JsonObject): JsonObject {
  const document = withNumbers(given, [...SHARES, ...LINK_LIFE]);
  const [src, dst] = (['src', 'dst', 'type'] as const).map((field) => {
    const value = document[field];
    if (typeof value !== 'string')
      throw illegal(`[${field}] must be a string, got ${shown(value ?? null)}`);
    return checkId(value, field);
  });
  if (src === dst)
    throw illegal(`[src] and [dst] are both ${shown(src ?? '')}, a link must join two nodes`);
  for (const field of SHARES) readShare(document, field);
  readText(document, 'detector');
  readFlag(document, 'asserted');
  const evidence = readObject(document, 'evidence');
  const link = withInstants(document, LINK_LIFE);
  const { valid_at, invalid_at } = link;
  if (typeof valid_at === 'number' && typeof invalid_at === 'number' && invalid_at < valid_at)
    throw illegal(`[invalid_at] is ${invalid_at}, before [valid_at] ${valid_at}`);
  return evidence === undefined ? link : { ...link, evidence: checkedEvidence(evidence) };
}

export function checkedSuggestion(document: JsonObject): JsonObject {
  const state = readText(document, 'state');
  if (state !== undefined && !STATES.includes(state))
    throw illegal(`[state] must be one of [${STATES.join(', ')}], got ${shown(state)}`);
  return withInstants(withNumbers(checkedLink(document), ['decided_at']), ['decided_at']);
}

function checkedEvidence(given: JsonObject): JsonObject {
  const evidence = withNumbers(given, ['offset', 'stale_at']);
  for (const field of ['quote', 'source', 'field'])
    checkQuoted(readText(evidence, field, `evidence.${field}`) ?? '', `evidence.${field}`);
  const { offset } = evidence;
  const isOffset = typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0;
  if (!isAbsent(offset) && !isOffset)
    throw illegal(`[evidence.offset] must be a whole number from 0, got ${shown(offset)}`);
  return withInstants(evidence, ['stale_at']);
}

function withNumbers(document: JsonObject, fields: readonly string[]): JsonObject {
  const numbers = fields.flatMap((field): [string, Json][] => {
    const value = document[field];
    return value === undefined ? [] : [[field, plainNumber(value)]];
  });
  return { ...document, ...Object.fromEntries(numbers) };
}

function withInstants(document: JsonObject, fields: readonly string[]): JsonObject {
  const there = fields.filter((field) => !isAbsent(document[field]));
  const instants = there.map((field): [string, Json] => [
    field,
    readTime(document[field] ?? null, field),
  ]);
  return { ...document, ...Object.fromEntries(instants) };
}
