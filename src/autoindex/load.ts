// Executes a plan: creates indexes, writes documents, and removes those of earlier contents. Every
// step can be repeated.
import { createHash } from 'node:crypto';
import { BulkWriter, endOne, type Sending } from './bulk-writer.js';
import { type Client, type Reply, RequestError } from './client.js';
import type { Cluster } from './datasets.js';
import { readerOf } from './formats/index.js';
import { semanticField } from './infer.js';
import type { Isolation } from './isolation.js';
import type { Dataset, DoneFile, Journal } from './journal.js';
import { mappingOf, propertiesOf, SETTINGS } from './mapping.js';
import { holdersOf, type Plan, type PlannedFile, type PlannedPart } from './plan.js';

/** Totals of this run so far. */
export interface LoadProgress {
  files: number;
  bytes: number;
  records: number;
}

export interface LoadOptions {
  readonly client: Client;
  readonly journal: Journal;
  readonly readers: Isolation;
  readonly prefix: string;
  /** Of indexes that the run creates. */
  readonly inferenceId: string | undefined;
  readonly onProgress: (loaded: LoadProgress) => void;
}

/** A file that is written and whose documents of earlier contents are to be removed. */
interface Replaced {
  readonly done: DoneFile;
  readonly before: readonly string[];
}

interface RemovedFile {
  readonly path: string;
  readonly before: readonly string[];
}

/** Paths per removal. */
const PATHS_AT_ONCE = 200;

export async function load(plan: Plan, options: LoadOptions): Promise<LoadProgress> {
  const { client, journal, readers } = options;
  const indexes = new Map<string, string>();
  const used = usedClusters(plan);
  for (const name of used) {
    const cluster = plan.clusters.all.find((one) => one.name === name);
    if (cluster !== undefined) indexes.set(name, await prepareIndex(cluster, options));
  }
  // Durable before the first document is sent, so that after a crash the journal names every file
  // that may have been sent.
  journal.write(
    plan.files.map(({ file }) => ({ begun: file.path })),
    true,
  );
  const writer = new BulkWriter(client);
  const loaded: LoadProgress = { files: 0, bytes: 0, records: 0 };
  const replaced: Replaced[] = [];
  const gone = plan.gone.map((path) => ({ path, before: holdersOf(path, journal) }));
  for (const planned of plan.files) {
    await loadFile(planned, indexes, { writer, readers }, (done, sent) => {
      loaded.files += 1;
      loaded.bytes += planned.file.size;
      loaded.records += sent;
      // A file is done only after its earlier documents are removed as well.
      if (planned.before.length > 0) replaced.push({ done, before: planned.before });
      else journal.write([{ done }]);
      options.onProgress(loaded);
    });
  }
  await writer.drain();
  await removeOld(replaced, options);
  await removeGone(gone, options);
  for (const index of indexesOf([...used], journal)) {
    await client.call('POST', `/${index}/_refresh`);
  }
  return loaded;
}

function indexesOf(names: Iterable<string>, { datasets }: Journal): readonly string[] {
  return [...new Set(names)].flatMap((name) => datasets.get(name)?.index ?? []);
}

function usedClusters(plan: Plan): ReadonlySet<string> {
  return new Set(plan.files.flatMap(({ parts }) => parts.map(({ dataset }) => dataset)));
}

/** Creates the index of the cluster, or adds new fields to its mapping, and returns its name. */
async function prepareIndex(cluster: Cluster, options: LoadOptions): Promise<string> {
  const { client, journal, prefix } = options;
  const before = journal.datasets.get(cluster.name);
  const index = before?.index ?? `${prefix}${cluster.name}`;
  if (before === undefined) await createIndex(index, cluster, options);
  else {
    const fresh = Object.fromEntries(
      Object.entries(cluster.fields).filter(([path]) => !Object.hasOwn(before.fields, path)),
    );
    if (Object.keys(fresh).length === 0) return index;
    await client.call('PUT', `/${index}/_mapping`, { properties: propertiesOf(fresh, undefined) });
  }
  const uuid = await uuidOf(client, index);
  const { name, family, fields } = cluster;
  const inferenceId = before === undefined ? options.inferenceId : before.inferenceId;
  const embedded = inferenceId === undefined ? {} : { inferenceId };
  const dataset: Dataset = { name, index, uuid, family, fields, ...embedded };
  journal.write([{ dataset }], true);
  return index;
}

async function createIndex(
  index: string,
  cluster: Cluster,
  { client, inferenceId }: LoadOptions,
): Promise<void> {
  try {
    await client.call('PUT', `/${index}`, {
      settings: SETTINGS,
      mappings: mappingOf(cluster.fields, inferenceId),
    });
  } catch (error) {
    // A run that was killed before it wrote the journal line has created it.
    if (!(error instanceof RequestError) || !(await isOwn(client, index))) throw error;
  }
}

/** True for an index that autoindex has created: its mapping has the field `file.version`. */
async function isOwn(client: Client, index: string): Promise<boolean> {
  const reply = await client.call('GET', `/${index}/_mapping`).catch(() => ({}) as Reply);
  const mapping = reply[index] as
    | { mappings?: { properties?: { file?: { properties?: { version?: unknown } } } } }
    | undefined;
  return mapping?.mappings?.properties?.file?.properties?.version !== undefined;
}

/** Empty for an index that does not exist. */
export async function uuidOf(client: Client, index: string): Promise<string> {
  try {
    const reply = await client.call('GET', `/${index}/_settings`);
    const settings = reply[index] as { settings?: { index?: { uuid?: string } } } | undefined;
    return settings?.settings?.index?.uuid ?? '';
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return '';
    throw error;
  }
}

/** The reader and the writer of documents. */
interface Stream {
  readonly readers: Isolation;
  readonly writer: BulkWriter;
}

async function loadFile(
  planned: PlannedFile,
  indexes: ReadonlyMap<string, string>,
  stream: Stream,
  onDone: (done: DoneFile, records: number) => void,
): Promise<void> {
  const { file, parts, problems } = planned;
  const isNothing = parts.length === 0 && problems.every((one) => one.isNothing === true);
  const reported = problems
    .filter((one) => isNothing || one.isNothing !== true)
    .map(({ entry, problem }) => named(entry, problem));
  const sending: Sending = {
    records: 0,
    refused: 0,
    plain: 0,
    reason: undefined,
    pending: 1,
    onEnd: ({ records, refused, plain, reason }) => {
      if (refused > 0) reported.push(`${refused} documents were refused: ${reason}`);
      else if (plain > 0) reported.push(`${plain} documents are kept as text alone: ${reason}`);
      const done: DoneFile = {
        path: file.path,
        stamp: file.stamp,
        bytes: file.size,
        format: formatOf(parts),
        datasets: [...new Set(parts.map(({ dataset }) => dataset))],
        records,
        ...(reported.length === 0 ? {} : { problem: reported.slice(0, 3).join('; ') }),
        ...(isNothing ? { isNothing } : {}),
      };
      onDone(done, records);
    },
  };
  stream.readers.begin(file.size);
  for (const part of parts) {
    try {
      const index = indexes.get(part.dataset) ?? '';
      const cut = await sendPart(planned, part, index, stream, sending);
      if (cut > 0) reported.push(named(part.entry, `${cut} documents are too deep and were cut`));
    } catch (error) {
      // An error of the service is not an error of the file.
      if (error instanceof WriteFailure) throw error.cause;
      reported.push(named(part.entry, (error as Error).message));
    }
  }
  endOne(sending);
}

function formatOf(parts: readonly PlannedPart[]): string {
  const formats = new Set(parts.map(({ sniffed }) => sniffed.format));
  const [only = 'none'] = formats;
  return formats.size > 1 ? 'archive' : only;
}

class WriteFailure extends Error {}

/** Resolves to the number of documents that were cut. */
async function sendPart(
  { file }: PlannedFile,
  { entry, source, sniffed }: PlannedPart,
  index: string,
  { writer, readers }: Stream,
  sending: Sending,
): Promise<number> {
  let cut = 0;
  const isPage = readerOf(sniffed).family !== 'records';
  const modified = new Date(file.modified).toISOString();
  const about = { path: file.path, version: versionOf(file.stamp), modified };
  for await (const { at, json, isCut } of readers.read(source, sniffed)) {
    const place = entry === undefined ? file.path : `${file.path}/${entry}`;
    const from = {
      ...about,
      ...(entry === undefined ? {} : { entry }),
      at,
      // Links to the file lead to its first part.
      ...(isPage && at === '1' ? { permalink: place } : {}),
    };
    const id = idOf(file.path, entry, at);
    if (isCut) cut += 1;
    const source = withFile(json, from);
    try {
      await writer.add(index, id, source, sending);
    } catch (cause) {
      throw new WriteFailure('the service cannot be written to', { cause });
    }
  }
  return cut;
}

/**
 * The document with the member `file`; the worker leaves out a member of that name in the document
 * itself.
 */
function withFile(json: string, from: object): string {
  return `{"file":${JSON.stringify(from)}${json === '{}' ? '' : ','}${json.slice(1)}`;
}

function named(entry: string | undefined, problem: string): string {
  return entry === undefined ? problem : `${entry}: ${problem}`;
}

/** The same position in the same file gives the same id. */
function idOf(path: string, entry: string | undefined, at: string): string {
  const text = JSON.stringify([path, entry ?? null, at]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}

function versionOf(stamp: string): string {
  return createHash('sha256').update(stamp).digest('base64url').slice(0, 16);
}

/**
 * Removes documents of earlier contents, also from datasets to which a changed file no longer
 * belongs.
 */
async function removeOld(files: readonly Replaced[], options: LoadOptions): Promise<void> {
  for (let from = 0; from < files.length; from += PATHS_AT_ONCE) {
    const some = files.slice(from, from + PATHS_AT_ONCE);
    const should = some.map(({ done: { path, stamp } }) => ({
      bool: {
        filter: [{ term: { 'file.path': path } }],
        must_not: [{ term: { 'file.version': versionOf(stamp) } }],
      },
    }));
    const holders = some.flatMap(({ done, before }) => [...before, ...done.datasets]);
    await removeWhere({ bool: { should } }, holders, options);
    options.journal.write(some.map(({ done }) => ({ done })));
  }
}

async function removeGone(files: readonly RemovedFile[], options: LoadOptions): Promise<void> {
  for (let from = 0; from < files.length; from += PATHS_AT_ONCE) {
    const some = files.slice(from, from + PATHS_AT_ONCE);
    const query = { terms: { 'file.path': some.map(({ path }) => path) } };
    const holders = some.flatMap(({ before }) => before);
    await removeWhere(query, holders, options);
    options.journal.write(some.map(({ path }) => ({ gone: path })));
  }
}

async function removeWhere(
  query: object,
  holders: readonly string[],
  { client, journal }: LoadOptions,
): Promise<void> {
  for (const index of indexesOf(holders, journal)) {
    await client.call('POST', `/${index}/_refresh`);
    const path = `/${index}/_delete_by_query?conflicts=proceed&refresh=true`;
    await client.call('POST', path, { query });
  }
}

/** True if the dataset supports semantic search. */
export function hasMeaning(dataset: Dataset): boolean {
  return semanticField(dataset.fields) !== undefined;
}
