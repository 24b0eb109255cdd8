// `quarry autoindex PATH`: loads a folder of files into a running service, once or continuously.
import { createInterface } from 'node:readline/promises';
import {
  type AutoindexOptions,
  autoindex,
  defaultStateFolder,
  type Outcome,
  type Progress,
} from '../autoindex/autoindex.js';
import { Client } from '../autoindex/client.js';
import { detectLinks } from '../autoindex/links.js';
import { follow } from '../autoindex/watch.js';
import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import { keyOf, urlOf } from './client.js';
import { argumentsOf } from './reading.js';
import { printable } from './terminal.js';
import type { Output, VerbContext } from './verb.js';

/** Valid beginnings of index names. */
const PREFIX = /^[a-z0-9][a-z0-9_.-]*$/;
const SHOWN_PROBLEMS = 20;
const LINE_EVERY_MS = 5000;

interface AutoindexArguments {
  readonly path: string;
  readonly url: string;
  readonly prefix: string;
  readonly brain: string | undefined;
  readonly inferenceId: string | undefined;
  readonly apiKey: string | undefined;
  readonly state: string;
  readonly switches: ReadonlySet<string>;
}

/**
 * Throws ConfigError unless there is one PATH and the prefix is a valid beginning of index names.
 */
function argumentsIn(context: VerbContext): AutoindexArguments {
  const { values, switches, environment } = context;
  const [path = ''] = argumentsOf(context, 'PATH');
  const prefix = values.get('prefix') ?? 'files-';
  if (!PREFIX.test(prefix)) {
    throw new ConfigError(
      `--prefix [${prefix}] must start with a-z or 0-9 and go on with a-z, 0-9, [_], [-] or [.]`,
    );
  }
  return {
    path,
    url: urlOf(values, environment),
    prefix,
    brain: values.get('brain'),
    inferenceId: values.get('inference-id'),
    apiKey: keyOf(values, environment),
    state: values.get('state') ?? defaultStateFolder(environment),
    switches,
  };
}

/** Resolves to the exit code, which is 0 even if files could not be read. */
export async function runAutoindex(context: VerbContext): Promise<number> {
  const args = argumentsIn(context);
  const output: Output = context;
  const { switches } = args;
  const options: AutoindexOptions = {
    path: args.path,
    url: args.url,
    prefix: args.prefix,
    inferenceId: args.inferenceId,
    apiKey: args.apiKey,
    stateFolder: args.state,
    dryRun: switches.has('dry-run'),
    removeAll: switches.has('remove-all'),
    onProgress: progressLine(output, switches.has('json')),
  };
  if (!options.dryRun && !switches.has('yes') && process.stdin.isTTY && process.stderr.isTTY) {
    if (!(await confirmed(options))) return 1;
  }
  if (!switches.has('watch') || options.dryRun) {
    tell(await once(args, options, true), args, options, output);
    return 0;
  }
  await watchOn(args, options, output);
  return 0;
}

interface AutoindexResult {
  readonly outcome: Outcome;
  readonly links: Readonly<Record<string, unknown>> | undefined;
}

/** Detects links only if there may be something new to link. */
async function once(
  args: AutoindexArguments,
  options: AutoindexOptions,
  always: boolean,
): Promise<AutoindexResult> {
  const outcome = await autoindex(options);
  const isNews = always || outcome.loaded.files > 0 || outcome.gone > 0;
  if (args.brain === undefined || options.dryRun || !isNews) return { outcome, links: undefined };
  return { outcome, links: await detectLinks(new Client(options), args.brain, outcome.datasets) };
}

function tell(
  { outcome, links }: AutoindexResult,
  args: AutoindexArguments,
  options: AutoindexOptions,
  output: Output,
): void {
  output.progress?.('');
  if (args.switches.has('json')) {
    output.print(JSON.stringify(links === undefined ? outcome : { ...outcome, links }));
    return;
  }
  for (const line of summary(outcome, options)) output.print(line);
  if (links !== undefined) output.print(`links of brain [${args.brain}]: ${linkCounts(links)}`);
}

/** Prints the counts as `3 found, 2 new; 1 suggestions, 0 new`. */
function linkCounts(reply: Readonly<Record<string, unknown>>): string {
  const { links, suggestions } = reply as Readonly<
    Record<
      'links' | 'suggestions',
      { readonly found: number; readonly created: number } | undefined
    >
  >;
  const reported = `${links?.found ?? 0} found, ${links?.created ?? 0} new`;
  return `${reported}; ${suggestions?.found ?? 0} suggestions, ${suggestions?.created ?? 0} new`;
}

/**
 * Runs until the process is stopped. Work that one run leaves undone is done by the next run on the
 * same folder.
 */
async function watchOn(
  args: AutoindexArguments,
  options: AutoindexOptions,
  output: Output,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  let isFirst = true;
  await follow({
    signal: stop.signal,
    onTrouble: (message) => output.print(`autoindex: ${message}`),
    run: async () => {
      let folders: readonly string[] = [];
      const onWalked = (found: readonly string[]): void => {
        folders = found;
      };
      const { outcome, links } = await once(args, { ...options, onWalked }, isFirst);
      const isNews = outcome.loaded.files > 0 || outcome.gone > 0;
      if (isFirst || isNews) tell({ outcome, links }, args, options, output);
      isFirst = false;
      return folders;
    },
  });
}

async function confirmed(options: AutoindexOptions): Promise<boolean> {
  const { datasets } = await autoindex({ ...options, dryRun: true });
  const names = datasets.map(({ index, files }) => `${index} (${files} files)`).join(', ');
  const ask = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await ask.question(
    `\nWrite to ${options.url}: ${printable(names) || 'nothing'}? [y/N] `,
  );
  ask.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** A progress bar on a terminal, otherwise a line every few seconds. */
function progressLine({ progress, print }: Output, quiet: boolean): (so: Progress) => void {
  const start = Date.now();
  let last = start;
  return (so) => {
    const now = Date.now();
    if (progress === undefined) {
      if (quiet || now - last < LINE_EVERY_MS) return;
      last = now;
      print(progressText(so, now - start));
    } else if (now - last >= 100) {
      last = now;
      progress(progressText(so, now - start));
    }
  };
}

const BAR = 24;

export function progressText(so: Progress, ms: number): string {
  if (so.phase === 'look') return `looking at files: ${so.files} of ${so.ofFiles}`;
  const part = so.ofBytes === 0 ? 1 : so.bytes / so.ofBytes;
  const full = Math.round(part * BAR);
  const bar = '#'.repeat(full) + '.'.repeat(BAR - full);
  const rate = so.bytes / Math.max(ms / 1000, 0.001);
  const left = Math.round((so.ofBytes - so.bytes) / Math.max(rate, 1));
  // The rate of the first files does not predict the others.
  const rest = part < 0.01 ? '' : `, ${left} s left`;
  return (
    `[${bar}] ${so.files} of ${so.ofFiles} files, ${so.records} documents, ` +
    `${bytesText(Math.round(rate))}/s${rest}`
  );
}

function summary(outcome: Outcome, { dryRun }: AutoindexOptions): readonly string[] {
  const { loaded, unchanged, gone, skipped, problems, datasets } = outcome;
  const lines = datasets.map((dataset) => {
    const documents = 'documents' in dataset ? `, ${dataset.documents} documents` : '';
    return `${dataset.index}: ${dataset.family}, ${dataset.files} files${documents}`;
  });
  for (const { path, problem } of problems.slice(0, SHOWN_PROBLEMS)) {
    lines.push(`not read whole: ${path}: ${problem}`);
  }
  if (problems.length > SHOWN_PROBLEMS) {
    lines.push(`and ${problems.length - SHOWN_PROBLEMS} more, --json lists them all`);
  }
  const done = dryRun ? 'nothing written' : `${loaded.files} files written`;
  lines.push(
    `${done} (${bytesText(loaded.bytes)}, ${loaded.records} documents), ${unchanged} unchanged, ` +
      `${gone} gone, ${skipped.length} skipped, ${problems.length} with problems`,
  );
  return lines;
}
