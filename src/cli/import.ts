// `quarry import`: merges an export of a namespace, or brings over what another product holds: a
// running Elasticsearch or OpenSearch, or files of Qdrant, of mem0, or of NDJSON.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import {
  type ClusterImportOptions,
  type ImportedIndex,
  type ImportReport,
  importCluster,
} from '../migration/cluster-import.js';
import {
  type FileImportOptions,
  type FileReport,
  importMem0,
  importNdjson,
  importQdrant,
} from '../migration/file-import.js';
import type { Change } from '../migration/translation.js';
import { keyOf, urlOf } from './client.js';
import { required, short } from './reading.js';
import { importNamespace } from './transfer.js';
import type { Verb, VerbContext } from './verb.js';

export const IMPORT: Verb = {
  name: 'import',
  usage: [
    'FILE --namespace NAME',
    '--from elasticsearch|opensearch --url URL [--index NAMES] [--to URL]',
    '--from ndjson FILE... [--index NAME] [--id FIELD]',
    '--from qdrant FILE... --index NAME [--distance NAME]',
    '--from mem0 FILE... --namespace NAME',
  ],
  about:
    'Merges an export into a namespace (- is standard input), or brings over indexes, documents or memories of another product. Doing it twice changes nothing; a run that was ended goes on.',
  flags: {
    from: 'elasticsearch, opensearch, ndjson, qdrant or mem0; none: an export of quarry',
    namespace: 'whose memories',
    index: 'indexes to bring over (names and patterns between commas), or the index to write to',
    id: 'member of a document that holds its id (ndjson)',
    distance: 'Cosine, Dot or Euclid, where the files do not say it (qdrant)',
    to: 'address of the service, where --url is that of the cluster (QUARRY_URL)',
    state: 'folder of the journals of imports (~/.local/state/quarry/import)',
  },
  switches: {
    'dry-run': 'report what of settings and mappings would be left out, copy nothing (clusters)',
    'into-existing': 'write into indexes that are there already, as they are (clusters)',
  },
  examples: [
    'import ann.ndjson --namespace ann',
    'import --from elasticsearch --url http://old:9200 --index "books,logs-*"',
    'import --from qdrant collection.json points.ndjson --index points',
    'import --from mem0 memories.json --namespace ann',
  ],
  run: importFrom,
};

/** The credentials of a cluster are read from the environment, which other users cannot see. */
const SOURCE = 'QUARRY_SOURCE_';
const MOST_SHOWN = 50;
const PROGRESS_MS = 200;
const LINE_MS = 10_000;
const BAR = 24;

/** The flags of each form, besides those of every command. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  '': ['namespace'],
  elasticsearch: ['index', 'to', 'state', 'dry-run', 'into-existing'],
  opensearch: ['index', 'to', 'state', 'dry-run', 'into-existing'],
  ndjson: ['index', 'id', 'state'],
  qdrant: ['index', 'distance', 'state'],
  mem0: ['namespace', 'state'],
};
const ALWAYS = ['from', 'url', 'api-key', 'json'];

async function importFrom(context: VerbContext): Promise<number> {
  const from = context.values.get('from') ?? '';
  const allowed = FORMS[from];
  if (allowed === undefined) {
    const known = Object.keys(FORMS).filter((name) => name !== '');
    throw new ConfigError(`--from [${from}] is not known, there are ${known.join(', ')}`);
  }
  const given = [...context.values.keys(), ...context.switches];
  const other = given.find((name) => ![...allowed, ...ALWAYS].includes(name));
  if (other !== undefined) {
    throw new ConfigError(
      `--${other} does not go with ${from === '' ? 'an export' : `--from ${from}`}`,
    );
  }
  if (from === '') return importNamespace(context);
  if (from === 'elasticsearch' || from === 'opensearch') return fromCluster(context, from);
  return fromFiles(context, from);
}

async function fromCluster(
  context: VerbContext,
  from: ClusterImportOptions['from'],
): Promise<number> {
  const { values, switches, environment, rest } = context;
  if (rest.length > 0)
    throw new ConfigError(`[${rest[0]}] is one too many, a cluster is read by --url`);
  const url = required(context, 'url');
  if (url.includes('@')) {
    throw new ConfigError(
      `--url must not hold credentials: set ${SOURCE}USERNAME and ${SOURCE}PASSWORD, or ${SOURCE}API_KEY`,
    );
  }
  const target = new Map(values);
  target.delete('url');
  const to = values.get('to');
  if (to !== undefined) target.set('url', to);
  const options: ClusterImportOptions = {
    from,
    url: urlOf(values, environment),
    credentials: {
      apiKey: environment[`${SOURCE}API_KEY`] || undefined,
      username: environment[`${SOURCE}USERNAME`] || undefined,
      password: environment[`${SOURCE}PASSWORD`] || undefined,
    },
    indexes: values.get('index') ?? '*',
    to: urlOf(target, environment),
    apiKey: keyOf(values, environment),
    stateFolder: stateFolderOf(context),
    dryRun: switches.has('dry-run'),
    intoExisting: switches.has('into-existing'),
    signal: untilSignal(),
    onProgress: progressOf(context, ({ index, documents, ofDocuments, bytes }) => ({
      part: ofDocuments === 0 ? 1 : documents / ofDocuments,
      text: `${index}: ${documents} of ${ofDocuments} documents, ${bytesText(bytes)}`,
    })),
  };
  const report = await stopped(importCluster(options));
  context.progress?.('');
  if (context.json) context.print(JSON.stringify(report));
  else for (const line of clusterLines(report)) context.print(line);
  return report.indexes.every(isWhole) ? 0 : 1;
}

async function fromFiles(context: VerbContext, from: string): Promise<number> {
  const { values, environment, rest } = context;
  if (rest.length === 0) throw new ConfigError('expected FILE: give the files to read');
  const options: FileImportOptions = {
    files: rest,
    to: urlOf(values, environment),
    apiKey: keyOf(values, environment),
    stateFolder: stateFolderOf(context),
    signal: untilSignal(),
    onProgress: progressOf(context, ({ documents, bytes, ofBytes }) => ({
      part: ofBytes === 0 ? 1 : bytes / ofBytes,
      text: `${documents} stored, ${bytesText(bytes)} of ${bytesText(ofBytes)}`,
    })),
  };
  const report = await stopped(
    from === 'ndjson'
      ? importNdjson(options, { index: values.get('index'), idField: values.get('id') })
      : from === 'qdrant'
        ? importQdrant(options, required(context, 'index'), values.get('distance'))
        : importMem0(options, required(context, 'namespace')),
  );
  context.progress?.('');
  if (context.json) context.print(JSON.stringify(report));
  else for (const line of fileLines(report)) context.print(line);
  return report.refused.length === 0 ? 0 : 1;
}

function stateFolderOf({ values, environment }: VerbContext): string {
  const state = environment['XDG_STATE_HOME'];
  const above = state === undefined || state === '' ? join(homedir(), '.local', 'state') : state;
  return values.get('state') ?? join(above, 'quarry', 'import');
}

/** Aborted by the signals that end a command. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

async function stopped<T>(run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    throw new Error('ended before everything was stored: the same command goes on from here');
  }
}

/** A bar on a terminal, otherwise a line now and then. */
function progressOf<P>(
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

function isWhole({ refused, verification }: ImportedIndex): boolean {
  if (refused.length > 0 || verification === undefined) return refused.length === 0;
  const { source, target, different } = verification;
  return source === target && different.length === 0;
}

function clusterLines({ source, indexes, changes }: ImportReport): readonly string[] {
  const lines = [...changeLines(changes)];
  for (const one of indexes) {
    const { verification, refused } = one;
    lines.push(
      `${one.index}: ${one.copied} documents copied, ${one.changed} of them changed meanwhile, ${one.removed} removed, ${refused.length} refused`,
    );
    for (const { id, reason } of refused.slice(0, MOST_SHOWN)) {
      lines.push(`  refused [${id}]: ${short(reason, 300)}`);
    }
    if (verification === undefined) continue;
    const { source: there, target: here, sampled, different } = verification;
    const counts =
      there === here ? `${here} documents on both sides` : `${there} there, ${here} here`;
    lines.push(`  ${counts}; ${sampled - different.length} of ${sampled} compared are the same`);
    if (different.length > 0)
      lines.push(`  different: ${different.slice(0, MOST_SHOWN).join(', ')}`);
  }
  lines.push(
    indexes.length === 0
      ? `nothing copied from ${source}`
      : `${indexes.length} indexes from ${source}`,
  );
  return lines;
}

function fileLines({ stored, refused, changes }: FileReport): readonly string[] {
  return [
    ...changeLines(changes),
    ...refused
      .slice(0, MOST_SHOWN)
      .map(({ id, reason }) => `refused [${id}]: ${short(reason, 300)}`),
    `${stored} stored, ${refused.length} refused`,
  ];
}

function changeLines(changes: readonly Change[]): readonly string[] {
  return changes.map(
    ({ index, what, now, reason }) => `${index}: ${what}: ${now} (${short(reason, 300)})`,
  );
}
