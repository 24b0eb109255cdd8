// Formats of the numbers of docvalue_fields.
import { expect, test } from 'vitest';
import { NumberFormats } from '../../src/query/number-formats.ts';

const FORMATS = [{ field: 'd', format: '0.00' }];

test('a key inside the value of a field is no field, whatever its name is', () => {
  const formats = new NumberFormats(FORMATS);
  expect(formats.applied('{"d":[1,2],"fl":[{"d":[1],"b":{"d":[2]}}]}')).toBe(
    '{"d":["1.00","2.00"],"fl":[{"d":[1],"b":{"d":[2]}}]}',
  );
});

test('a bracket in a text does not end an object', () => {
  const formats = new NumberFormats(FORMATS);
  expect(formats.applied('{"a":["}{{"],"d":[1]}')).toBe('{"a":["}{{"],"d":["1.00"]}');
});

test('values of `fields` take the place of formatted ones', () => {
  const formats = new NumberFormats(FORMATS, [{ field: '*', format: '' }]);
  expect(formats.applied('{"d":[1]}')).toBe('{"d":[1]}');
});
