// A memory as a document of its index: its fields, and how it is marked as superseded without a
// change to its other bytes.

import { isSafeNumber, parse } from 'lossless-json';
import type { JsonObject } from '../backend/index.js';
import { exactInteger } from '../base/json-text.js';

export interface MemoryEntry {
  readonly text: string | null;
  readonly metadata: JsonObject | null;
  readonly vector: readonly number[] | null;
  readonly stored_at: number | null;
  /**
   * When it was said or became true: metadata.said_at, metadata.valid_at, else when it was stored.
   */
  readonly own_time: number | null;
  readonly expires_at: number | null;
  /** When another memory superseded it in the world, and when that was recorded. */
  readonly invalid_at: number | null;
  readonly superseded_at: number | null;
}

/** The fields that a response shows. */
export const SHOWN_FIELDS = ['text', 'metadata', 'unindexed', 'stored_at', 'own_time'];
/** The same with the fields that decide on visibility. */
export const LIFE_FIELDS = [...SHOWN_FIELDS, 'expires_at', 'invalid_at', 'superseded_at'];

export function readEntry(source: Uint8Array | undefined): MemoryEntry {
  const document = source === undefined ? {} : readDocument(source);
  const unindexed = objectAt(document, 'unindexed');
  const metadata = objectAt(document, 'metadata');
  const vector = document['vector'];
  return {
    text: typeof document['text'] === 'string' ? document['text'] : null,
    metadata: unindexed === null ? metadata : { ...metadata, ...unindexed },
    vector: Array.isArray(vector) ? (vector as number[]) : null,
    stored_at: numberAt(document, 'stored_at'),
    own_time: numberAt(document, 'own_time') ?? numberAt(document, 'stored_at'),
    expires_at: numberAt(document, 'expires_at'),
    invalid_at: numberAt(document, 'invalid_at'),
    superseded_at: numberAt(document, 'superseded_at'),
  };
}

const LONG_NUMBER = /\d{16}/;

/** All members of the document; whole numbers that a double cannot hold are bigint. */
export function readDocument(source: Uint8Array): JsonObject {
  const text = Buffer.from(source).toString('utf8');
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as JsonObject;
  return parse(text, undefined, (spelling) =>
    /^-?\d+$/.test(spelling) && !isSafeNumber(spelling) ? exactInteger(spelling) : Number(spelling),
  ) as JsonObject;
}

/** The same document with its end: members appended after the last one. */
export function supersededSource(
  source: Uint8Array,
  invalid_at: number,
  superseded_at: number,
): string {
  const text = Buffer.from(source).toString('utf8').trimEnd();
  const open = text.slice(0, -1).trimEnd();
  const comma = open.endsWith('{') ? '' : ',';
  return `${open}${comma}"invalid_at":${invalid_at},"superseded_at":${superseded_at}}`;
}

/** Undoes supersededSource(); undefined: the document does not end with these members. */
export function withoutEnd(
  source: Uint8Array,
  invalid_at: number,
  superseded_at: number,
): string | undefined {
  const text = Buffer.from(source).toString('utf8');
  const end = `"invalid_at":${invalid_at},"superseded_at":${superseded_at}}`;
  if (!text.endsWith(end)) return undefined;
  return `${text.slice(0, -end.length).replace(/,$/, '')}}`;
}

function objectAt(document: JsonObject, key: string): JsonObject | null {
  const value = document[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

function numberAt(document: JsonObject, key: string): number | null {
  const value = document[key];
  return typeof value === 'number' ? value : null;
}
