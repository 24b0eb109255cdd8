// Runs the recalls of a file against a running service, and reports the scores of each namespace and
// their changes since the last run. A line of the file is a recall with its namespace and the
// expected ids:
// {"namespace": "ann", "query": "where does she live", "ids": ["rome"]}
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../../config/load.js';
import type { Client } from '../client.js';
import { meanOf, type Scores, scoresOf } from './scores.js';

export interface EvalOptions {
  readonly file: string;
  readonly client: Pick<Client, 'json'>;
  readonly k: number;
}

interface Question {
  readonly namespace: string;
  readonly ids: readonly string[];
  /** All other members of the line. */
  readonly body: object;
}

interface Row extends Scores {
  readonly questions: number;
}

/** Scores by namespace; stored next to the file of questions. */
type Results = Readonly<Record<string, Row>>;

const AT_ONCE = 4;

/** Prints a table to `print` and stores the scores for the next run. */
export async function evaluate(
  options: EvalOptions,
  print: (line: string) => void,
): Promise<Results> {
  const questions = readQuestions(options.file);
  const scored = new Map<string, Scores[]>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let question = questions[next++]; question !== undefined; question = questions[next++]) {
      const recalled = await ask(options, question);
      const scores = scoresOf(new Set(question.ids), recalled, options.k);
      scored.set(question.namespace, [...(scored.get(question.namespace) ?? []), scores]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const results: Results = Object.fromEntries(
    [...scored]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([namespace, all]) => [namespace, { questions: all.length, ...meanOf(all) }]),
  );
  const kept = `${options.file}.last.json`;
  const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Results) : {};
  for (const line of tableOf(results, before, options.k)) print(line);
  writeFileSync(kept, `${JSON.stringify(results, null, 2)}\n`);
  return results;
}

function readQuestions(file: string): readonly Question[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read the questions: ${(error as Error).message}`);
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const question = readQuestion(line);
    if (question !== undefined) return [question];
    throw new ConfigError(
      `${file}, line ${i + 1}: a question is {"namespace": "…", "ids": ["…"], "query": "…"}`,
    );
  });
}

function readQuestion(line: string): Question | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { namespace, ids, ...body } = value as Record<string, unknown>;
  const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string');
  return typeof namespace === 'string' && isList ? { namespace, ids, body } : undefined;
}

async function ask({ client, k }: EvalOptions, question: Question): Promise<readonly string[]> {
  const path = `/_memory/${encodeURIComponent(question.namespace)}/_recall`;
  const { hits } = await client.json('POST', path, { k, ...question.body });
  return (hits as readonly { readonly id: string }[]).map(({ id }) => id);
}

function tableOf(results: Results, before: Results, k: number): readonly string[] {
  const head = ['namespace', 'questions', `R@${k}`, 'MRR', `nDCG@${k}`];
  const rows = Object.entries(results).map(([namespace, row]) => {
    const last = before[namespace];
    const figure = (of: (one: Row) => number): string =>
      percent(of(row)) + (last === undefined ? '' : change(of(row) - of(last)));
    return [
      namespace,
      String(row.questions),
      figure((one) => one.recall),
      figure((one) => one.mrr),
      figure((one) => one.ndcg),
    ];
  });
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map((cells) => (cells[i] ?? '').length)),
  );
  return [head, ...rows].map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function change(difference: number): string {
  const points = percent(Math.abs(difference));
  return points === '0.0' ? ' (=)' : ` (${difference > 0 ? '+' : '-'}${points})`;
}
