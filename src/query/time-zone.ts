// Names of time zones in requests: refused before anything runs, whether or not a date is ever read by them.
import type { Params } from './params.js';
import { illegal, shortened } from './values.js';

const HOURS_AT_MOST = 18;
/** Between one and three numbers, with colons or without. */
const OFFSET = /^[+-](?:(\d{1,2})|(\d\d):?([0-5]\d)(?::?([0-5]\d))?)$/;
/** Every part of the name of a region begins with a capital; JavaScript would take any case. */
const REGION = /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/;

/** `time_zone` of a clause; empty when absent. */
export function readTimeZone(params: Params): string {
  const text = params.text('time_zone');
  return text === undefined ? '' : checkTimeZone(text);
}

/** Names of the database of zones that Java leaves out. */
const NOT_IN_JAVA: readonly string[] = ['EST', 'MST', 'HST', 'ROC'];

/** The name as it is; illegal_argument_exception for one that nobody knows. */
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

function isRegion(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
