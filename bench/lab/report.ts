// Writes a run to files: bench/report/bench.json, and bench/report/bench.html, one page that loads
// nothing from other addresses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml, toChart } from './chart.ts';
import { type Machine, machineLine } from './machine.ts';
import { cellsOf, missedGoals } from './print.ts';
import { type SuiteRun, tablesOf } from './result.ts';

export const REPORT = join('bench', 'report');

export interface Report {
  readonly machine: Machine;
  readonly suites: readonly SuiteRun[];
}

export function writeReport(report: Report, json?: string): void {
  mkdirSync(REPORT, { recursive: true });
  const text = `${JSON.stringify(report, null, 2)}\n`;
  writeFileSync(json ?? join(REPORT, 'bench.json'), text);
  writeFileSync(join(REPORT, 'bench.html'), toPage('Quarry: what was measured', bodyOf(report)));
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.7em 0}td,th{padding:.15em .7em;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}svg text{font:11px system-ui,sans-serif}.number{fill:#555}
.legend span{margin-right:1.2em}.legend i{display:inline-block;width:.8em;height:.8em;margin-right:.3em}
.missed{color:#b00020;font-weight:bold}`;

/** The page of any report of the lab; `body` is HTML. */
export function toPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

/** The first row is the header. Cells are plain text. */
export function toTable(cells: readonly (readonly string[])[]): string {
  const line = (row: readonly string[], tag: string): string => {
    const inner = row.map((cell) => `<${tag}${mark(cell)}>${escapeHtml(cell)}</${tag}>`);
    return `<tr>${inner.join('')}</tr>`;
  };
  const [head = [], ...rows] = cells;
  return `<table>\n${[line(head, 'th'), ...rows.map((row) => line(row, 'td'))].join('\n')}\n</table>`;
}

function mark(cell: string): string {
  return cell.includes('MISSED') ? ' class="missed"' : '';
}

function bodyOf({ machine, suites }: Report): string {
  const missed = missedGoals(suites);
  const parts = suites.map(
    (run) => `<h2 id="${run.suite}">${escapeHtml(run.suite)}</h2>
<p>${run.seconds.toFixed(0)} s, begun at load ${run.load.toFixed(2)}</p>
${run.facts.map((fact) => `<p>${escapeHtml(fact)}</p>`).join('\n')}
${tablesOf(run.rows)
  .map((rows) => `${toTable(cellsOf(rows))}\n${rows.length > 1 ? toChart(rows) : ''}`)
  .join('\n')}`,
  );
  const goals =
    missed.length === 0
      ? '<p>No goal was missed.</p>'
      : `<p class="missed">${missed.length} goals missed</p><ul>${missed.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  return `<p>${escapeHtml(machineLine(machine))}, ${machine.at}</p>\n${goals}\n${parts.join('\n')}`;
}
