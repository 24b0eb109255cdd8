// `quarry check DIR`: checks a data folder on which no service runs, and reports what is damaged
// and the consequences. With --salvage, writes the documents that are still readable.
import { ConfigError } from '../config/load.js';
import { QuarryError } from '../errors.js';
import { checkDataFolder } from '../main.js';
import { argumentsOf } from './reading.js';
import type { VerbContext } from './verb.js';

export interface CheckCommand {
  readonly dataDir: string;
  readonly json: boolean;
  readonly salvageDir?: string;
}

interface Finding {
  readonly severity: 'damage' | 'warning';
  readonly file: string;
  readonly section?: string;
  readonly offset?: number;
  readonly what: string;
  readonly consequence: string;
}

interface Salvaged {
  readonly index: string;
  readonly documents: number;
  readonly doubtful: number;
  readonly without_ids: number;
  readonly from_log: number;
  readonly lost: readonly string[];
}

interface Report {
  readonly sound: boolean;
  readonly findings: readonly Finding[];
  /** Number of further findings that are not listed. */
  readonly unlisted: number;
  readonly checked: Readonly<Record<string, number>>;
  readonly salvage?: readonly Salvaged[];
}

export interface CheckOutput {
  readonly out: (text: string) => void;
  /** Shows a line that replaces the previous one; absent if the output is not a terminal. */
  readonly progress?: (line: string) => void;
  /** Replaces checkDataFolder in tests. */
  readonly check?: typeof checkDataFolder;
}

/** Throws ConfigError unless one folder is named. */
export async function checkFolder(context: VerbContext): Promise<number> {
  const [dataDir = ''] = argumentsOf(context, 'DIR');
  const salvageDir = context.values.get('salvage');
  const { print, progress } = context;
  return check(
    { dataDir, json: context.json, ...(salvageDir === undefined ? {} : { salvageDir }) },
    { out: print, ...(progress === undefined ? {} : { progress }) },
  );
}

/**
 * Returns the exit code: 0 if the folder is sound, 1 if it is damaged. Throws ConfigError for a
 * folder that cannot be checked.
 */
export function check(command: CheckCommand, output: CheckOutput): number {
  const report = runCheck(command, output);
  if (command.json) output.out(JSON.stringify(report));
  else for (const line of printReport(command.dataDir, report)) output.out(line);
  return report.sound ? 0 : 1;
}

function runCheck(command: CheckCommand, output: CheckOutput): Report {
  const run = output.check ?? checkDataFolder;
  let shown = -1;
  const progress = (done: number, total: number, file: string): void => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (percent === shown) return;
    shown = percent;
    output.progress?.(file === '' ? '' : `${percent} %  ${file}`);
  };
  try {
    return JSON.parse(run(command.dataDir, command.salvageDir ?? '', progress)) as Report;
  } catch (error) {
    if (error instanceof QuarryError && error.type === 'illegal_argument_exception')
      throw new ConfigError(error.message);
    throw error;
  }
}

function* printReport(dataDir: string, report: Report): Iterable<string> {
  for (const finding of report.findings) yield* printFinding(finding);
  if (report.unlisted > 0) yield `and ${report.unlisted} more of the same kind`;
  const { checked } = report;
  const counts = Object.entries(checked).map(
    ([what, count]) => `${count} ${what.replace('_', ' ')}`,
  );
  yield `${report.sound ? 'sound' : 'DAMAGED'}: ${dataDir} (${counts.join(', ')})`;
  for (const index of report.salvage ?? []) yield* printSalvaged(index);
}

function* printFinding(finding: Finding): Iterable<string> {
  const { severity, file, section, offset, what, consequence } = finding;
  const where = [
    file,
    ...(section === undefined ? [] : [`section ${section}`]),
    ...(offset === undefined ? [] : [`offset ${offset}`]),
  ];
  yield `${severity}: ${where.join(', ')}: ${what}`;
  yield `        ${consequence}`;
}

function* printSalvaged(index: Salvaged): Iterable<string> {
  const parts = [`${index.documents} documents`, `${index.from_log} of them from the log`];
  if (index.doubtful > 0) parts.push(`${index.doubtful} from sections with a wrong checksum`);
  if (index.without_ids > 0) parts.push(`${index.without_ids} more without their ids`);
  yield `salvaged ${index.index}: ${parts.join(', ')}`;
  for (const lost of index.lost) yield `        lost: ${lost}`;
}
