// Loads a folder into a running service: documents of new and changed files are written, those of
// deleted files are removed, and the catalog of the data is rewritten. A run that was killed is
// completed by the next one.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BUILTIN_ID } from '../base/builtin-embedders.js';
import { lockRun } from '../base/run-lock.js';
import { CATALOG_INDEX, type CatalogEntry, writeCatalog, writtenCatalog } from './catalog.js';
import { Client } from './client.js';
import { Isolation } from './isolation.js';
import { type Identity, Journal } from './journal.js';
import { type LoadOptions, type LoadProgress, load, uuidOf } from './load.js';
import { type Plan, planOf } from './plan.js';
import { type SkippedFile, type WalkedFolder, walk } from './walk.js';

export interface AutoindexOptions {
  readonly path: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly prefix: string;
  /** The inference endpoint of semantic fields; undefined for the built-in embedder. */
  readonly inferenceId?: string | undefined;
  readonly apiKey: string | undefined;
  /** The folder of the state that runs keep for each other. */
  readonly stateFolder: string;
  readonly dryRun: boolean;
  /** Allows a folder without any file, so that all documents are removed. */
  readonly removeAll?: boolean;
  readonly onProgress: (progress: Progress) => void;
  /** Called with the folders that were read. */
  readonly onWalked?: (folders: readonly string[]) => void;
  /** Waits for `ms` milliseconds while the service is busy; tests pass one that does not wait. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

export interface Progress {
  readonly phase: 'look' | 'load';
  readonly files: number;
  readonly ofFiles: number;
  readonly bytes: number;
  readonly ofBytes: number;
  readonly records: number;
}

export interface Problem {
  readonly path: string;
  readonly problem: string;
}

export interface Outcome {
  readonly loaded: Readonly<LoadProgress>;
  readonly unchanged: number;
  readonly gone: number;
  readonly skipped: readonly SkippedFile[];
  readonly problems: readonly Problem[];
  /** The catalog entry of each dataset; in a dry run, the proposed datasets. */
  readonly datasets: readonly CatalogEntry[] | readonly Proposed[];
}

export interface Proposed {
  readonly name: string;
  readonly index: string;
  readonly family: string;
  readonly files: number;
  readonly fields: Readonly<Record<string, string>>;
}

const NOTHING: Readonly<LoadProgress> = { files: 0, bytes: 0, records: 0 };

export function defaultStateFolder(environment: Readonly<NodeJS.ProcessEnv>): string {
  const state = environment['XDG_STATE_HOME'];
  const above = state === undefined || state === '' ? join(homedir(), '.local', 'state') : state;
  return join(above, 'quarry', 'autoindex');
}

/**
 * Rejects when the folder cannot be read or has lost all its files, or when the service cannot be
 * written to; a broken file is reported in the outcome.
 */
export async function autoindex(options: AutoindexOptions): Promise<Outcome> {
  const identity: Identity = {
    root: realpathSync(options.path),
    url: options.url,
    prefix: options.prefix,
  };
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
  const lock = join(options.stateFolder, `${name}.lock`);
  const unlock = options.dryRun ? undefined : lockRun(lock, 'autoindex of this folder');
  const readers = new Isolation();
  let journal: Journal | undefined;
  try {
    journal = new Journal(join(options.stateFolder, `${name}.ndjson`), identity);
    return await runWith({ client: new Client(options), journal, readers }, identity, options);
  } finally {
    journal?.close();
    await readers.close();
    unlock?.();
  }
}

type Tools = Pick<LoadOptions, 'client' | 'journal' | 'readers'>;

async function runWith(
  tools: Tools,
  identity: Identity,
  options: AutoindexOptions,
): Promise<Outcome> {
  const { client, journal, readers } = tools;
  if (!options.dryRun) await forgetDropped(journal, client);
  refuseOtherEmbedder(journal, options.inferenceId);
  const walked = await walk(identity.root, [options.stateFolder]);
  options.onWalked?.(walked.folders);
  if (options.removeAll !== true) refuseEmptied(walked, journal, identity.root);
  const plan = await planOf(walked, journal, readers, (files, ofFiles) => {
    options.onProgress({ phase: 'look', files, ofFiles, bytes: 0, ofBytes: 0, records: 0 });
  });
  if (options.dryRun) return proposal(plan, options.prefix);
  if (plan.files.length === 0 && plan.gone.length === 0) {
    const datasets = await writtenCatalog(client, journal, identity);
    if (datasets !== undefined) return outcomeOf(plan, NOTHING, journal, datasets);
  }
  const outcome = await carryOut(plan, tools, identity, options);
  await journal.rewrite();
  return outcome;
}

/** An index keeps the embedder with which it was created; a run without one adds to any. */
function refuseOtherEmbedder({ datasets }: Journal, inferenceId: string | undefined): void {
  if (inferenceId === undefined) return;
  for (const { index, inferenceId: present = BUILTIN_ID } of datasets.values()) {
    if (present === inferenceId) continue;
    throw new Error(
      `[${index}] was written with the inference endpoint [${present}] and not [${inferenceId}]: delete the index, and the next run writes it again`,
    );
  }
}

/** A disk that is not mounted looks like a folder whose files were all deleted. */
function refuseEmptied(
  { files, skipped }: WalkedFolder,
  { done, begun }: Journal,
  root: string,
): void {
  const known = done.size + begun.size;
  if (files.length > 0 || known === 0 || skipped.some(({ unread }) => unread === true)) return;
  throw new Error(
    `[${root}] holds no file, and ${known} were indexed from it: is its disk mounted? --remove-all removes their documents`,
  );
}

async function forgetDropped(journal: Journal, client: Client): Promise<void> {
  for (const { name, index, uuid } of [...journal.datasets.values()]) {
    if ((await uuidOf(client, index)) !== uuid) journal.forget(name);
  }
}

async function carryOut(
  plan: Plan,
  tools: Tools,
  identity: Identity,
  { prefix, inferenceId, onProgress }: AutoindexOptions,
): Promise<Outcome> {
  const { client, journal } = tools;
  const ofBytes = plan.files.reduce((sum, { file }) => sum + file.size, 0);
  const loaded = await load(plan, {
    ...tools,
    prefix,
    inferenceId,
    onProgress: (so) => onProgress({ phase: 'load', ...so, ofFiles: plan.files.length, ofBytes }),
  });
  const unmapped = outcomeOf(plan, loaded, journal, []);
  const { entries, problem } = await writeCatalog(client, journal, identity, unmapped);
  const outcome = { ...unmapped, datasets: entries };
  if (problem === undefined) return outcome;
  return { ...outcome, problems: [...outcome.problems, { path: CATALOG_INDEX, problem }] };
}

function outcomeOf(
  { unchanged, skipped, unread, gone }: Plan,
  loaded: Readonly<LoadProgress>,
  journal: Journal,
  datasets: readonly CatalogEntry[],
): Outcome {
  const problems: Problem[] = [...unread];
  const nothing: SkippedFile[] = [];
  for (const { path, problem, isNothing } of journal.done.values()) {
    if (problem === undefined) continue;
    if (isNothing === true) nothing.push({ path, reason: problem });
    else problems.push({ path, problem });
  }
  return {
    loaded,
    unchanged,
    gone: gone.length,
    skipped: [...skipped, ...nothing],
    problems,
    datasets,
  };
}

function proposal(plan: Plan, prefix: string): Outcome {
  const datasets = plan.clusters.all.map(({ name, family, fields }) => ({
    name,
    index: `${prefix}${name}`,
    family,
    files: plan.files.filter(({ parts }) => parts.some((part) => part.dataset === name)).length,
    fields: Object.fromEntries(Object.entries(fields).map(([path, { type }]) => [path, type])),
  }));
  const problems: Problem[] = [...plan.unread];
  const nothing: SkippedFile[] = [];
  for (const { file, problems: bad } of plan.files) {
    for (const { entry, problem, isNothing } of bad) {
      const path = entry === undefined ? file.path : `${file.path}/${entry}`;
      if (isNothing === true) nothing.push({ path, reason: problem });
      else problems.push({ path, problem });
    }
  }
  const skipped = [...plan.skipped, ...nothing];
  const { unchanged, gone } = plan;
  return { loaded: NOTHING, unchanged, gone: gone.length, skipped, problems, datasets };
}
