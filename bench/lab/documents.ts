// The documents of many suites as bulk bodies: the commits of the shared folder if it exists,
// repeated with a suffix in the id, otherwise generated sentences; the same in every run.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Documents of one request. */
export const BATCH = 1000;

interface Source {
  readonly id: string;
  readonly line: string;
}

export class Documents {
  readonly #sources: readonly Source[];
  /** Words that occur in the bodies of some documents, for queries. */
  readonly words: readonly string[];
  readonly name: string;

  constructor() {
    const shared = process.env['SHARED_DIR'] ?? resolve('../shared');
    const corpus = join(shared, 'lexical', 'gitlog', 'corpus.ndjson.gz');
    const real = existsSync(corpus);
    this.name = real ? 'commits of ../shared/lexical' : 'generated text';
    this.#sources = real ? readCommits(corpus) : makeSources();
    this.words = frequentWords(this.#sources);
  }

  /** Batch number `batch`; no id is repeated. */
  body(batch: number, index: string): Buffer {
    const lines: string[] = [];
    for (let i = 0; i < BATCH; i++) {
      const at = batch * BATCH + i;
      const source = this.#sources[at % this.#sources.length];
      if (source === undefined) continue;
      const id = `${source.id}-${Math.floor(at / this.#sources.length)}`;
      lines.push(`{"index":{"_index":"${index}","_id":"${id}"}}`, source.line);
    }
    return Buffer.from(`${lines.join('\n')}\n`);
  }

  /** The words of the first documents; repeated from the start if there are fewer than `count`. */
  texts(count: number): readonly string[] {
    const texts = this.#sources.slice(0, count).map(textOf);
    return Array.from({ length: count }, (_, i) => texts[i % texts.length] ?? '');
  }
}

/** Subject and body of a commit, or a generated text. */
function textOf({ line }: Source): string {
  const { subject, body } = JSON.parse(line) as { subject: string; body: string };
  return `${subject} ${body}`.trim();
}

function readCommits(path: string): readonly Source[] {
  return gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { _id: id, ...rest } = JSON.parse(line) as { _id: string };
      return { id, line: JSON.stringify(rest) };
    });
}

function makeSources(): readonly Source[] {
  let state = 7;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (): string => `w${Math.floor(20_000 * random() ** 2).toString(36)}x`;
  return Array.from({ length: 50_000 }, (_, i) => {
    const body = Array.from({ length: 60 }, word).join(' ');
    return { id: `d${i}`, line: JSON.stringify({ subject: body.slice(0, 60), body, n: i }) };
  });
}

function frequentWords(sources: readonly Source[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { line } of sources.slice(0, 5000)) {
    const { body } = JSON.parse(line) as { body: string };
    // Split at spaces into whole tokens: "didn't" is one word, "didn" is none.
    const words = body.toLowerCase().split(/\s+/);
    for (const word of words.filter((one) => /^[a-z]{4,}$/.test(one)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  return sorted.slice(50, 350);
}
