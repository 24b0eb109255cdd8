// Highlights of any Unicode text, compared with the tokens of `_analyze`: marks are whole tokens,
// namely all occurrences of the query's words in that field, and the text without tags is the
// original text.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 60 : 25));
const PATIENCE_MS = 120_000;
const OPEN = '\u{e000}';
const CLOSE = '\u{e001}';
const FIELDS = ['left', 'right'] as const;
const WORDS = [
  'Größe',
  'naïve',
  'e\u0301clair',
  'İstanbul',
  'ſtraße',
  '東京',
  'ไทย',
  "l'été",
  'x1.5y',
  'aa',
];

interface Token {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const properties = { left: { type: 'text' }, right: { type: 'text', analyzer: 'english' } };
  await server.call('PUT', '/texts', { mappings: { properties } });
});
afterAll(async () => {
  await server?.stop();
});

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const text = fc
  .array(
    fc.tuple(piece, fc.constantFrom(' ', ' ', '. ', '\n', '-', '<', '&', '\u00a0', '👩‍👩‍👧')),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((pieces) => pieces.flat().join(''))
  .filter((given) => !given.includes(OPEN) && !given.includes(CLOSE));

async function tokensOf(field: string, given: string): Promise<readonly Token[]> {
  const reply = await server.call('POST', '/texts/_analyze', { field, text: given });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.tokens;
}

interface Marked {
  /** The fragment without tags. */
  readonly bare: string;
  readonly marks: readonly (readonly [from: number, to: number])[];
}

function readMarks(fragment: string): Marked {
  const marks: (readonly [number, number])[] = [];
  let bare = '';
  for (const part of fragment.split(OPEN)) {
    const end = part.indexOf(CLOSE);
    if (end >= 0) marks.push([bare.length, bare.length + end]);
    bare += part.replace(CLOSE, '');
  }
  return { bare, marks };
}

/** Both fields contain the text; each is queried with one of its own terms. */
async function highlight(given: string, terms: readonly string[]) {
  const source = Object.fromEntries(FIELDS.map((field) => [field, given]));
  const written = await server.call('PUT', '/texts/_doc/1?refresh=true', source);
  expect(written.status, written.text).toBeLessThan(300);
  const should = terms.map((term, i) => ({ term: { [FIELDS[i] ?? '']: term } }));
  const options = { number_of_fragments: 0, pre_tags: [OPEN], post_tags: [CLOSE] };
  const fields = Object.fromEntries(FIELDS.map((field) => [field, options]));
  const reply = await server.call('POST', '/texts/_search', {
    query: { bool: { should } },
    highlight: { fields },
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.hits.hits[0]?.highlight as Record<string, string[]> | undefined;
}

/**
 * Without the characters that may be trimmed from a whole text: spaces, and other whitespace of
 * Java.
 */
function inner(given: string): string {
  let [from, to] = [0, given.length];
  const isBlank = (at: number): boolean => given.charCodeAt(at) <= 32 || /\s/.test(given[at] ?? '');
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return given.slice(from, to);
}

/** The positions of a term; tokens over the same characters are one position. */
function placesOf(tokens: readonly Token[], term: string): string[] {
  const places = tokens
    .filter(({ token }) => token === term)
    .map(({ start_offset: from, end_offset: to }) => `${from}-${to}`);
  return [...new Set(places)];
}

test(
  'marks are the tokens of the field that were asked for',
  () =>
    fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat(), async (given, first, second) => {
        const tokens = await Promise.all(FIELDS.map((field) => tokensOf(field, given)));
        fc.pre(tokens.every((list) => list.length > 0));
        const picks = [first, second];
        const terms = tokens.map((list, i) => list[(picks[i] ?? 0) % list.length]?.token ?? '');
        const found = await highlight(given, terms);
        for (const [i, field] of FIELDS.entries()) {
          const [fragment = ''] = found?.[field] ?? [];
          const { bare, marks } = readMarks(fragment);
          // Whitespace around a whole text is trimmed.
          const cut = given.indexOf(bare);
          expect(cut, JSON.stringify([given, fragment])).toBeGreaterThanOrEqual(0);
          expect(inner(bare)).toBe(inner(given));
          const places = marks.map(([from, to]) => `${from + cut}-${to + cut}`);
          expect(places, JSON.stringify([given, fragment, terms[i]])).toEqual(
            placesOf(tokens[i] ?? [], terms[i] ?? ''),
          );
        }
      }),
      { numRuns: RUNS },
    ),
  PATIENCE_MS,
);

const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x2F;': '/',
};

test(
  'as html nothing but tags is left of markup, and reading it gives the text',
  () =>
    fc.assert(
      fc.asyncProperty(text, fc.nat(), async (given, pick) => {
        const tokens = await tokensOf('left', given);
        fc.pre(tokens.length > 0);
        const term = tokens[pick % tokens.length]?.token ?? '';
        await server.call('PUT', '/texts/_doc/1?refresh=true', { left: given });
        const { json } = await server.call('POST', '/texts/_search', {
          query: { term: { left: term } },
          highlight: { encoder: 'html', number_of_fragments: 0, fields: { left: {} } },
        });
        const [fragment = ''] = json.hits.hits[0].highlight.left as string[];
        const bare = fragment.replaceAll(/<\/?em>/g, '');
        expect(bare).not.toMatch(/[<>"]/);
        const read = bare.replaceAll(
          /&(?:amp|lt|gt|quot|#x27|#x2F);/g,
          (name) => NAMED[name] ?? '',
        );
        expect(inner(read)).toBe(inner(given));
      }),
      { numRuns: RUNS },
    ),
  PATIENCE_MS,
);
