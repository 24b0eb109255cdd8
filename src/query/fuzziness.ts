// Parses `fuzziness` (AUTO, AUTO:low,high or an edit distance) to one canonical spelling.
import type { Json } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import type { Params } from './params.js';
import { illegal, printed } from './values.js';

/** "AUTO", "AUTO:low,high", "0", "1" or "2"; empty when absent. */
export function readFuzziness(params: Params): string {
  const value = params.raw('fuzziness');
  if (value === undefined) return '';
  if (value === null || typeof value === 'object') throw params.unknownToken('fuzziness', value);
  return parseFuzziness(value);
}

export function parseFuzziness(value: Json): string {
  const text = printed(value).trim().toUpperCase();
  if (text === '') throw illegal('fuzziness cannot be null or empty.');
  if (text === 'AUTO') return text;
  if (text.startsWith('AUTO:')) return parseAuto(text);
  const edits = Number(text);
  if (Number.isNaN(edits)) throw illegal(`fuzziness cannot be [${printed(value)}].`);
  if (!Number.isInteger(edits)) {
    throw illegal(`fuzziness needs to be one of 0.0, 1.0 or 2.0 but was ${edits}`);
  }
  if (edits < 0 || edits > 2) {
    throw illegal(`Valid edit distances are [0, 1, 2] but was [${edits}]`);
  }
  return String(edits);
}

function parseAuto(text: string): string {
  const match = /^AUTO:\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(text);
  if (match === null) {
    throw illegal(
      `failed to parse [${text}] as a "auto:int,int", the low and high length of terms`,
    );
  }
  const low = Number(match[1]);
  const high = Number(match[2]);
  if (low > high) {
    throw new QuarryError(
      'parse_exception',
      `fuzziness wrongly configured [${text}]. Must be 0 < lower value <= higher value.`,
    );
  }
  return `AUTO:${low},${high}`;
}
