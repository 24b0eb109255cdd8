// `?human`: adds readable sizes and times before the numbers of statistics: `"size": "1.2kb",
// "size_in_bytes": 1234`.
import type { Answer } from './routes.js';

const SIZES = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];
const TIMES: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
];

/**
 * Applies only to answers built as objects. Answers of raw bytes are left alone, since documents
 * may have members of such names.
 */
export function inWords(answer: Answer): Answer {
  return answer.body === undefined ? answer : { ...answer, body: worded(answer.body) };
}

function worded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(worded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => [
      ...wordsOf(name, member, value),
      [name, worded(member)] as const,
    ]),
  );
}

function wordsOf(
  name: string,
  value: unknown,
  beside: object,
): readonly (readonly [string, string])[] {
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const [, what, unit] = /^(.+)_in_(bytes|millis)$/.exec(name) ?? [];
  if (what === undefined || Object.hasOwn(beside, what)) return [];
  return [[what, unit === 'bytes' ? sizeText(Number(value)) : timeText(Number(value))]];
}

/** Prints a size in the form of Elasticsearch: `1.2kb`, `1kb`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${rounded(bytes / 1024 ** power)}${SIZES[power]}`;
}

/** Prints a duration in the form of Elasticsearch: `1.2s`, `90ms`. */
export function timeText(ms: number): string {
  if (ms === 0) return '0s';
  const [unitMs, unit] = TIMES.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${rounded(ms / unitMs)}${unit}`;
}

/** Truncated to one decimal, which is omitted if it is zero. */
function rounded(value: number): string {
  return String(Math.floor(value * 10) / 10);
}
