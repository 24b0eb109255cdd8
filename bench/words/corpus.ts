// The commits of the shared folder in the form of the speed workload: one text field of lower-case
// words, and keywords, numbers and a date.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Commit {
  readonly id: string;
  readonly repo: string;
  readonly author: string;
  readonly date: string;
  readonly ts: number;
  readonly files: number;
  readonly lag_s: number;
  readonly parents: number;
  readonly dir: readonly string[];
  readonly ext: readonly string[];
  readonly text: string;
}

export const MAPPINGS = {
  properties: {
    repo: { type: 'keyword' },
    author: { type: 'keyword' },
    date: { type: 'date' },
    ts: { type: 'long' },
    files: { type: 'integer' },
    lag_s: { type: 'long' },
    parents: { type: 'integer' },
    dir: { type: 'keyword' },
    ext: { type: 'keyword' },
    text: { type: 'text' },
  },
};

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** All commits in time order, or the first `limit`. */
export function readCommits(shared: string, limit = Number.POSITIVE_INFINITY): readonly Commit[] {
  const lines = gunzipSync(readFileSync(join(shared, 'gitlog', 'corpus.ndjson.gz')))
    .toString()
    .split('\n');
  return lines
    .filter((line) => line !== '')
    .slice(0, limit)
    .map((line) => {
      const {
        _id: id,
        subject,
        body,
        committer: _committer,
        path: _path,
        ...rest
      } = JSON.parse(line);
      const ts = Math.floor(Date.parse(rest.date) / 1000);
      return { id, ...rest, ts, text: words(`${subject} ${body}`) };
    });
}
