// Titles and previews of documents of many forms.
import { expect, test } from 'vitest';
import { previewOf } from '../../src/graph/preview.ts';

test.each([
  ['a memory', { text: 'Said so' }, null, 'Said so'],
  ['a titled memory', { text: 'x', metadata: { title: 'T' } }, 'T', 'x'],
  ['a flattened key', { 'metadata.title': 'T' }, 'T', null],
  ['an article', { title: 'T', body: 'B', summary: 'S' }, 'T', 'B'],
  ['an empty title', { title: ' \n ', name: 'N' }, 'N', null],
  ['a title that is no text', { title: 3, name: ['N'] }, null, null],
  ['white space', { title: ' a\n b ' }, 'a b', null],
  ['nothing of use', { year: 1974 }, null, null],
])('of %s', (_label, document, title, preview) => {
  expect(previewOf(document)).toEqual({ title, preview, exists: true });
});

test('are at most 200 characters and never half a character', () => {
  expect(previewOf({ text: 'a'.repeat(201) }).preview).toBe('a'.repeat(200));
  expect(previewOf({ text: `${'a'.repeat(199)}🙂🙂` }).preview).toBe('a'.repeat(199));
  expect(previewOf({ text: `${'a'.repeat(198)}🙂🙂` }).preview).toBe(`${'a'.repeat(198)}🙂`);
});
