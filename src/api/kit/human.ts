// `?human`: adds readable sizes and times before the numbers of statistics: `"size": "1.2kb",
// "size_in_bytes": 1234`.
import { printSize, printTime } from '../../base/units.js';
import type { Answer } from './routes.js';

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
  present: object,
): readonly (readonly [string, string])[] {
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const [, what, unit] = /^(.+)_in_(bytes|millis)$/.exec(name) ?? [];
  if (what === undefined || Object.hasOwn(present, what)) return [];
  return [[what, unit === 'bytes' ? printSize(Number(value)) : printTime(Number(value))]];
}
