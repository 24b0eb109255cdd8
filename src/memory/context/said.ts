// What the metadata of a memory says about it: who said it, when and in which session. Speaker and
// day are indexed beside the text where the text does not begin with them, so that questions find
// them; the text itself stays as it was given.
import type { Json, JsonObject } from '../../backend/index.js';
import type { Config } from '../../config/schema.js';
import { readTime } from '../../graph/times.js';

/** The members of the metadata that have a meaning; of each list the first present one counts. */
export interface MetadataNames {
  readonly speaker: readonly string[];
  readonly session: readonly string[];
  readonly time: readonly string[];
}

export const DEFAULT_NAMES: MetadataNames = {
  speaker: ['speaker', 'author', 'from'],
  session: ['session'],
  time: ['said_at', 'valid_at'],
};

export function metadataNames(config: Config): MetadataNames {
  return {
    speaker: listOf(config['memory.speaker_names']),
    session: listOf(config['memory.session_names']),
    time: listOf(config['memory.time_names']),
  };
}

function listOf(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Fields of a memory's document that are searched and never shown. */
export interface SaidFields {
  readonly said_by?: string;
  /** Such as "8 may 2023 monday". */
  readonly said_on?: string;
}

/** Words at the beginning of a text that may name its speaker and day. */
const HEAD_WORDS = 16;
const HEAD_CHARS = 400;
/** Maximum number of characters of a speaker that are indexed. */
const MAX_SPEAKER_CHARS = 256;
const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const WRITTEN_DAY = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T ])/;

export function saidFields(
  text: string | undefined,
  metadata: JsonObject | undefined,
  names: MetadataNames,
): SaidFields {
  if (text === undefined || metadata === undefined) return {};
  const head = new Set(plainWords(text.slice(0, HEAD_CHARS)).slice(0, HEAD_WORDS));
  const speaker = speakerOf(metadata, names);
  const day = dayOf(metadata, names);
  const isNamed = speaker === undefined || plainWords(speaker).every((word) => head.has(word));
  return {
    ...(isNamed ? {} : { said_by: speaker }),
    ...(day === undefined || [day.month, day.year].every((word) => head.has(word))
      ? {}
      : { said_on: `${day.day} ${day.month} ${day.year} ${day.weekday}` }),
  };
}

function speakerOf(metadata: JsonObject, { speaker }: MetadataNames): string | undefined {
  for (const name of speaker) {
    const value = metadata[name];
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, MAX_SPEAKER_CHARS);
  }
  return undefined;
}

interface Day {
  readonly day: string;
  readonly month: string;
  readonly year: string;
  readonly weekday: string;
}

/** The day as it is written in the metadata, whatever the offset; of a number the day in UTC. */
function dayOf(metadata: JsonObject, { time }: MetadataNames): Day | undefined {
  for (const name of time) {
    const value = metadata[name];
    const written = typeof value === 'string' ? WRITTEN_DAY.exec(value.trim()) : null;
    if (written !== null) {
      return toDay(Date.UTC(Number(written[1]), Number(written[2]) - 1, Number(written[3])));
    }
    const at = value === undefined ? undefined : timeOf(value);
    if (at !== undefined) return toDay(at);
  }
  return undefined;
}

function toDay(ms: number): Day | undefined {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  return {
    day: String(date.getUTCDate()),
    month: MONTHS[date.getUTCMonth()] ?? '',
    year: String(date.getUTCFullYear()),
    weekday: DAYS[date.getUTCDay()] ?? '',
  };
}

/** When it was said or became true; metadata has no schema, so a value that is no time is no error. */
export function ownTimeOf(metadata: JsonObject, { time }: MetadataNames): number | undefined {
  for (const name of time) {
    const value = metadata[name];
    const at = value === undefined ? undefined : timeOf(value);
    if (at !== undefined) return at;
  }
  return undefined;
}

function timeOf(value: Json): number | undefined {
  if (typeof value === 'number') return toTime(value);
  return typeof value === 'string' ? textToTime(value.trim()) : undefined;
}

/**
 * Also reads days, and times without a zone as UTC. A number of up to 7 digits is a year or a count
 * and no time.
 */
function textToTime(text: string): number | undefined {
  if (/^[+-]?\d{1,7}$/.test(text)) return undefined;
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const seconds = day.replace(/^(\S+[T ]\d\d:\d\d)(Z?)$/, '$1:00$2');
  return toTime(day) ?? toTime(seconds) ?? toTime(`${seconds}Z`);
}

function toTime(value: number | string): number | undefined {
  try {
    return readTime(value, 'own time');
  } catch {
    return undefined;
  }
}

export function sessionOf(
  metadata: JsonObject | undefined,
  names: MetadataNames,
): string | undefined {
  for (const name of names.session) {
    const session = metadata?.[name];
    if (typeof session === 'number' || typeof session === 'bigint') return String(session);
    if (typeof session === 'string' && session !== '') return session;
  }
  return undefined;
}

/** The words of a text without case, accents and possessives, to compare names with. */
export function plainWords(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.replace(/['’]s(?![\p{L}\p{N}])|['’]/gu, '').match(/[\p{L}\p{N}]+/gu);
  return words ?? [];
}
