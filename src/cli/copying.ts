// Shared by the commands that copy from one server to another: how they are ended, what they show
// meanwhile, and the lines of their report.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bytesText } from '../base/bytes-text.js';
import type { ImportedIndex, ImportProgress } from '../migration/cluster-import.js';
import type { Change } from '../migration/translation.js';
import { short } from './reading.js';
import type { VerbContext } from './verb.js';

const PROGRESS_MS = 200;
const LINE_MS = 10_000;
const BAR = 24;
/** Documents of an index that are named. */
export const MOST_SHOWN = 50;

/** The folder of journals, of `quarry import` or `quarry move`. */
export function stateFolderOf(
  { values, environment }: VerbContext,
  command: 'import' | 'move',
): string {
  const state = environment['XDG_STATE_HOME'];
  const above = state === undefined || state === '' ? join(homedir(), '.local', 'state') : state;
  return values.get('state') ?? join(above, 'quarry', command);
}

/** Aborted by the signals that end a command. */
export function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

export async function stopped<T>(run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    throw new Error('ended before everything was stored: the same command goes on from here');
  }
}

/** A bar on a terminal, otherwise a line now and then. */
export function progressOf<P>(
  { progress, print, json, nowMs }: VerbContext,
  shown: (so: P) => { readonly part: number; readonly text: string },
): (so: P) => void {
  const started = nowMs();
  let last = started;
  return (so) => {
    const now = nowMs();
    if (now - last < (progress === undefined ? LINE_MS : PROGRESS_MS)) return;
    last = now;
    const { part, text } = shown(so);
    const full = Math.round(Math.min(1, part) * BAR);
    const left =
      part <= 0.01 ? '' : `, ${Math.round(((now - started) / 1000) * (1 / part - 1))} s left`;
    const line = `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${text}${left}`;
    if (progress !== undefined) progress(line);
    else if (!json) print(line);
  };
}

/** Of indexes that are copied from server to server. */
export function copyProgress({ index, documents, ofDocuments, bytes }: ImportProgress): {
  readonly part: number;
  readonly text: string;
} {
  return {
    part: ofDocuments === 0 ? 1 : documents / ofDocuments,
    text: `${index}: ${documents} of ${ofDocuments} documents, ${bytesText(bytes)}`,
  };
}

export function isWhole({ refused, verification }: ImportedIndex): boolean {
  if (refused.length > 0 || verification === undefined) return refused.length === 0;
  const { source, target, different } = verification;
  return source === target && different.length === 0;
}

/** What became of each index. */
export function indexLines(indexes: readonly ImportedIndex[]): readonly string[] {
  const lines: string[] = [];
  for (const one of indexes) {
    const { verification, refused } = one;
    lines.push(
      `${one.index}: ${one.copied} documents copied, ${one.changed} of them changed meanwhile, ${one.removed} removed, ${refused.length} refused`,
    );
    for (const { id, reason } of refused.slice(0, MOST_SHOWN)) {
      lines.push(`  refused [${id}]: ${short(reason, 300)}`);
    }
    if (verification === undefined) continue;
    const { source: there, target: here, compared, different } = verification;
    const counts =
      there === here ? `${here} documents on both sides` : `${there} there, ${here} here`;
    lines.push(`  ${counts}; ${compared - different.length} of ${compared} compared are the same`);
    if (different.length > 0)
      lines.push(`  different: ${different.slice(0, MOST_SHOWN).join(', ')}`);
  }
  return lines;
}

export function changeLines(changes: readonly Change[]): readonly string[] {
  return changes.map(
    ({ index, what, now, reason }) => `${index}: ${what}: ${now} (${short(reason, 300)})`,
  );
}
