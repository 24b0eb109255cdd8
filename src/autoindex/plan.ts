// What a run has to do: files that are new or changed, with the dataset of each of their parts, and files that are gone.
import { Clusters, familyOf } from './datasets.js';
import { readRecords } from './formats/index.js';
import { type Fields, Inference } from './infer.js';
import type { Family, Journal } from './journal.js';
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
/** Files of one record each that are alike, before they are rows of something; fewer are settings, which are read. */
const LEAST_LONE = 3;
const MAY_BE_SETTINGS: ReadonlySet<string> = new Set(['json', 'yaml', 'xml']);
/** What numbers and flags are written as text in. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['csv', 'xml']);

/** A part that has no dataset yet. */
interface Candidate {
  readonly part: Part;
  readonly path: string;
  readonly family: Family;
  readonly fields: Fields;
  /** The one record of its file. */
  readonly lone: boolean;
}

interface LookedAt {
  readonly file: FileFound;
  readonly candidates: readonly Candidate[];
  readonly problems: readonly BadPart[];
}

export async function planOf(
  walked: Walked,
  journal: Journal,
  onLooked: (done: number, of: number) => void,
): Promise<Plan> {
  const fresh = walked.files.filter((f) => journal.done.get(f.path)?.stamp !== f.stamp);
  const looked: LookedAt[] = [];
  for (const file of fresh) {
    looked.push(await lookAt(file));
    onLooked(looked.length, fresh.length);
  }
  const clusters = new Clusters(journal.datasets.values());
  const placed = await placeAll(
    looked.flatMap(({ candidates }) => candidates),
    clusters,
  );
  const files = looked.map(({ file, candidates, problems }): PlannedFile => {
    const replaces = journal.done.has(file.path) || journal.begun.has(file.path);
    const parts = candidates.flatMap((candidate) => placed.get(candidate) ?? []);
    return { file, replaces, parts, problems };
  });
  const here = new Set(walked.files.map(({ path }) => path));
  const gone = [...journal.done.keys(), ...journal.begun].filter((path) => !here.has(path));
  const unchanged = walked.files.length - fresh.length;
  return { files, clusters, gone, unchanged, skipped: walked.skipped };
}

/** Tables and the like first: what stands alone may be one more row of them. */
async function placeAll(
  candidates: readonly Candidate[],
  clusters: Clusters,
): Promise<ReadonlyMap<Candidate, PlannedPart>> {
  const placed = new Map<Candidate, PlannedPart>();
  for (const candidate of candidates) {
    if (candidate.lone) continue;
    placed.set(candidate, { ...candidate.part, dataset: clusters.place(candidate) });
  }
  const lone = candidates.filter((candidate) => candidate.lone);
  const settings = new Set(loneSettings(lone, clusters));
  for (const candidate of lone) {
    const part = settings.has(candidate) ? asText(candidate.part) : candidate.part;
    const family = familyOf(part.sniffed.format);
    const fields = part === candidate.part ? candidate.fields : (await sampleOf(part)).fields;
    const dataset = clusters.place({ path: candidate.path, family, fields });
    placed.set(candidate, { ...part, dataset });
  }
  return placed;
}

/** Those that are like nothing there is, and like too few of each other. */
function loneSettings(lone: readonly Candidate[], clusters: Clusters): readonly Candidate[] {
  const trial = clusters.copy();
  const known = new Set(trial.all.map(({ name }) => name));
  const groups = new Map<string, Candidate[]>();
  for (const candidate of lone) {
    const name = trial.place(candidate);
    groups.set(name, [...(groups.get(name) ?? []), candidate]);
  }
  return [...groups].flatMap(([name, group]) =>
    known.has(name) || group.length >= LEAST_LONE ? [] : group,
  );
}

/** Read as what a person wrote. */
function asText(part: Part): Part {
  const { format, encoding } = part.sniffed;
  return { ...part, sniffed: { format: 'code', encoding, language: format } };
}

async function lookAt(file: FileFound): Promise<LookedAt> {
  const candidates: Candidate[] = [];
  const problems: BadPart[] = [];
  let found: readonly (Part | BadPart)[];
  try {
    found = await partsOfFile(file);
  } catch (error) {
    found = [{ entry: undefined, problem: (error as Error).message }];
  }
  for (const part of found) {
    const looked = 'problem' in part ? part : await candidateOf(part);
    if ('problem' in looked) problems.push(looked);
    else candidates.push(looked);
  }
  return { file, candidates, problems };
}

async function candidateOf(found: Part): Promise<Candidate | BadPart> {
  let part = found;
  let sample = await sampleOf(part);
  // A template looks like YAML and is none: it can still be read.
  if (sample.count === 0 && part.sniffed.format === 'yaml') {
    part = asText(part);
    sample = await sampleOf(part);
  }
  const { format } = part.sniffed;
  const family = familyOf(format);
  if (sample.count === 0) {
    return { entry: part.entry, problem: sample.problem ?? 'nothing to read in it' };
  }
  const path = part.entry ?? part.source.path;
  const whole = sample.problem === undefined;
  const lone = sample.count === 1 && whole && MAY_BE_SETTINGS.has(format);
  return { part, path, family, fields: sample.fields, lone };
}

interface SampleRead {
  readonly fields: Fields;
  readonly count: number;
  readonly problem: string | undefined;
}

async function sampleOf(part: Part): Promise<SampleRead> {
  const inference = new Inference(TEXT_ONLY.has(part.sniffed.format));
  let count = 0;
  let problem: string | undefined;
  try {
    for await (const { doc } of readRecords(part.source, part.sniffed)) {
      inference.add(doc);
      count += 1;
      if (count >= SAMPLE_RECORDS) break;
    }
  } catch (error) {
    // What comes after the first record is told when it is read.
    problem = (error as Error).message;
  }
  return { fields: inference.fields(), count, problem };
}
