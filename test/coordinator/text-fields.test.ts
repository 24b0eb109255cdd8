// The text and keyword fields of a mapping, and the paths of the source that have their values.
import { expect, test } from 'vitest';
import { TextFields } from '../../src/coordinator/catalog/text-fields.ts';

const fields = new TextFields({
  properties: {
    title: {
      type: 'text',
      copy_to: ['all'],
      fields: { raw: { type: 'keyword' }, size: { type: 'token_count' } },
    },
    body: { type: 'text', copy_to: 'all' },
    all: { type: 'text' },
    year: { type: 'integer' },
    secret: { type: 'keyword', index: false },
    name: { type: 'alias', path: 'title.raw' },
    author: { properties: { name: { type: 'keyword' } } },
    off: { type: 'object', enabled: false, properties: { a: { type: 'text' } } },
    parts: { type: 'nested', properties: { text: { type: 'text' } } },
  },
});
const matching = (...patterns: string[]): readonly string[] =>
  fields.matching(patterns).map(({ name }) => name);

test('patterns name the indexed text and keyword fields outside nested objects', () => {
  expect(matching('*')).toEqual(['title', 'title.raw', 'body', 'all', 'author.name']);
  expect(matching('title*', 'year', 'secret')).toEqual(['title', 'title.raw']);
  expect(matching('parts.text', 'off.a', 'none')).toEqual([]);
  expect(matching('name')).toEqual(['title.raw']);
});

test('a field of another has its values, and those that are copied to it', () => {
  expect(fields.get('title.raw')?.paths).toEqual(['title']);
  expect(fields.get('all')?.paths).toEqual(['all', 'title', 'body']);
  expect(fields.get('author.name')?.paths).toEqual(['author.name']);
});

test('a field of any type is known by its name or an alias', () => {
  expect(fields.get('year')).toMatchObject({ type: 'integer', isIndexed: true });
  expect(fields.get('name')).toMatchObject({ name: 'title.raw', type: 'keyword' });
  expect(fields.get('parts.text')).toMatchObject({ type: 'text', nested: 'parts' });
  expect(fields.get('none')).toBeUndefined();
});
