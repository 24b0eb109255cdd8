// A folder into a running service: what is new or changed is written, what is gone is removed, and the map of the data is
// written anew. A run that was killed is finished by the next.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type CatalogEntry, writeCatalog } from './catalog.js';
import { Client } from './client.js';
import { type Identity, Journal } from './journal.js';
import { type Loaded, type LoadOptions, load, uuidOf } from './load.js';
import { type Plan, planOf } from './plan.js';
import { Readers } from './readers.js';
import { type Skipped, walk } from './walk.js';

export interface AutoindexOptions {
  readonly path: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly prefix: string;
  readonly apiKey: string | undefined;
  /** Of the state that runs leave for each other. */
  readonly stateFolder: string;
  readonly dryRun: boolean;
  readonly onProgress: (progress: Progress) => void;
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
  readonly loaded: Readonly<Loaded>;
  readonly unchanged: number;
  readonly gone: number;
  readonly skipped: readonly Skipped[];
  readonly problems: readonly Problem[];
  /** What each dataset is; of a dry run, what it would be. */
  readonly datasets: readonly CatalogEntry[] | readonly Proposed[];
}

export interface Proposed {
  readonly name: string;
  readonly index: string;
  readonly family: string;
  readonly files: number;
  readonly fields: Readonly<Record<string, string>>;
}

export function defaultStateFolder(environment: Readonly<NodeJS.ProcessEnv>): string {
  const state = environment['XDG_STATE_HOME'];
  const above = state === undefined || state === '' ? join(homedir(), '.local', 'state') : state;
  return join(above, 'quarry', 'autoindex');
}

/** Rejects when the folder cannot be read or the service not be written to; a file that is broken is in the outcome. */
export async function autoindex(options: AutoindexOptions): Promise<Outcome> {
  const identity: Identity = {
    root: realpathSync(options.path),
    url: options.url,
    prefix: options.prefix,
  };
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
  const journal = new Journal(join(options.stateFolder, `${name}.ndjson`), identity);
  const client = new Client(options);
  const readers = new Readers();
  try {
    if (!options.dryRun) await forgetDropped(journal, client);
    const plan = await planOf(await walk(identity.root), journal, readers, (files, ofFiles) => {
      options.onProgress({ phase: 'look', files, ofFiles, bytes: 0, ofBytes: 0, records: 0 });
    });
    if (options.dryRun) return proposal(plan, options.prefix);
    const outcome = await carryOut(plan, { client, journal, readers }, identity, options);
    await journal.rewrite();
    return outcome;
  } finally {
    journal.close();
    await readers.close();
  }
}

async function forgetDropped(journal: Journal, client: Client): Promise<void> {
  for (const { name, index, uuid } of [...journal.datasets.values()]) {
    if ((await uuidOf(client, index)) !== uuid) journal.forget(name);
  }
}

async function carryOut(
  plan: Plan,
  { client, journal, readers }: Pick<LoadOptions, 'client' | 'journal' | 'readers'>,
  identity: Identity,
  { prefix, onProgress }: AutoindexOptions,
): Promise<Outcome> {
  const ofBytes = plan.files.reduce((sum, { file }) => sum + file.size, 0);
  const loaded = await load(plan, {
    client,
    journal,
    readers,
    prefix,
    onProgress: (so) => onProgress({ phase: 'load', ...so, ofFiles: plan.files.length, ofBytes }),
  });
  const datasets = await writeCatalog(client, journal, identity);
  const problems = [...journal.done.values()].flatMap(({ path, problem }) =>
    problem === undefined ? [] : [{ path, problem }],
  );
  const { unchanged, skipped } = plan;
  problems.push(...plan.unread);
  return { loaded, unchanged, gone: plan.gone.length, skipped, problems, datasets };
}

function proposal(plan: Plan, prefix: string): Outcome {
  const datasets = plan.clusters.all.map(({ name, family, fields }) => ({
    name,
    index: `${prefix}${name}`,
    family,
    files: plan.files.filter(({ parts }) => parts.some((part) => part.dataset === name)).length,
    fields: Object.fromEntries(Object.entries(fields).map(([path, { type }]) => [path, type])),
  }));
  const problems = plan.files.flatMap(({ file, problems: bad }) =>
    bad.map(({ entry, problem }) => ({
      path: entry === undefined ? file.path : `${file.path}/${entry}`,
      problem,
    })),
  );
  problems.push(...plan.unread);
  const loaded = { files: 0, bytes: 0, records: 0 };
  const { unchanged, skipped } = plan;
  return { loaded, unchanged, gone: plan.gone.length, skipped, problems, datasets };
}
