// Parses `minimum_should_match` in all its forms: 2, -1, 75%, -25%, 2<75% and lists of the last.
// The number of clauses depends on the analysed text, so the core computes it; only the spelling is
// checked here.
import type { Params } from './params.js';
import { illegal, printed, toText } from './values.js';

const SIMPLE = /^[+-]?\d{1,9}%?$/;
/** Longer values are not realistic, and the limit keeps the regular expressions cheap. */
const MAX_LENGTH = 200;
const CONDITION = /^\d{1,9}<[+-]?\d{1,9}%?$/;

/** Returns the canonical spelling; empty if the parameter is absent. */
export function readMinimumShouldMatch(params: Params): string {
  const value = params.raw('minimum_should_match');
  if (value === undefined) return '';
  const text = toText(value);
  if (text === undefined) throw params.unknownToken('minimum_should_match', value);
  const parts =
    text.length > MAX_LENGTH
      ? []
      : text
          .trim()
          .split('<')
          .map((part) => part.trim())
          .join('<')
          .split(/\s+/);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && SIMPLE.test(first)) return first;
  if (parts.length > 0 && parts.every((part) => CONDITION.test(part))) return parts.join(' ');
  throw illegal(
    `[${params.clause}] failed to parse [minimum_should_match] with value [${printed(value)}], expected a form like 2, -1, 75%, -25% or 2<75%`,
  );
}
