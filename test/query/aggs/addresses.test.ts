// IP addresses as strings that sort like the addresses.
import { expect, test } from 'vitest';
import { addressDigits } from '../../../src/query/aggs/addresses.ts';

test('addresses compare by their bits, those of version 4 among those of version 6', () => {
  const ascending = [
    '::',
    '::1',
    '9.0.0.0',
    '10.0.0.0',
    '10.0.1.0',
    '1::',
    '2001:db8::1',
    'ff00::',
  ];
  expect([...ascending].sort((a, b) => (addressDigits(a) < addressDigits(b) ? -1 : 1))).toEqual(
    ascending,
  );
  expect(addressDigits('2001:db8::1')).toBe('20010db8000000000000000000000001');
  expect(addressDigits('10.0.1.255')).toBe('00000000000000000000ffff0a0001ff');
});
