// Measures the megabytes of text per second that each link detector reads on one thread, and all of
// them together. All links planted in the notes must be found before anything is timed. The time is
// the CPU time of this thread, so that other load on the machine does not count. BENCH_NOTES sets
// the number of notes of two kilobytes.

import type { JsonObject } from '../../src/backend/index.ts';
import { runToCompletion } from '../../src/base/cooperative-task.ts';
import { readDocument } from '../../src/graph/detectors/document.ts';
import { DETECTORS } from '../../src/graph/detectors/index.ts';
import { NodeNames } from '../../src/graph/detectors/node-names.ts';
import { findingsIn } from '../../src/graph/findings.ts';
import type { SuiteResult } from '../lab/result.ts';

const NOTES = Number(process.env['BENCH_NOTES'] ?? 4000);
const SENTENCES = 25;
const WORDS = 14;
const VOCABULARY = 30_000;

interface Notes {
  readonly sources: readonly (readonly [id: string, source: JsonObject])[];
  readonly bytes: number;
  /**
   * Wiki links and issue numbers in the texts, without repetitions and notes that link to
   * themselves.
   */
  readonly planted: number;
}

interface Run {
  readonly seconds: number;
  readonly found: number;
}

export async function detectSuite(): Promise<SuiteResult> {
  const notes = writeNotes();
  const explicit = run(notes, ['wiki-links', 'ids']);
  if (explicit.found !== notes.planted)
    throw new Error(`${notes.planted} links were planted, ${explicit.found} were found`);
  const names = DETECTORS.map(({ name }) => name);
  const rows = [
    ...names.map((name) => [name]),
    ['wiki-links', 'markdown-links', 'metadata', 'ids', 'mentions', 'titles'],
    names,
  ].map((some) => {
    const { seconds, found } = run(notes, some);
    const label = some.length === 1 ? String(some[0]) : `${some.length} together`;
    const values = { rate: notes.bytes / 1e6 / seconds };
    return { name: label, unit: 'MB/s', values, counters: { found } };
  });
  const fact = `${NOTES} notes, ${(notes.bytes / 1e6).toFixed(1)} MB; all ${notes.planted} planted links were found`;
  return { facts: [fact], rows };
}

/** The generator of Numerical Recipes: the same notes in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function wordOf(number: number): string {
  let word = '';
  for (let left = number + 7; left > 0; left = Math.floor(left / 18))
    word += 'etaoinshrdlucmfwyp'.charAt(left % 18);
  return word;
}

function writeNotes(): Notes {
  const random = generator(1);
  const pick = (below: number): number => Math.floor(below * random());
  const vocabulary = Array.from({ length: VOCABULARY }, (_, i) => wordOf(i));
  const planted = new Set<string>();
  let bytes = 0;
  const sources = Array.from({ length: NOTES }, (_, note): readonly [string, JsonObject] => {
    const sentences = Array.from({ length: SENTENCES }, () => {
      const words = Array.from(
        { length: WORDS },
        () => vocabulary[Math.floor(VOCABULARY * random() ** 3)] ?? '',
      );
      const target = pick(NOTES);
      const kind = random();
      if (kind < 0.1) words.push(`[[Title ${target}]]`);
      else if (kind < 0.15) words.push(`near #${target}`);
      if (kind < 0.15 && target !== note) planted.add(`${note}>${target}`);
      return `${words.join(' ')}.`;
    });
    const text = sentences.join(' ');
    bytes += Buffer.byteLength(text);
    return [`note-${note}`, { title: `Title ${note}`, number: note, text }];
  });
  return { sources, bytes, planted: planted.size };
}

function run({ sources }: Notes, names: readonly string[]): Run {
  const started = process.cpuUsage();
  const workers = DETECTORS.filter(({ name }) => names.includes(name)).map((detector) => ({
    detector,
    running: detector.begin(),
  }));
  const known = new NodeNames();
  const documents = sources.map(([id, source]) => readDocument(id, source));
  for (const document of documents) {
    known.add(document);
    for (const { running } of workers) running.learn?.(document);
  }
  let found = 0;
  for (const document of documents)
    found += runToCompletion(findingsIn(document, known, workers)).length;
  const { user, system } = process.cpuUsage(started);
  return { seconds: (user + system) / 1e6, found };
}
