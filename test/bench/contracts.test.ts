// The counts of the core's contracts that `npm run house` prints, and those that may not grow.
import { expect, test } from 'vitest';
import { contractRows, virtualFunctions } from '../../bench/house/contracts.ts';
import { readSources } from '../tools/source-files.ts';

const core = readSources('native/core', ['.h', '.cc']).filter(
  ({ path }) => !path.endsWith('_test.cc'),
);
const counts = new Map(contractRows(core));

test('virtual functions are counted without the destructor and the functions of other classes', () => {
  const text = `class Set;
class Set {
 public:
  virtual ~Set() = default;
  virtual uint32_t next() = 0;
  /// virtual in a comment
  virtual bool has(
      uint32_t doc) const;
  int more();
};
class SetOf final : public Set {
  virtual int other();
};
`;
  expect(virtualFunctions([{ path: 'set.h', text }], 'Set')).toBe(2);
  expect(() => virtualFunctions([{ path: 'set.h', text }], 'Bag')).toThrow('no class Bag');
});

test.each(['DocSet', 'Scorer', 'Weight'])('%s has at most 7 virtual functions', (name) => {
  expect(Number(counts.get(`virtual functions of ${name}`))).toBeLessThanOrEqual(7);
});

test('clauses and aggregations register themselves', () => {
  expect(counts.get('clauses and aggregations that a dispatcher includes')).toBe('0');
});

test('few files outside of the mapping name a field type', () => {
  const [files] = (counts.get('files outside mapping/ that name a field type') ?? '').split(',');
  expect(Number(files)).toBeLessThanOrEqual(6);
});

test.each([
  ['histogram', 8],
  ['terms', 12],
  ['composite', 1],
  ['multi_terms', 1],
])('the aggregations of %s count in at most %i ways', (room, most) => {
  expect(Number(counts.get(`ways in which aggs/${room} counts documents`))).toBeLessThanOrEqual(
    most,
  );
});
