// Documents are read as lossless-json reads them, in steps.
import fc from 'fast-check';
import { parse } from 'lossless-json';
import { expect, test } from 'vitest';
import { runToCompletion } from '../../../src/base/cooperative-task.ts';
import { parseStored } from '../../../src/query/update-script/stored-text.ts';

const read = (text: string) => runToCompletion(parseStored(text));

test.each([
  '{}',
  ' { "a" : [ ] , "b" : { } } ',
  '{"n":[1,-0,1.0,1e5,1E-7,123456789012345678901234567890,0.10]}',
  '{"t":[true,false,null]}',
  String.raw`{"s":"a\"b\\","q\"":"\\\\","u":"\u00e9\ud83d\ude00\n\/"}`,
  '{"__proto__":{"a":1},"constructor":2}',
  `${'{"a":['.repeat(200)}1${']}'.repeat(200)}`,
])('%s', (text) => {
  expect(read(text)).toEqual(parse(text));
});

test('any document', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      expect(read(text)).toEqual(parse(text));
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) },
  );
});

test.each([
  '',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '[1,]',
  '[1 2]',
  '{"a" 1}',
  '"a',
  'tru',
  '1 2',
  '{a:1}',
])('what is no JSON: %s', (text) => {
  expect(() => read(text)).toThrow(SyntaxError);
});

test('a list of many values is read in steps, a long string in one', () => {
  const steps = (text: string): number => {
    let count = 0;
    const work = parseStored(text);
    while (work.next().done !== true) count += 1;
    return count;
  };
  expect(steps(`{"a":[${'1,'.repeat(64_000)}1]}`)).toBe(1000);
  expect(steps(`{"a":"${'x'.repeat(5_000_000)}"}`)).toBe(0);
});

test('a document of too many values is refused', () => {
  expect(() => read(`[${'1,'.repeat(1_200_000)}1]`)).toThrow(
    'script cannot change a document of more than [1200000] values, send the document whole',
  );
});
