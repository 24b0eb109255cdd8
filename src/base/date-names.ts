// Index names with date math: `<logs-{now/d{yyyy.MM.dd|+01:00}}>` is today's `logs-2026.11.23`.
// Inside the angle brackets, braces enclose date math, which may end with a format and a time zone
// in inner braces; `\` escapes the next character.
import { QuarryError } from '../errors.js';
import { formatDate, zoneOffsetMs } from './date-name-format.js';
import { dateMath } from './date-name-math.js';

const DEFAULT_FORMAT = 'yyyy.MM.dd';

/** Path parameters that name indexes. */
const NAMING = ['index', 'new_index', 'target'];

export function withDateNames(
  parts: Readonly<Record<string, string>>,
  nowMs: () => number,
): Readonly<Record<string, string>> {
  if (!NAMING.some((key) => parts[key]?.includes('<') === true)) return parts;
  const now = nowMs();
  return Object.fromEntries(
    Object.entries(parts).map(([key, text]) => [
      key,
      NAMING.includes(key) ? resolveDateNames(text, now) : text,
    ]),
  );
}

/** Resolves every name of an expression; exclusions keep their leading `-`. */
export function resolveDateNames(expression: string, nowMs: number): string {
  return expression
    .split(',')
    .map((token) => {
      const minus = token.startsWith('-') ? '-' : '';
      const name = token.slice(minus.length);
      const isDated = name.length > 2 && name.startsWith('<') && name.endsWith('>');
      return isDated ? `${minus}${resolveName(name.slice(1, -1), nowMs)}` : token;
    })
    .join(',');
}

function resolveName(inner: string, nowMs: number): string {
  let name = '';
  for (let at = 0; at < inner.length; at += 1) {
    const letter = inner[at] as string;
    if (letter === '\\') {
      at += 1;
      name += inner[at] ?? '';
    } else if (letter === '{') {
      const end = endOf(inner, at);
      name += resolvePlaceholder(inner, inner.slice(at + 1, end), nowMs);
      at = end;
    } else if (letter === '}') {
      throw invalid(inner, `invalid character at position [${at}]. \`{\` and \`}\` are reserved`);
    } else name += letter;
  }
  if (name === '') throw invalid(inner, 'nothing captured');
  return name;
}

/** Index of the brace that closes the placeholder starting at `start`. */
function endOf(inner: string, start: number): number {
  let depth = 0;
  for (let at = start; at < inner.length; at += 1) {
    if (inner[at] === '{') depth += 1;
    if (inner[at] === '}') depth -= 1;
    if (depth === 0) return at;
    if (depth > 2) break;
  }
  throw invalid(inner, 'date math placeholder is open ended');
}

function resolvePlaceholder(inner: string, text: string, nowMs: number): string {
  const brace = text.indexOf('{');
  if (brace < 0) return formatDate(dateMath(text, nowMs), DEFAULT_FORMAT);
  if (!text.endsWith('}') || brace === text.length - 2) {
    throw invalid(inner, 'missing date format');
  }
  const [format = '', zone = 'UTC'] = text.slice(brace + 1, -1).split('|');
  // Computed in local time of the zone: the shifted timestamp is treated as if it were UTC.
  const local = nowMs + zoneOffsetMs(zone, nowMs);
  return formatDate(dateMath(text.slice(0, brace), local), format);
}

function invalid(inner: string, why: string): QuarryError {
  return new QuarryError('parse_exception', `invalid dynamic name expression [${inner}]. ${why}`);
}
