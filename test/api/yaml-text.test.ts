import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../src/api/yaml-text.js';

test('looks as from Elasticsearch', () => {
  const body = {
    books: { mappings: {}, aliases: [] },
    hits: [{ _id: '1', sort: [1, 'a'] }, 'x'],
    'a b': null,
    on: true,
    id: new LosslessNumber('9007199254740993'),
    score: new LosslessNumber('1.0'),
  };
  expect(toYaml(body)).toBe(
    [
      '---',
      'books:',
      '  mappings: {}',
      '  aliases: []',
      'hits:',
      '- _id: "1"',
      '  sort:',
      '  - 1',
      '  - "a"',
      '- "x"',
      '"a b": null',
      '"on": true',
      'id: 9007199254740993',
      'score: 1.0',
      '',
    ].join('\n'),
  );
});

test('reads back as what it was', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, (value) => {
      expect(parse(toYaml(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
