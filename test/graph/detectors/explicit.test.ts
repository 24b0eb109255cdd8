// Explicit syntax, fields and ids: which are links, which are not, and which words determine the
// type.
import { describe, expect, test } from 'vitest';
import { type Documents, findings, found } from './found.ts';

const NOTES: Documents = {
  alpha: { title: 'Alpha Note', aliases: ['first one'] },
  'notes/beta.md': { title: 'Beta' },
  'other/gamma.md': {},
  'more/gamma.md': {},
  page: { url: 'https://www.Example.org/wiki/Page/?lang=en' },
};

/** The links of a text: `type-> node "quote"`. */
function links(text: string, names?: readonly string[], notes: Documents = NOTES): string[] {
  return found({ ...notes, zz: { text } }, names)
    .filter((one) => one.startsWith('zz ') || one.includes('-> zz '))
    .map((one) => one.replace(/^zz -/, ''));
}

describe('wiki links', () => {
  test.each<[string, string, string[]]>([
    ['an id', '[[alpha]]', ['references-> alpha "[[alpha]]"']],
    ['a title in any case', '[[ALPHA  note]]', ['references-> alpha "[[ALPHA  note]]"']],
    ['an alias', '[[First One]]', ['references-> alpha "[[First One]]"']],
    ['the end of a path', '[[beta]]', ['references-> notes/beta.md "[[beta]]"']],
    ['a title with dashes', '[[alpha-note]]', ['references-> alpha "[[alpha-note]]"']],
    ['a part and a label', '[[alpha#x|y]]', ['references-> alpha "[[alpha#x|y]]"']],
    ['a label in a table', '[[alpha\\|y]]', ['references-> alpha "[[alpha\\|y]]"']],
    ['an embed', 'so: ![[alpha]]', ['embeds-> alpha "![[alpha]]"']],
    ['a relation', 'x\n- depends_on [[alpha]]', ['depends_on-> alpha "[[alpha]]"']],
    ['no relation', '- see [[alpha]]', ['references-> alpha "[[alpha]]"']],
    ['a name of two documents', '[[gamma]]', []],
    ['nobody', '[[delta]] [[]] [[#part]] [[', []],
    ['inline code', '`[[alpha]]` ``x ` [[alpha]]``', []],
    ['a fence', '```\n[[alpha]]\n```\n~~~\n[[alpha]]', []],
    ['markup of code', '<pre>[[alpha]]</pre> <!-- [[alpha]] -->', []],
    ['after code', '`x` [[alpha]] `y', ['references-> alpha "[[alpha]]"']],
  ])('to %s', (_what, text, expected) => {
    expect(links(text, ['wiki-links'])).toEqual(expected);
  });
});

describe('links of Markdown and HTML', () => {
  test.each<[string, string, string[]]>([
    ['a path', '[x](../notes/beta.md)', ['references-> notes/beta.md "[x](../notes/beta.md)"']],
    [
      'a path with a place',
      '[x](notes/beta#p "T")',
      ['references-> notes/beta.md "[x](notes/beta#p "T")"'],
    ],
    ['an encoded title', '[x](Alpha%20Note)', ['references-> alpha "[x](Alpha%20Note)"']],
    ['a definition', '[x]: /notes/beta.md', ['references-> notes/beta.md "/notes/beta.md"']],
    ['an anchor', "so <a href='alpha'>x</a>", ['references-> alpha "<a href=\'alpha\'"']],
    [
      'a bare address',
      '(see http://example.org/wiki/Page).',
      ['references-> page "http://example.org/wiki/Page"'],
    ],
    ['an unknown address', 'https://example.org/wiki/Other', []],
    ['another scheme', '[x](mailto:alpha) [y](javascript:alpha)', []],
    ['the same page', '[x](#alpha)', []],
    ['broken encoding', '[x](%ff%)', []],
  ])('to %s', (_what, text, expected) => {
    expect(links(text, ['markdown-links'])).toEqual(expected);
  });
});

describe('ids', () => {
  const COMMIT = '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d';
  const known: Documents = {
    [COMMIT]: {},
    '1a2b3c4999990000111122223333444455556666': {},
    'issue-12': { number: 12 },
    rfc793: { title: 'RFC 793 - Transmission Control' },
    cve: { title: 'CVE-2021-44228: logging' },
    paper: { doi: '10.1000/xyz.123' },
    'PROJ-7': {},
    hub: {},
    'note-7': {},
    'a/b.c': {},
  };
  test.each<[string, string, string[]]>([
    ['a hash', `as ${COMMIT} did`, [`references-> ${COMMIT} "${COMMIT}"`]],
    ['the beginning of one', 'see 1a2b3c4d.', [`references-> ${COMMIT} "1a2b3c4d"`]],
    ['the beginning of two', 'see 1a2b3c4', []],
    ['a number that is no hash', '1234567 and deadbeef', []],
    ['an issue', 'see #12, not #13', ['references-> issue-12 "#12"']],
    ['an issue of GitHub', 'GH-12', ['references-> issue-12 "GH-12"']],
    ['an RFC', 'RFC 793 or RFC0794', ['references-> rfc793 "RFC 793"']],
    ['a CVE', 'CVE-2021-44228!', ['references-> cve "CVE-2021-44228"']],
    ['a DOI', 'doi:10.1000/xyz.123.', ['references-> paper "10.1000/xyz.123"']],
    ['a key', 'PROJ-7 and PROJ-70', ['references-> PROJ-7 "PROJ-7"']],
    [
      'an id like an id',
      'note-7: a/b.c, NOTE-7',
      ['references-> a/b.c "a/b.c"', 'references-> note-7 "note-7"'],
    ],
    ['an id like a word', 'the hub of it', []],
    ['part of an address', 'https://x.org/note-7', []],
  ])('such as %s', (_what, text, expected) => {
    expect(links(text, ['ids'], known)).toEqual(expected);
  });

  test('stand in the headers of an RFC as bare numbers', () => {
    const rfcs = {
      ...known,
      rfc9293: { title: 'RFC 9293', text: 'Obsoletes: 793, 760\nSee 793.' },
    };
    expect(found(rfcs, ['ids'])).toEqual(['rfc9293 -obsoletes-> rfc793 "793"']);
  });
});

describe('words before a reference', () => {
  test.each<[string, string]>([
    ['It supersedes [[alpha]].', 'supersedes-> alpha "supersedes [[alpha]]"'],
    [
      'Replaces: the earlier note [[alpha]]',
      'supersedes-> alpha "Replaces: the earlier note [[alpha]]"',
    ],
    ['This contradicts [[alpha]]', 'contradicts-> alpha "contradicts [[alpha]]"'],
    ['Reverts [[alpha]]', 'reverts-> alpha "Reverts [[alpha]]"'],
    ['a duplicate of [[alpha]]', 'duplicates-> alpha "duplicate of [[alpha]]"'],
    ['depends on [[alpha]]', 'depends_on-> alpha "depends on [[alpha]]"'],
    ['obsoletes [[alpha]]', 'obsoletes-> alpha "obsoletes [[alpha]]"'],
    ['fixes [[Beta]] and [[alpha]]', 'fixes-> alpha "[[alpha]]"'],
    ['does not fix [[alpha]]', 'references-> alpha "[[alpha]]"'],
    ["doesn't contradict [[alpha]]", 'references-> alpha "[[alpha]]"'],
    ['It fixes things. See [[alpha]]', 'references-> alpha "[[alpha]]"'],
    ['prefixes [[alpha]]', 'references-> alpha "[[alpha]]"'],
  ])('%s', (text, expected) => {
    expect(links(text, ['wiki-links'])).toContain(expected);
  });

  test('may turn the link around', () => {
    expect(links('was superseded by [[alpha]]')).toEqual([
      'alpha -supersedes-> zz "superseded by [[alpha]]"',
    ]);
  });

  test('leave no room for a mere reference to the same', () => {
    expect(links('See [[alpha]]. It supersedes [[alpha]]. Alpha Note is old.')).toEqual([
      'supersedes-> alpha "supersedes [[alpha]]"',
    ]);
  });
});

describe('fields', () => {
  test('of mail and of memories name others', () => {
    const mails = {
      m1: { message_id: '<1@x>', date: '2024-01-01' },
      m2: { headers: { 'message-id': '<2@x>', 'in-reply-to': '<1@x>' }, date: '2024-01-02' },
      m3: {
        metadata: { references: '<1@x> <2@x> <9@x>', reply_to: ['m1', 'm2'], parent: 'nobody' },
      },
    };
    expect(found(mails)).toEqual([
      'm2 -reply_to-> m1 "1@x"',
      'm3 -references-> m1 "1@x"',
      'm3 -references-> m2 "2@x"',
      'm3 -reply_to-> m1 "m1"',
      'm3 -reply_to-> m2 "m2"',
    ]);
  });

  test('of a session put documents in a row', () => {
    const said = (session: string, said_at: number): object => ({ metadata: { session, said_at } });
    const turns = {
      c: said('s', 3),
      a: said('s', 1),
      b: said('s', 2),
      d: said('t', 4),
      e: said('t', 4),
    };
    expect(found(turns as Documents)).toEqual([
      'b -follows-> a "s"',
      'c -follows-> b "s"',
      'e -follows-> d "t"',
    ]);
  });
});

describe('evidence', () => {
  test('is found again at its byte offset', () => {
    const text = 'Grüße, 🙂 „so“: siehe [[alpha]] und #12, note-7.';
    const all = findings({
      ...NOTES,
      'issue-12': { number: 12 },
      'note-7': {},
      zz: { body: { text } },
    });
    expect(all.length).toBeGreaterThanOrEqual(3);
    for (const { evidence } of all.filter(({ src }) => src === 'zz')) {
      const { quote, offset, field, source } = evidence as Record<string, string | number>;
      expect([field, source]).toEqual(['body.text', 'zz']);
      const bytes = Buffer.from(text).subarray(Number(offset));
      expect(bytes.toString('utf8').startsWith(String(quote))).toBe(true);
    }
  });
});
