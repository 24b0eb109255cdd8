// What a run has to do: files that are new or changed, with the dataset of each of their parts, and files that are gone.
import { Clusters, familyOf } from './datasets.js';
import { readRecords } from './formats/index.js';
import { type Fields, Inference } from './infer.js';
import type { Journal } from './journal.js';
import { type BadPart, type Part, partsOfFile } from './parts.js';
import type { FileFound, Skipped, Walked } from './walk.js';

export interface PlannedPart extends Part {
  readonly dataset: string;
}

export interface PlannedFile {
  readonly file: FileFound;
  /** The service may hold documents of an earlier content. */
  readonly replaces: boolean;
  readonly parts: readonly PlannedPart[];
  readonly problems: readonly BadPart[];
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly clusters: Clusters;
  readonly gone: readonly string[];
  readonly unchanged: number;
  readonly skipped: readonly Skipped[];
}

const SAMPLE_RECORDS = 200;
/** What numbers and flags are written as text in. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['csv', 'xml']);

export async function planOf(
  walked: Walked,
  journal: Journal,
  onLooked: (done: number, of: number) => void,
): Promise<Plan> {
  const clusters = new Clusters(journal.datasets.values());
  const fresh = walked.files.filter((f) => journal.done.get(f.path)?.stamp !== f.stamp);
  const files: PlannedFile[] = [];
  for (const file of fresh) {
    const known = journal.done.has(file.path) || journal.begun.has(file.path);
    files.push(await planFile(file, known, clusters));
    onLooked(files.length, fresh.length);
  }
  const here = new Set(walked.files.map(({ path }) => path));
  const gone = [...journal.done.keys(), ...journal.begun].filter((path) => !here.has(path));
  const unchanged = walked.files.length - fresh.length;
  return { files, clusters, gone, unchanged, skipped: walked.skipped };
}

async function planFile(
  file: FileFound,
  replaces: boolean,
  clusters: Clusters,
): Promise<PlannedFile> {
  const parts: PlannedPart[] = [];
  const problems: BadPart[] = [];
  let found: readonly (Part | BadPart)[];
  try {
    found = await partsOfFile(file);
  } catch (error) {
    found = [{ entry: undefined, problem: (error as Error).message }];
  }
  for (const part of found) {
    if ('problem' in part) problems.push(part);
    else {
      const path = part.entry === undefined ? part.source.path : part.entry;
      const family = familyOf(part.sniffed.format);
      const fields = await sampleOf(part);
      // What breaks before its first record is found out again, and told, when it is read.
      if (Object.keys(fields).length === 0 && family === 'records') {
        problems.push({ entry: part.entry, problem: (await problemOf(part)) ?? 'has no records' });
      } else parts.push({ ...part, dataset: clusters.place({ path, family, fields }) });
    }
  }
  return { file, replaces, parts, problems };
}

async function sampleOf(part: Part): Promise<Fields> {
  const inference = new Inference(TEXT_ONLY.has(part.sniffed.format));
  let count = 0;
  try {
    for await (const { doc } of readRecords(part.source, part.sniffed)) {
      inference.add(doc);
      count += 1;
      if (count >= SAMPLE_RECORDS) break;
    }
  } catch {
    // Told when it is read.
  }
  return inference.fields();
}

async function problemOf(part: Part): Promise<string | undefined> {
  try {
    for await (const _ of readRecords(part.source, part.sniffed)) return undefined;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
