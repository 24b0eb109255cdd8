// Checks the names of time zones in requests before the search runs, whether or not a date is read
// with them.
import type { Params } from './params.js';
import { illegal, shortened } from './values.js';

const HOURS_AT_MOST = 18;
/** One to three numbers, with or without colons. */
const OFFSET = /^[+-](?:(\d{1,2})|(\d\d):?([0-5]\d)(?::?([0-5]\d))?)$/;
/** Every part of a region's name begins with a capital letter; JavaScript would accept any case. */
const REGION = /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/;

/** Reads `time_zone` of a clause; empty if absent. */
export function readTimeZone(params: Params): string {
  const text = params.text('time_zone');
  return text === undefined ? '' : checkTimeZone(text);
}

/** Names in the time zone database that Java does not accept. */
const NOT_IN_JAVA: readonly string[] = ['EST', 'MST', 'HST', 'ROC'];

/** Returns the name unchanged; throws illegal_argument_exception for an unknown one. */
export function checkTimeZone(text: string): string {
  const offset = text.replace(/^(?:UTC|GMT|UT)(?=.)/, '');
  if (text === 'UT' || text === 'Z' || isOffset(offset)) return text;
  if (REGION.test(text) && !NOT_IN_JAVA.includes(text) && isRegion(text)) return text;
  throw illegal(`Unknown time-zone ID: [${shortened(text)}]`);
}

function isOffset(text: string): boolean {
  const match = OFFSET.exec(text);
  if (match === null) return false;
  const [, alone, hours, minutes = '00', seconds = '00'] = match;
  const whole = Number(alone ?? hours);
  if (whole < HOURS_AT_MOST) return true;
  return whole === HOURS_AT_MOST && Number(minutes) + Number(seconds) === 0;
}

/**
 * Names of the time zone database that requests had: looking one up takes a tenth of a millisecond,
 * and a request may have thousands.
 */
const REGIONS = new Set<string>();

function isRegion(name: string): boolean {
  if (REGIONS.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  REGIONS.add(name);
  return true;
}
