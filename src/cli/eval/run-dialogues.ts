// Stores the dialogues of a set in namespaces of a running service, one after another, asks their
// questions in each mode, and removes the namespaces.
import { ConfigError } from '../../config/load.js';
import { type Client, RequestError } from '../client.js';
import { table } from '../reading.js';
import type { Dialogue, DialogueSet, Turn } from './dialogue.js';
import { DEEPEST, FIGURES, type Figures, figuresOf, type Interval, intervalsOf } from './scores.js';

/** The ways to recall, by name. */
export const MODES: Readonly<Record<string, object>> = {
  query: {},
  semantic: { semantic: true },
  hybrid: { hybrid: true },
  context: { context: true },
  blend: { graph: { mode: 'blend' } },
};
export const DEFAULT_MODES = ['query', 'semantic', 'hybrid'];

export interface DialogueOptions {
  readonly client: Pick<Client, 'json' | 'send'>;
  readonly modes: readonly string[];
  /** Of the namespaces, such as an `inference_id`. */
  readonly settings: object | undefined;
  readonly progress: ((line: string) => void) | undefined;
}

interface Row {
  readonly questions: number;
  readonly figures: Readonly<Record<string, Interval>>;
}

export interface DialogueResults {
  readonly format: string;
  readonly dialogues: number;
  readonly turns: number;
  readonly questions: number;
  /** Questions that name no turn. */
  readonly left_out: number;
  /** By mode, then by category; `all` first. */
  readonly modes: Readonly<Record<string, Readonly<Record<string, Row>>>>;
}

interface Scored {
  readonly category: string;
  readonly figures: Figures;
}

const PREFIX = 'eval-';
const LINES_PER_BULK = 200;
const AT_ONCE = 4;
const ALL = 'all';
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

export async function evaluateDialogues(
  set: DialogueSet,
  options: DialogueOptions,
): Promise<DialogueResults> {
  const scored = new Map<string, Scored[]>(options.modes.map((mode) => [mode, []]));
  for (const [i, dialogue] of set.dialogues.entries()) {
    options.progress?.(`${i + 1} of ${set.dialogues.length} dialogues`);
    await evaluateOne(dialogue, options, scored);
  }
  options.progress?.('');
  const total = (of: (one: Dialogue) => number): number =>
    set.dialogues.reduce((sum, one) => sum + of(one), 0);
  return {
    format: set.format,
    dialogues: set.dialogues.length,
    turns: total(({ turns }) => turns.length),
    questions: total(({ questions }) => questions.length),
    left_out: set.leftOut,
    modes: Object.fromEntries([...scored].map(([mode, all]) => [mode, rowsOf(all)])),
  };
}

async function evaluateOne(
  dialogue: Dialogue,
  options: DialogueOptions,
  scored: ReadonlyMap<string, Scored[]>,
): Promise<void> {
  const namespace = namespaceOf(dialogue.name);
  const at = `/_memory/${namespace}`;
  await refuseExisting(namespace, options);
  try {
    if (options.settings !== undefined) await options.client.json('PUT', at, options.settings);
    await storeTurns(at, dialogue.turns, options);
    for (const mode of options.modes) {
      const all = await askQuestions(at, dialogue, MODES[mode] ?? {}, options);
      scored.get(mode)?.push(...all);
    }
  } finally {
    await removeNamespace(at, options);
  }
}

async function removeNamespace(at: string, { client }: DialogueOptions): Promise<void> {
  try {
    await client.json('DELETE', at);
  } catch (error) {
    // Nothing was stored.
    if (!(error instanceof RequestError && error.status === 404)) throw error;
  }
}

function namespaceOf(name: string): string {
  return `${PREFIX}${name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-')}`;
}

/** The memories of a namespace that is there would be removed at the end. */
async function refuseExisting(namespace: string, { client }: DialogueOptions): Promise<void> {
  try {
    const { count } = await client.json('GET', `/_memory/${namespace}?size=1`);
    if (count === 0) return;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return;
    throw error;
  }
  throw new ConfigError(
    `the service has memories in the namespace [${namespace}], which the run would use and remove: remove it first`,
  );
}

async function storeTurns(
  at: string,
  turns: readonly Turn[],
  { client }: DialogueOptions,
): Promise<void> {
  for (let from = 0; from < turns.length; from += LINES_PER_BULK) {
    const lines = turns
      .slice(from, from + LINES_PER_BULK)
      .map((turn) => JSON.stringify(bodyOf(turn)));
    const { errors, items } = await client.send(
      `${at}/_bulk`,
      Buffer.from(`${lines.join('\n')}\n`),
    );
    if (errors !== true) continue;
    const failed = (items as readonly { readonly error?: { readonly reason: string } }[]).find(
      ({ error }) => error !== undefined,
    );
    throw new Error(`a turn was not stored: ${failed?.error?.reason}`);
  }
}

/** Day and speaker are part of the text, as people keep notes of a dialogue. */
function bodyOf({ id, session, speaker, day, words }: Turn): object {
  const date = day === undefined ? '' : `(${writtenDay(day)}) `;
  return {
    id,
    text: `${date}${speaker}: ${words}`,
    metadata: { session, speaker, ...(day === undefined ? {} : { said_at: day }) },
  };
}

function writtenDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

async function askQuestions(
  at: string,
  { questions }: Dialogue,
  mode: object,
  { client }: DialogueOptions,
): Promise<readonly Scored[]> {
  const scored: Scored[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < questions.length; i = next++) {
      const { query = '', category = '', evidence = [] } = questions[i] ?? {};
      const { hits } = await client.json('POST', `${at}/_recall`, { query, k: DEEPEST, ...mode });
      const ids = (hits as readonly { readonly id: string }[]).map(({ id }) => id);
      scored[i] = { category, figures: figuresOf(new Set(evidence), ids) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return scored;
}

function rowsOf(all: readonly Scored[]): Readonly<Record<string, Row>> {
  const categories = [...new Set(all.map(({ category }) => category))].sort();
  const row = (some: readonly Scored[]): Row => ({
    questions: some.length,
    figures: intervalsOf(some.map(({ figures }) => figures)),
  });
  return Object.fromEntries([
    [ALL, row(all)],
    ...categories.map((one) => [one, row(all.filter(({ category }) => category === one))] as const),
  ]);
}

/** Percentages with the ends of their intervals. */
export function tableOf(results: DialogueResults): readonly string[] {
  const rows = Object.entries(results.modes).flatMap(([mode, byCategory]) =>
    Object.entries(byCategory).map(([category, { questions, figures }]) => [
      mode,
      category,
      String(questions),
      ...FIGURES.map((name) => shown(figures[name])),
    ]),
  );
  const { format, dialogues, turns, questions, left_out: left } = results;
  return [
    `${format}: ${dialogues} dialogues, ${turns} turns, ${questions} questions; ${left} name no turn and are left out`,
    ...table(['MODE', 'CATEGORY', 'QUESTIONS', ...FIGURES], rows),
    'In brackets: the middle 95 % of 1,000 bootstrap samples of the questions.',
  ];
}

function shown(interval: Interval | undefined): string {
  if (interval === undefined) return '-';
  const percent = (share: number): string => (100 * share).toFixed(1);
  return `${percent(interval.mean)} [${percent(interval.low)}, ${percent(interval.high)}]`;
}
