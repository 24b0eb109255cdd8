// What every published set of dialogues is read into: turns that are stored as memories, and
// questions with the turns that answer them.

export interface Turn {
  readonly id: string;
  readonly session: string;
  readonly speaker: string;
  /** ISO 8601; undefined if the set does not say it. */
  readonly day?: string | undefined;
  readonly words: string;
}

export interface Question {
  readonly query: string;
  readonly category: string;
  /** Ids of turns of the dialogue; not empty. */
  readonly evidence: readonly string[];
}

export interface Dialogue {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

export interface DialogueSet {
  readonly format: string;
  readonly dialogues: readonly Dialogue[];
  /** Questions without a turn that answers them. */
  readonly leftOut: number;
}

export interface WantedQuestion extends Omit<Question, 'evidence'> {
  readonly evidence: Iterable<string>;
}

/** A dialogue and how many of its questions name no turn of it. */
export function dialogueOf(
  name: string,
  turns: readonly Turn[],
  wanted: readonly WantedQuestion[],
): { readonly dialogue: Dialogue; readonly leftOut: number } {
  const ids = new Set(turns.map(({ id }) => id));
  const questions = wanted
    .map(({ query, category, evidence }) => ({
      query,
      category,
      evidence: [...new Set(evidence)].filter((id) => ids.has(id)),
    }))
    .filter(({ evidence }) => evidence.length > 0);
  return { dialogue: { name, turns, questions }, leftOut: wanted.length - questions.length };
}

export function setOf(format: string, read: readonly ReturnType<typeof dialogueOf>[]): DialogueSet {
  return {
    format,
    dialogues: read.map(({ dialogue }) => dialogue).filter(({ questions }) => questions.length > 0),
    leftOut: read.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The day in a written time, such as "1:56 pm on 8 May, 2023", "2023/05/20 (Sat)" or "March-15-2024". */
export function dayIn(written: unknown): string | undefined {
  if (typeof written !== 'string') return undefined;
  const numbers = /(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(written);
  if (numbers !== null) return isoDay(numbers[1], Number(numbers[2]), numbers[3]);
  const dayFirst = /(\d{1,2})[ -]{1,3}([A-Za-z]{3,12})[, -]{1,3}(\d{4})/.exec(written);
  if (dayFirst !== null) return isoDay(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = /([A-Za-z]{3,12})[ -]{1,3}(\d{1,2})[, -]{1,3}(\d{4})/.exec(written);
  if (monthFirst !== null) return isoDay(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]);
  return undefined;
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function isoDay(year = '', month: number, day = ''): string | undefined {
  const time = Date.UTC(Number(year), month - 1, Number(day));
  if (month < 1 || month > 12 || Number.isNaN(time)) return undefined;
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
