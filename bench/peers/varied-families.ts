// Families of thousands of different searches of one form, with words, phrases and filters as they
// occur in the documents. Families with few bodies mostly measure the server's caches; these
// measure the cost of a search.
import type { JsonObject } from '../../src/backend/index.ts';
import type { Commit } from '../words/corpus.ts';
import type { QueryFamily } from './duel.ts';

/** More than the number of searches of one form that any of these servers caches. */
const BODIES = 1500;
const STEP = 7919;

type BodyOf = (commit: Commit, words: readonly string[], at: number) => JsonObject;

/** Makes one body from a commit that has at least five words. */
const FORMS: readonly (readonly [name: string, body: BodyOf])[] = [
  ['varied: term', (_commit, words, at) => match(pick(words, at))],
  [
    'varied: and2',
    (_commit, words, at) => ({
      query: {
        match: { text: { query: `${pick(words, at)} ${pick(words, at + 2)}`, operator: 'and' } },
      },
    }),
  ],
  [
    'varied: phrase3',
    (_commit, words, at) => {
      const from = at % (words.length - 2);
      return { query: { match_phrase: { text: words.slice(from, from + 3).join(' ') } } };
    },
  ],
  [
    'varied: filter',
    ({ repo, ts }, _words, at) => ({
      query: {
        bool: {
          filter: [{ term: { repo } }, { range: { ts: { gte: ts, lt: ts + 86_400 * at } } }],
        },
      },
    }),
  ],
  [
    'varied: match and filter',
    ({ author }, words, at) => ({
      query: {
        bool: { must: [{ match: { text: pick(words, at) } }], filter: [{ term: { author } }] },
      },
    }),
  ],
  [
    'varied: terms',
    (_commit, words, at) => ({
      size: 0,
      ...match(pick(words, at)),
      aggs: { a: { terms: { field: 'repo', size: 10 } } },
    }),
  ],
];

export function variedFamilies(commits: readonly Commit[]): readonly QueryFamily[] {
  const rich = commits.filter(({ text }) => wordsOf(text).length >= 5);
  return FORMS.map(([name, bodyOf], form) => ({
    name,
    path: '/words/_search?request_cache=false',
    bodies: differentBodies(rich, bodyOf, form),
  }));
}

/** Fewer if there are not enough different documents. */
function differentBodies(
  commits: readonly Commit[],
  bodyOf: BodyOf,
  form: number,
): readonly string[] {
  const bodies = new Set<string>();
  for (let at = 0; at < 4 * BODIES && bodies.size < BODIES; at++) {
    const commit = commits[((at + form) * STEP) % commits.length];
    if (commit !== undefined)
      bodies.add(JSON.stringify(bodyOf(commit, wordsOf(commit.text), at + 1)));
  }
  return [...bodies];
}

const match = (text: string): JsonObject => ({ query: { match: { text } } });

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}

function pick(words: readonly string[], at: number): string {
  return words[at % words.length] ?? '';
}
