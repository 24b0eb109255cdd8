// The conditions of a rollover: parsing, validation, and evaluation against the measures of an
// index.

import type { IndexDescription, IndexStats, Json, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { parseSize, parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';

type Kind = 'age' | 'docs' | 'size' | 'primary_shard_size' | 'primary_shard_docs';
const KINDS: readonly Kind[] = ['age', 'docs', 'size', 'primary_shard_size', 'primary_shard_docs'];

export interface Condition {
  /** The condition as the answer prints it. */
  readonly text: string;
  readonly isMinimum: boolean;
  readonly kind: Kind;
  readonly limit: number;
}

/** The measures of an index that conditions are compared with. */
export type Measures = Readonly<Record<Kind, number>>;

export function readConditions(given: Json | undefined): readonly Condition[] {
  if (given === undefined || given === null) return [];
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new QuarryError('x_content_parse_exception', '[conditions] must be an object');
  }
  const conditions = Object.entries(given as JsonObject).map(([name, value]) => read(name, value));
  const hasMaximum = conditions.some(({ isMinimum }) => !isMinimum);
  if (conditions.length === 0 || hasMaximum) return conditions;
  throw new QuarryError(
    'action_request_validation_exception',
    'Validation Failed: 1: at least one max_* rollover condition must be set when using min_* conditions;',
  );
}

function read(name: string, value: Json): Condition {
  const [, end, kind] = /^(max|min)_(.*)$/.exec(name) ?? [];
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) {
    const names = KINDS.flatMap((one) => [`max_${one}`, `min_${one}`]).join(', ');
    throw new QuarryError(
      'x_content_parse_exception',
      `[conditions] unknown field [${name}], known are [${names}]`,
    );
  }
  const limit = limitOf(name, known, value);
  return { text: `[${name}: ${asText(value)}]`, isMinimum: end === 'min', kind: known, limit };
}

function limitOf(name: string, kind: Kind, value: Json): number {
  const text = asText(value);
  if (kind === 'age') return parseTime(text, name);
  const isCount = kind === 'docs' || kind === 'primary_shard_docs';
  const number = isCount ? wholeNumber(text) : parseSize(text, name);
  if (number !== undefined) return number;
  throw new QuarryError(
    'illegal_argument_exception',
    isCount
      ? `[${name}] must be a whole number, got [${text}]`
      : `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
  );
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function measure(index: IndexDescription, stats: IndexStats, nowMs: number): Measures {
  const shards = (stats.detail['shards'] ?? []) as readonly JsonObject[];
  const most = (key: string): number => Math.max(0, ...shards.map((one) => Number(one[key] ?? 0)));
  return {
    age: nowMs - index.creationDate,
    docs: stats.docs,
    size: stats.bytes,
    primary_shard_size: most('bytes'),
    primary_shard_docs: most('docs'),
  };
}

export function isMet({ kind, limit }: Condition, measures: Measures): boolean {
  return measures[kind] >= limit;
}

/**
 * Whether to roll over: always without conditions, else if any maximum is reached and every
 * minimum.
 */
export function isTime(conditions: readonly Condition[], measures: Measures): boolean {
  if (conditions.length === 0) return true;
  const [minima, maxima] = [true, false].map((minimum) =>
    conditions.filter(({ isMinimum }) => isMinimum === minimum),
  );
  return (
    (maxima ?? []).some((one) => isMet(one, measures)) &&
    (minima ?? []).every((one) => isMet(one, measures))
  );
}
