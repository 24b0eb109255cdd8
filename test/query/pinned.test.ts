// Bodies over pinned snapshots: their order, the position where a batch continues, the slice.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { parseSlice, type SliceClause } from '../../src/query/clauses/slice.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { type PinnedSnapshots, readKeys, shownKeys } from '../../src/query/pinned.ts';
import { compileSearch } from '../../src/query/search-body.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { refusal } from './compile.ts';

const SNAPSHOTS = [{ index: 3, shard: 0, generation: 77n }];
const opcodes = readOpcodes();

function compile(body: JsonObject, pinned: PinnedSnapshots, slice?: SliceClause) {
  return compileSearch(body, {
    opcodes,
    nowMs: 0,
    limits: DEFAULT_LIMITS,
    pinned,
    ...(slice === undefined ? {} : { slice }),
  });
}

const fields = (body: JsonObject, pinned: PinnedSnapshots): readonly string[] =>
  compile(body, pinned).sort.map(({ field, order, format }) => `${field} ${order} ${format}`);

describe('a point in time', () => {
  test.each<[JsonObject, readonly string[]]>([
    [{}, []],
    [{ sort: [] }, []],
    [{ sort: ['a'] }, ['a asc ', '_shard_doc asc ']],
    [{ sort: ['a'], search_after: [1] }, ['a asc ']],
    [{ sort: ['a'], search_after: [1, 2] }, ['a asc ', '_shard_doc asc ']],
    [{ sort: [{ _shard_doc: 'desc' }] }, ['_shard_doc desc ']],
    [{ sort: [{ a: { format: 'yyyy' } }] }, ['a asc yyyy', '_shard_doc asc ']],
  ])('sorts %j by %j', (body, sort) => {
    expect(fields(body, { snapshots: SNAPSHOTS })).toEqual(sort);
  });

  test('names its snapshots in the plan', () => {
    const { plan } = compile({}, { snapshots: SNAPSHOTS });
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32LE(3, 0);
    bytes.writeBigUInt64LE(77n, 8);
    expect(Buffer.from(plan).includes(bytes)).toBe(true);
  });
});

describe('a batch', () => {
  const first: PinnedSnapshots = { snapshots: SNAPSHOTS, batch: { after: undefined } };

  test.each<[JsonObject, readonly string[], readonly number[] | undefined]>([
    [{}, ['_score desc ', '_shard_doc asc '], undefined],
    [{ sort: '_score' }, ['_score desc ', '_shard_doc asc '], undefined],
    [{ sort: ['_doc'] }, ['_doc asc ', '_shard_doc asc '], [0]],
    [
      { sort: [{ d: { format: 'yyyy' } }, 'n', { e: { format: 'MM', order: 'desc' } }] },
      ['d asc ', 'n asc ', 'e desc ', '_shard_doc asc ', 'd asc yyyy', 'e desc MM'],
      [4, 1, 5],
    ],
  ])('of %j asks for %j and shows %j', (body, sort, shown) => {
    expect(fields(body, first)).toEqual(sort);
    expect(shownKeys(body)).toEqual(shown);
  });

  test('goes on behind all keys but the formatted ones', () => {
    const after = [17, 4, '1970'];
    const { searchAfter } = readKeys(
      { sort: [{ d: { format: 'yyyy' } }] },
      { from: 0, size: 10 },
      { snapshots: SNAPSHOTS, batch: { after } },
    );
    expect(searchAfter.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'number 17',
      'number 4',
      'null ',
    ]);
  });
});

test('a slice is a node of the plan, and needs something pinned', () => {
  const slice = parseSlice({ id: 1, max: 5 });
  const { plan } = compile({}, { snapshots: SNAPSHOTS }, slice);
  const node = Buffer.alloc(24);
  node.writeUInt16LE(opcodes['slice'] ?? 0, 0);
  node.writeUInt32LE(16, 4);
  node.writeFloatLE(1, 8);
  node.writeUInt32LE(1, 16);
  node.writeUInt32LE(5, 20);
  expect(Buffer.from(plan).includes(node)).toBe(true);
  expect(
    refusal(() =>
      compileSearch({ slice: { id: 1, max: 5 } }, { opcodes, nowMs: 0, limits: DEFAULT_LIMITS }),
    ),
  ).toContain('[slice] can only be used with [scroll] or [point-in-time] requests');
});
