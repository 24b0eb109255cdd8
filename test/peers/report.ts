// The result as text: the differences, and the number of equal responses in each family; the same
// as Markdown.
import type { Peer } from './peer.ts';
import type { Outcome, Result, Verdict } from './run.ts';

const VERDICTS: readonly Verdict[] = ['same', 'known', 'different', 'skipped'];
const SHOWN_CHARS = 160;
const MOST_NAMED = 12;

const family = ({ name }: Result): string => name.split(':')[0] ?? name;

interface Row {
  readonly family: string;
  readonly counts: readonly number[];
}

function rowsOf(results: readonly Result[]): readonly Row[] {
  const count = (some: readonly Result[]): number[] =>
    VERDICTS.map((verdict) => some.filter((one) => one.verdict === verdict).length);
  const families = [...new Set(results.filter(({ name }) => name.includes(':')).map(family))];
  const others = results.filter(({ name }) => !name.includes(':'));
  return [
    ...families.map((name) => ({
      family: name,
      counts: count(results.filter((one) => family(one) === name)),
    })),
    { family: 'endpoints', counts: count(others) },
    { family: 'all', counts: count(results) },
  ];
}

export function printTable({ results, outlived }: Outcome): void {
  const short = (value: unknown): string =>
    (JSON.stringify(value) ?? 'absent').slice(0, SHOWN_CHARS);
  for (const { name, verdict, differences } of results) {
    if (verdict !== 'different') continue;
    console.log(`different: ${name}`);
    for (const { path, peer, quarry } of differences.slice(0, 4)) {
      console.log(`    ${path}\n      peer   ${short(peer)}\n      quarry ${short(quarry)}`);
    }
  }
  for (const known of outlived) console.log(`no longer differs: ${known.request} ${known.path}`);
  console.log(['family'.padEnd(30), ...VERDICTS.map((name) => name.padStart(10))].join(''));
  for (const row of rowsOf(results)) {
    console.log([row.family.padEnd(30), ...row.counts.map((n) => String(n).padStart(10))].join(''));
  }
}

export function toMarkdown(peer: Peer, { results }: Outcome): string {
  const reasons = new Map<string, string[]>();
  for (const { name, verdict, reasons: why } of results) {
    if (verdict !== 'known') continue;
    for (const reason of why) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  }
  const lacking = new Map<string, number>();
  for (const { verdict, reasons: needs } of results) {
    if (verdict !== 'skipped') continue;
    for (const need of needs) lacking.set(need, (lacking.get(need) ?? 0) + 1);
  }
  const lines = [
    `### ${peer.name} ${peer.version}`,
    '',
    `| family | ${VERDICTS.join(' | ')} |`,
    `| --- |${' --- |'.repeat(VERDICTS.length)}`,
    ...rowsOf(results).map((row) => `| ${row.family} | ${row.counts.join(' | ')} |`),
    '',
    '| known difference | requests |',
    '| --- | --- |',
    ...[...reasons].map(([reason, names]) => `| ${reason} | ${listed(names)} |`),
  ];
  if (lacking.size > 0) {
    const parts = [...lacking].map(([need, count]) => `${need} (${count})`);
    lines.push('', `Not requested, for what this peer's package lacks: ${parts.join(', ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

/** The names if there are few, otherwise their number. */
function listed(names: readonly string[]): string {
  return names.length <= MOST_NAMED ? names.join('; ') : `${names.length} requests`;
}
