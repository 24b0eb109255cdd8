// The scorecard: one table with losses in bold, as plain text, as Markdown and as an HTML page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../lab/chart.ts';
import { figure } from '../lab/print.ts';
import { REPORT, toPage } from '../lab/report.ts';
import type { Line } from './contest.ts';
import type { Duel, Measure } from './duel.ts';

export interface Scorecard {
  readonly machine: string;
  /** The loaded data, and the available and missing peers. */
  readonly facts: readonly string[];
  readonly lines: readonly Line[];
  /** Against servers, by family. */
  readonly duels: readonly Duel[];
}

type Compared = Pick<Line, 'ratio' | 'interval'>;

const HEAD = [
  'task',
  'peer',
  'unit',
  'Quarry',
  'peer has',
  'times as good',
  'in 99 of 100',
  'overlap of 10',
  'recall, theirs',
];

/** A certain loss: the whole interval is below 1. */
export function isLoss({ ratio, interval }: Compared): boolean {
  return (interval?.[1] ?? ratio) < 1;
}

function isOpen({ interval }: Compared): boolean {
  return interval !== undefined && interval[0] <= 1 && interval[1] >= 1;
}

function cellsOf(line: Line): readonly string[] {
  const recall = line.recall?.map((share) => share.toFixed(3)).join(', ') ?? '';
  return [
    line.task,
    line.peer,
    line.unit,
    figure(line.ours),
    figure(line.theirs),
    line.ratio.toFixed(2),
    line.interval?.map((end) => end.toFixed(2)).join(' to ') ?? '',
    line.overlap === undefined ? '' : line.overlap.toFixed(2),
    recall,
  ];
}

const AHEAD = 3;
const FIRST_MEASURE = 4;

function summary(all: readonly Compared[]): string {
  const [losses, open] = [all.filter(isLoss).length, all.filter(isOpen).length];
  const far = all.filter(({ ratio }) => ratio >= AHEAD).length;
  return `${all.length} comparisons, ${losses} lost (in bold), ${open} too near to tell, ${far} at least ${AHEAD} times as good.`;
}

function measured({ duels }: Scorecard): readonly Measure[] {
  return duels.flatMap(({ measures }) => measures);
}

function duelHead({ duels }: Scorecard): readonly string[] {
  const names = duels[0]?.measures.map(({ name }) => name) ?? [];
  return ['family', 'peer', 'overlap of 10', 'recall, theirs', ...names];
}

function duelCells({ task, peer, overlap, recall, measures }: Duel): readonly string[] {
  const shares = recall?.map((share) => share.toFixed(3)).join(', ') ?? '';
  return [task, peer, overlap.toFixed(2), shares, ...measures.map(measureCell)];
}

/** The ratio and both values: 'ours / theirs'. */
function measureCell({ ours, theirs, ratio }: Measure): string {
  return `${ratio.toFixed(2)} (${figure(ours)} / ${figure(theirs)})`;
}

/** For the terminal during the run. */
export function duelLine({ task, peer, overlap, measures }: Duel): string {
  const cells = measures.map(
    (one) => `${one.name} ${measureCell(one)}${isLoss(one) ? ' LOST' : ''}`,
  );
  return `${task}, ${peer}: overlap ${overlap.toFixed(2)}; ${cells.join('; ')}`;
}

export function figureText(line: Line): string {
  const { task, peer, unit, ours, theirs, ratio } = line;
  const lost = isLoss(line) ? ' LOST' : '';
  return `${task}, ${peer}: ${ratio.toFixed(2)} (${figure(ours)} / ${figure(theirs)} ${unit})${lost}`;
}

const DUELS = 'Servers over HTTP, by family: times as good (ours / theirs)';

export function toMarkdown(card: Scorecard): string {
  const { machine, facts, lines, duels } = card;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = (head: readonly string[], texts: number): string =>
    row(head.map((_, i) => (i < texts ? '---' : '---:')));
  const bold = (cell: string): string => (cell === '' ? '' : `**${cell}**`);
  const duelRow = (one: Duel): string =>
    row(duelCells(one).map((cell, i) => (isLostCell(one, i) ? bold(cell) : cell)));
  const head = duelHead(card);
  const byFamily =
    duels.length === 0
      ? []
      : [
          `## ${DUELS}`,
          '',
          summary(measured(card)),
          '',
          row(head),
          rule(head, 2),
          ...duels.map(duelRow),
          '',
        ];
  return [
    '# Scorecard',
    '',
    machine,
    ...facts.map((fact) => `\n${fact}`),
    '',
    ...byFamily,
    summary(lines),
    '',
    row(HEAD),
    rule(HEAD, 3),
    ...lines.map((line) => row(isLoss(line) ? cellsOf(line).map(bold) : cellsOf(line))),
    '',
  ].join('\n');
}

/** True if the cell is a measure that is a loss; measures are the last cells. */
function isLostCell({ measures }: Duel, cell: number): boolean {
  const measure = measures[cell - FIRST_MEASURE];
  return measure !== undefined && isLoss(measure);
}

export function toHtml(card: Scorecard): string {
  const { machine, facts, lines, duels } = card;
  const cells = (row: readonly string[], tag: string): string =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('');
  const rows = lines.map((line) => {
    const mark = isLoss(line) ? ' class="missed"' : '';
    return `<tr${mark}>${cells(cellsOf(line), 'td')}</tr>`;
  });
  const duelRows = duels.map((one) => {
    const marked = duelCells(one).map(
      (cell, i) => `<td${isLostCell(one, i) ? ' class="missed"' : ''}>${escapeHtml(cell)}</td>`,
    );
    return `<tr>${marked.join('')}</tr>`;
  });
  const table = (head: readonly string[], body: readonly string[]): string =>
    `<table>\n<tr>${cells(head, 'th')}</tr>\n${body.join('\n')}\n</table>`;
  const said = (texts: readonly string[]): string =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  const byFamily =
    duels.length === 0
      ? ''
      : `<h2>${DUELS}</h2>\n${said([summary(measured(card))])}\n${table(duelHead(card), duelRows)}\n`;
  return toPage(
    'Scorecard',
    `${said([machine, ...facts])}\n${byFamily}${said([summary(lines)])}\n${table(HEAD, rows)}`,
  );
}

export function writeScorecard(card: Scorecard): void {
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(join(REPORT, 'scorecard.md'), toMarkdown(card));
  writeFileSync(join(REPORT, 'scorecard.html'), toHtml(card));
  writeFileSync(join(REPORT, 'scorecard.json'), `${JSON.stringify(card, null, 2)}\n`);
}
