// Schedules of snapshot policies: cron expressions in the form of Elasticsearch (and Quartz), which
// is `seconds minutes hours day-of-month month day-of-week [year]` in UTC. Exactly one of the two
// days is `?`, which leaves the choice to the other; days of the week are 1 (Sunday) to 7 or names.
import { Cron } from 'croner';
import { QuarryError } from '../../errors.js';

export interface Schedule {
  /** The first time after `ms`; undefined if there is none. */
  readonly next: (ms: number) => number | undefined;
}

const FORM = '[<seconds> <minutes> <hours> <day_of_month> <month> <day_of_week> <year>?]';
const DAY_OF_MONTH = 3;
const DAY_OF_WEEK = 5;

/** Throws illegal_argument_exception. */
export function readSchedule(text: string): Schedule {
  const cron = cronOf(text);
  return { next: (ms) => cron.nextRun(new Date(ms))?.getTime() };
}

function cronOf(text: string): Cron {
  const fields = text.trim().split(/\s+/);
  if (fields.length < 6 || fields.length > 7) {
    throw invalid(text, `it has [${fields.length}] fields, expected ${FORM}`);
  }
  const day = fields[DAY_OF_MONTH] ?? '';
  const weekday = fields[DAY_OF_WEEK] ?? '';
  if ((day === '?') === (weekday === '?')) {
    throw invalid(text, 'exactly one of day_of_month and day_of_week must be [?]');
  }
  if (fields.some((field, at) => field.includes('?') && (field !== '?' || !isDay(at)))) {
    throw invalid(text, '[?] stands alone, in the place of a day');
  }
  if (weekday.split(/[,/#-]/).some((part) => /^\d+$/.test(part) && !/^[1-7]$/.test(part))) {
    throw invalid(text, 'days of the week are 1 (Sunday) to 7, or SUN to SAT');
  }
  const pattern = fields.map((field, at) => {
    if (field === '?') return '*';
    return at === DAY_OF_WEEK ? lastWeekday(field.toUpperCase()) : field.toUpperCase();
  });
  try {
    return new Cron(pattern.join(' '), {
      timezone: 'UTC',
      mode: '6-or-7-parts',
      alternativeWeekdays: true,
      sloppyRanges: true,
    });
  } catch (error) {
    throw invalid(text, (error as Error).message);
  }
}

function isDay(field: number): boolean {
  return field === DAY_OF_MONTH || field === DAY_OF_WEEK;
}

/** `L` is Saturday, `6L` the last Friday of the month, which croner writes `6#L`. */
function lastWeekday(field: string): string {
  return field === 'L' ? '7' : field.replace(/^([1-7]|[A-Z]{3})L$/, '$1#L');
}

function invalid(text: string, why: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `[schedule] invalid cron expression [${text}]: ${why}`,
  );
}
