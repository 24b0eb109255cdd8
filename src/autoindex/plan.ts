// Plans a run: new and changed files with the dataset of each of their parts, and deleted files.
import { Clusters } from './datasets.js';
import type { BadPart, FilePart } from './file-part.js';
import { partsOfFile } from './file-parts.js';
import { isContainer, readerOf } from './formats/index.js';
import { Inference } from './infer.js';
import type { Isolation } from './isolation.js';
import type { Family, Journal } from './journal.js';
import type { FileFound, SkippedFile, WalkedFolder } from './walk.js';

export interface PlannedPart extends FilePart {
  readonly dataset: string;
}

export interface PlannedFile {
  readonly file: FileFound;
  /** Names of datasets that may contain documents of earlier contents. */
  readonly before: readonly string[];
  readonly parts: readonly PlannedPart[];
  readonly problems: readonly BadPart[];
}

/**
 * A file that cannot be opened now. Its documents in the service are kept; the next run retries.
 */
export interface UnreadFile {
  readonly path: string;
  readonly problem: string;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly clusters: Clusters;
  readonly gone: readonly string[];
  readonly unread: readonly UnreadFile[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedFile[];
}

/** A sample ends when either limit is reached. */
const SAMPLE_RECORDS = 200;
const SAMPLE_CHARACTERS = 8 << 20;
/**
 * Minimum number of similar files of one record each that are treated as records; fewer files count
 * as settings, which are read as text.
 */
const MIN_SIMILAR = 3;
const MAY_BE_SETTINGS: ReadonlySet<string> = new Set(['json', 'yaml', 'xml']);

/** A part that has no dataset yet. */
interface Candidate {
  readonly part: FilePart;
  /** Base of the name of its dataset. */
  readonly path: string;
  readonly family: Family;
  readonly inference: Inference;
}

interface LookedAt {
  readonly file: FileFound;
  /** In their order; a candidate is placed when all tables are known. */
  readonly parts: readonly (PlannedPart | Candidate)[];
  readonly problems: readonly BadPart[];
}

export async function planOf(
  walked: WalkedFolder,
  journal: Journal,
  readers: Isolation,
  onLooked: (done: number, of: number) => void,
): Promise<Plan> {
  const fresh = walked.files.filter((f) => journal.done.get(f.path)?.stamp !== f.stamp);
  const clusters = new Clusters(journal.datasets.values(), () => new Inference(false));
  const looked: LookedAt[] = [];
  const unread: UnreadFile[] = [];
  for (const [i, file] of fresh.entries()) {
    try {
      looked.push(await lookAt(file, clusters, readers));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unread.push({ path: file.path, problem: `cannot be read: ${error.message}` });
    }
    onLooked(i + 1, fresh.length);
  }
  const placed = await placeSingles(looked, clusters, readers);
  const files = looked.map(({ file, parts: all, problems }): PlannedFile => {
    const parts = all.flatMap((one) => ('dataset' in one ? one : (placed.get(one) ?? [])));
    return { file, before: holdersOf(file.path, journal), parts, problems };
  });
  const unchanged = walked.files.length - fresh.length;
  const { skipped } = walked;
  return { files, clusters, gone: goneOf(walked, journal), unread, unchanged, skipped };
}

/**
 * Datasets that may contain documents of the file. For a file that was begun and is not done, these
 * are all.
 */
export function holdersOf(path: string, { done, begun, datasets }: Journal): readonly string[] {
  return begun.has(path) ? [...datasets.keys()] : (done.get(path)?.datasets ?? []);
}

/** True for an error of the file system, false for one of the content. */
function isUnreadable(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Files that no longer exist. Files in a folder that cannot be read are kept. */
function goneOf({ files, skipped }: WalkedFolder, journal: Journal): readonly string[] {
  const here = new Set(files.map(({ path }) => path));
  const hidden = skipped.flatMap(({ path, unread }) => (unread === true ? [path] : []));
  return [...journal.done.keys(), ...journal.begun].filter(
    (path) => !here.has(path) && !hidden.some((h) => path === h || path.startsWith(`${h}/`)),
  );
}

/**
 * Places parts with a single record after tables and the like: they may be further records of
 * these.
 */
async function placeSingles(
  looked: readonly LookedAt[],
  clusters: Clusters,
  readers: Isolation,
): Promise<ReadonlyMap<Candidate, PlannedPart>> {
  const singles = looked.flatMap(({ parts }) => parts.flatMap((p) => ('dataset' in p ? [] : [p])));
  const placed = new Map<Candidate, PlannedPart>();
  for (const group of similarGroups(singles, clusters)) {
    // Datasets of such files are named after their common folder.
    const folder = folderOf(group.map(({ path }) => path));
    const areSettings = group.length < MIN_SIMILAR && !clusters.knows(group[0]);
    for (const candidate of group) {
      const part = areSettings ? asText(candidate.part) : candidate.part;
      if (areSettings) readers.begin(part.source.size);
      const { inference } = areSettings ? await sampleOf(part, readers) : candidate;
      const { family } = readerOf(part.sniffed);
      const path = folder === '' ? candidate.path : folder;
      placed.set(candidate, { ...part, dataset: clusters.place({ path, family, inference }) });
    }
  }
  return placed;
}

/** Groups of similar candidates, each in their order. */
function similarGroups(
  singles: readonly Candidate[],
  clusters: Clusters,
): readonly (readonly [Candidate, ...Candidate[]])[] {
  const trial = clusters.copy();
  const groups = new Map<string, [Candidate, ...Candidate[]]>();
  for (const candidate of singles) {
    const name = trial.place(candidate);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [candidate]);
    else group.push(candidate);
  }
  return [...groups.values()];
}

/** The innermost folder that contains all paths; empty for the root. */
function folderOf(paths: readonly string[]): string {
  let [common = '', ...others] = paths.map((path) => path.split('/').slice(0, -1).join('/'));
  for (const folder of others) {
    while (common !== '' && folder !== common && !folder.startsWith(`${common}/`)) {
      common = common.split('/').slice(0, -1).join('/');
    }
  }
  return common;
}

/** The part as a text, for settings that were written by hand. */
function asText(part: FilePart): FilePart {
  const { format, encoding } = part.sniffed;
  return { ...part, sniffed: { format: 'code', encoding, language: format } };
}

/** Rejects with the error of the file system if the file cannot be opened. */
async function lookAt(file: FileFound, clusters: Clusters, readers: Isolation): Promise<LookedAt> {
  const parts: (PlannedPart | Candidate)[] = [];
  const problems: BadPart[] = [];
  readers.begin(file.size);
  for (const found of await partsOfFile(file, readers)) {
    for (const part of 'problem' in found ? [found] : await tablesOf(found, readers)) {
      const looked = 'problem' in part ? part : await lookAtPart(part, clusters, readers);
      if ('problem' in looked) problems.push(looked);
      else parts.push(looked);
    }
  }
  return { file, parts, problems };
}

/** The part itself, or a part for each of its tables. */
async function tablesOf(
  part: FilePart,
  readers: Isolation,
): Promise<readonly (FilePart | BadPart)[]> {
  const { entry, sniffed, source } = part;
  // An archive inside an archive is not opened.
  if (isContainer(sniffed.format)) return [part];
  try {
    if (readerOf(sniffed).tables === undefined) return [part];
    const tables = await readers.tables(source, sniffed);
    if (tables.length === 0) return [{ entry, problem: 'no table in it' }];
    return tables.map((table) => ({
      entry: entry === undefined ? table : `${entry}/${table}`,
      // A single table is named after its file.
      ...(tables.length === 1 ? {} : { name: table }),
      source,
      sniffed: { ...sniffed, table },
    }));
  } catch (error) {
    return [{ entry, problem: (error as Error).message }];
  }
}

async function lookAtPart(
  found: FilePart,
  clusters: Clusters,
  readers: Isolation,
): Promise<PlannedPart | Candidate | BadPart> {
  let part = found;
  let sample = await sampleOf(part, readers);
  // A template may look like YAML without being valid: read it as text.
  if (sample.count === 0 && part.sniffed.format === 'yaml') {
    part = asText(part);
    sample = await sampleOf(part, readers);
  }
  if (sample.count === 0) {
    return { entry: part.entry, problem: sample.problem ?? 'nothing to read in it' };
  }
  const { inference, count, problem } = sample;
  const { family, apart = false } = readerOf(part.sniffed);
  const path = part.name ?? part.source.path;
  const isSingle = count === 1 && problem === undefined && MAY_BE_SETTINGS.has(part.sniffed.format);
  if (isSingle) return { part, path, family, inference };
  return { ...part, dataset: clusters.place({ path, family, inference, apart }) };
}

interface SampleRead {
  readonly inference: Inference;
  readonly count: number;
  readonly problem: string | undefined;
}

async function sampleOf(part: FilePart, readers: Isolation): Promise<SampleRead> {
  let inference = new Inference(false);
  let count = 0;
  let characters = 0;
  let problem: string | undefined;
  try {
    inference = new Inference(readerOf(part.sniffed).plainTexts === true);
    for await (const record of readers.read(part.source, part.sniffed)) {
      inference.add(JSON.parse(record.json));
      count += 1;
      characters += record.json.length;
      if (count >= SAMPLE_RECORDS || characters >= SAMPLE_CHARACTERS) break;
    }
  } catch (error) {
    // Errors after the first record are reported when the file is read.
    problem = (error as Error).message;
  }
  return { inference, count, problem };
}
