// The scorecard: one table, losses in bold, as text for people, as markdown and as a page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../lab/chart.ts';
import { figure } from '../lab/print.ts';
import { REPORT, toPage } from '../lab/report.ts';
import type { Line } from './contest.ts';

export interface Scorecard {
  readonly machine: string;
  /** What was loaded, which peers there were and which were not. */
  readonly facts: readonly string[];
  readonly lines: readonly Line[];
}

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

/** For certain: the whole interval lies below 1. */
export function isLoss({ ratio, interval }: Line): boolean {
  return (interval?.[1] ?? ratio) < 1;
}

function isOpen({ interval }: Line): boolean {
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

function summary(lines: readonly Line[]): string {
  const [losses, open] = [lines.filter(isLoss).length, lines.filter(isOpen).length];
  return `${lines.length} comparisons, ${losses} lost (in bold), ${open} too near to tell.`;
}

export function toMarkdown({ machine, facts, lines }: Scorecard): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const bold = (cells: readonly string[]): readonly string[] =>
    cells.map((cell) => (cell === '' ? '' : `**${cell}**`));
  return [
    '# Scorecard',
    '',
    machine,
    ...facts.map((fact) => `\n${fact}`),
    '',
    summary(lines),
    '',
    row(HEAD),
    row(HEAD.map((_, i) => (i < 3 ? '---' : '---:'))),
    ...lines.map((line) => row(isLoss(line) ? bold(cellsOf(line)) : cellsOf(line))),
    '',
  ].join('\n');
}

export function toHtml({ machine, facts, lines }: Scorecard): string {
  const cells = (row: readonly string[], tag: string): string =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('');
  const rows = lines.map((line) => {
    const mark = isLoss(line) ? ' class="missed"' : '';
    return `<tr${mark}>${cells(cellsOf(line), 'td')}</tr>`;
  });
  const said = [machine, ...facts, summary(lines)].map((text) => `<p>${escapeHtml(text)}</p>`);
  return toPage(
    'Scorecard',
    `${said.join('\n')}\n<table>\n<tr>${cells(HEAD, 'th')}</tr>\n${rows.join('\n')}\n</table>`,
  );
}

export function writeScorecard(card: Scorecard): void {
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(join(REPORT, 'scorecard.md'), toMarkdown(card));
  writeFileSync(join(REPORT, 'scorecard.html'), toHtml(card));
  writeFileSync(join(REPORT, 'scorecard.json'), `${JSON.stringify(card, null, 2)}\n`);
}
