// A template split into tags: the same as by the mustache package, but in linear time.
import fc from 'fast-check';
import Mustache from 'mustache';
import { describe, expect, test } from 'vitest';
import { readTags, type Tag } from '../../../src/query/template/tags.ts';

/** A tag of the package: kind, content, position, and nested tags. */
type PackageTag = readonly [
  kind: string,
  value: string,
  from: number,
  to: number,
  inside?: unknown,
];

const KINDS = { name: 'value', '&': 'raw', '>': 'partial' } as const;

function ofPackage(tags: readonly PackageTag[]): Tag[] {
  const made: Tag[] = [];
  for (const [kind, value, , , inside] of tags) {
    const last = made.at(-1);
    if (kind === 'text' && last?.kind === 'text') {
      made[made.length - 1] = { kind: 'text', text: last.text + value };
    } else if (kind === 'text') {
      made.push({ kind, text: value });
    } else if (kind === '#' || kind === '^') {
      const within = ofPackage(inside as readonly PackageTag[]);
      made.push({ kind: kind === '#' ? 'section' : 'inverted', name: value, inside: within });
    } else if (kind in KINDS) {
      made.push({ kind: KINDS[kind as keyof typeof KINDS], name: value });
    }
  }
  return made;
}

function outcome(read: () => readonly Tag[]): unknown {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

test('is cut as the package cuts it', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r\n',
    '{{x}}',
    '{{ x }}',
    '{{{x}}}',
    '{{& x}}',
    '{{#s}}',
    '{{ /s}}',
    '{{/s }}',
    '{{^s}}',
    '{{! c }}',
    '{{> p}}',
    '{{=<% %>=}}',
    '<%={{ }}=%>',
    '<%y%>',
    '{{',
    '}}',
    '{',
    '}',
    '=',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const source = pieces.join('');
      const parse = () =>
        ofPackage(new Mustache.Writer().parse(source) as unknown as readonly PackageTag[]);
      expect(outcome(() => readTags(source))).toEqual(outcome(parse));
    }),
    { numRuns: 3000 },
  );
});

describe('what does not fit together', () => {
  test.each([
    ['{{x', 'Unclosed tag at 3'],
    ['a{{/s}}', 'Unopened section "s" at 1'],
    ['{{#s}}{{/t}}', 'Unclosed section "s" at 6'],
    ['{{#s}}', 'Unclosed section "s" at 6'],
    ['{{=x=}}', 'Invalid tags: x'],
  ])('%s', (source, message) => {
    expect(() => readTags(source)).toThrow(message);
  });
});

test.each([
  '{{a}}',
  '{{#s}}x{{/s}}',
  'x{{a}}',
  `{{#join ${' '.repeat(100)}x}}{{/join}}`,
  '{{a',
  '\n',
])('takes time in proportion to its length: %s', (piece) => {
  // A reader with quadratic time would exceed the test's timeout.
  outcome(() => readTags(piece.repeat(Math.ceil(2_000_000 / piece.length))));
  outcome(() => readTags(`{{#join ${' '.repeat(2_000_000)}x}}{{/join}}`));
});
