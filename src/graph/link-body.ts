// Reads the body of an assertion and checks its required and optional members.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { checkId, illegal } from './names.js';
import { readTime, shown } from './times.js';

export interface Assertion {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly confidence: number;
  readonly weight: number;
  readonly evidence: JsonObject | null;
  /** Undefined: now. */
  readonly validAt: number | undefined;
}

const REQUIRED = ['src', 'dst', 'type'] as const;
const KEYS = [...REQUIRED, 'confidence', 'weight', 'evidence', 'valid_at'];
const EVIDENCE_KEYS = ['quote', 'source', 'field', 'offset'];
/** Characters of a quote, and of the name of its field. An answer shows a thousand of them. */
const MOST_QUOTED = 16_384;

export function readAssertion(body: JsonObject): Assertion {
  refuseUnknown(body, KEYS, 'a link');
  const missing = REQUIRED.filter((key) => (body[key] ?? null) === null);
  if (missing.length > 0) {
    const faults = missing.map((key, i) => ` ${i + 1}: [${key}] is missing;`).join('');
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed:${faults} a link needs [src], [dst] and [type]`,
    );
  }
  const src = readId(body, 'src');
  const dst = readId(body, 'dst');
  const type = readId(body, 'type');
  if (src === dst) {
    throw illegal(`[src] and [dst] are both ${shown(src)}, a link must join two different nodes`);
  }
  return {
    src,
    dst,
    type,
    confidence: readShare(body, 'confidence'),
    weight: readShare(body, 'weight'),
    evidence: readEvidence(body['evidence']),
    validAt: isAbsent(body['valid_at']) ? undefined : readTime(body['valid_at'], 'valid_at'),
  };
}

function refuseUnknown(body: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const hint =
    unknown === 'invalid_at' || unknown === 'expired_at'
      ? 'retire a link by DELETE /_graph/{brain}/link/{edge_id}'
      : `expected some of [${known.join(', ')}]`;
  throw illegal(`unknown key [${unknown}] in ${what}, ${hint}`);
}

function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function readId(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value !== 'string')
    throw illegal(`[${field}] must be a string, got ${shown(value ?? null)}`);
  return checkId(value, field);
}

function readShare(body: JsonObject, field: string): number {
  const value = body[field];
  if (isAbsent(value)) return 1;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value + 0;
  throw illegal(`[${field}] must be a number from 0 to 1, got ${shown(value)}`);
}

function readEvidence(value: Json | undefined): JsonObject | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw illegal(
      `[evidence] must be an object of [quote], [source], [field] and [offset], got ${shown(value)}`,
    );
  }
  const evidence = value as JsonObject;
  refuseUnknown(evidence, EVIDENCE_KEYS, '[evidence]');
  const { quote, source, field, offset } = evidence;
  if (typeof quote !== 'string' || quote === '') {
    throw illegal(
      `[evidence.quote] must be the quoted text, got ${isAbsent(quote) ? 'nothing' : shown(quote)}`,
    );
  }
  checkQuoted(quote, 'evidence.quote');
  if (!isAbsent(source)) {
    if (typeof source !== 'string')
      throw illegal(`[evidence.source] must be a string, got ${shown(source)}`);
    checkId(source, 'evidence.source');
  }
  if (!isAbsent(field) && (typeof field !== 'string' || field === '')) {
    throw illegal(`[evidence.field] must be the name of a field, got ${shown(field)}`);
  }
  checkQuoted(field ?? '', 'evidence.field');
  if (
    !isAbsent(offset) &&
    !(typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0)
  ) {
    throw illegal(
      `[evidence.offset] must be a byte offset, a whole number from 0, got ${shown(offset)}`,
    );
  }
  return {
    quote,
    ...(isAbsent(source) ? {} : { source }),
    ...(isAbsent(field) ? {} : { field }),
    ...(isAbsent(offset) ? {} : { offset: (offset as number) + 0 }),
  };
}

/** Throws illegal_argument_exception for a text of evidence that is too long. */
export function checkQuoted(text: string, name: string): void {
  if (text.length <= MOST_QUOTED) return;
  throw illegal(
    `[${name}] has [${text.length}] characters, more than [${MOST_QUOTED}]: quote less, [source] and [offset] say where the rest is`,
  );
}
