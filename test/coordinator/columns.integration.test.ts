// Columns over the real engine: over one shard and several, in order, in pages, with missing
// values.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ColumnsRequest, ColumnValue, Json } from '../../src/backend/index.ts';
import { json, openBackend, type RealBackend, removeFolder } from './real-backend.ts';

const DOCUMENTS = Array.from({ length: 25 }, (_, i) => ({
  n: i,
  word: i % 3 === 0 ? 'ä' : `w${i}`,
  at: i * 1000 - 5000,
  share: i / 100,
  flag: i % 2 === 0,
}));

let real: RealBackend;

beforeAll(async () => {
  real = await openBackend();
  for (const shards of [1, 3]) {
    const index = `s${shards}`;
    await real.backend.createIndex(index, {
      settings: { number_of_shards: shards },
      mappings: {
        properties: {
          n: { type: 'long' },
          word: { type: 'keyword' },
          at: { type: 'date', format: 'epoch_millis' },
          share: { type: 'double' },
          flag: { type: 'boolean' },
        },
      },
    });
    for (const [i, document] of DOCUMENTS.entries()) {
      const source = json(document);
      await real.backend.write({ op: 'index', index, id: `d${i}`, source }, { refresh: 'false' });
    }
    const source = json({ other: 1 });
    await real.backend.write({ op: 'index', index, id: 'none', source }, { refresh: 'false' });
    await real.backend.refresh(index, {});
  }
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const ALL = { query: { match_all: {} }, size: 100 };

async function rows(request: ColumnsRequest): Promise<{ total: number; rows: ColumnValue[][] }> {
  const { total, hits, columns } = await real.backend.columns(request);
  const rowOf = (hit: number): ColumnValue[] => columns.map((column) => column(hit));
  return { total, rows: Array.from({ length: hits }, (_, hit) => rowOf(hit)) };
}

describe.each(['s1', 's3'])('columns of %s', (index) => {
  test('come in the order of the first ones, with null for what is missing', async () => {
    const columns = [{ n: 'desc' }, '_id', 'word', 'at', 'share', 'flag'];
    const found = await rows({ ...ALL, index, columns });
    const expected = DOCUMENTS.map(({ n, word, at, share, flag }) => [
      n,
      `d${n}`,
      word,
      at,
      share,
      flag,
    ]).reverse();
    expect(found).toEqual({
      total: 26,
      rows: [...expected, [null, 'none', null, null, null, null]],
    });
  });

  test('come page by page', async () => {
    const seen: ColumnValue[] = [];
    let after: readonly [ColumnValue] | undefined;
    for (;;) {
      const request = { query: { term: { flag: true } }, columns: ['n'], size: 4, index };
      const page = await rows({ ...request, ...(after === undefined ? {} : { after }) });
      expect(page.total).toBe(13);
      seen.push(...page.rows.map(([n]) => n ?? null));
      if (page.rows.length < 4) break;
      after = [seen.at(-1) ?? null];
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, i) => 2 * i));
  });

  test('hold the scores of further queries, which neither select nor order', async () => {
    const scored = (field: string, value: Json, boost: number) => ({
      constant_score: { filter: { term: { [field]: value } }, boost },
    });
    const scores = [scored('flag', true, 2), scored('n', 23, 3), { match_none: {} }];
    const query = { range: { n: { gte: 21 } } };
    const found = await rows({ index, query, columns: [{ n: 'desc' }], scores, size: 3 });
    expect(found).toEqual({
      total: 4,
      rows: [
        [24, 2, null, null],
        [23, null, 3, null],
        [22, 2, null, null],
      ],
    });
  });

  test('come best first, without a count where none is needed', async () => {
    const query = { bool: { should: [{ term: { flag: true } }, { range: { n: { gte: 23 } } }] } };
    const request = { index, query, columns: ['_score', '_doc', '_id'], size: 1 };
    const found = await rows({ ...request, counted: false });
    expect(found.rows.map(([, , id]) => id)).toEqual(['d24']);
    expect(await rows(request)).toEqual({ total: 14, rows: found.rows });
  });

  test('are counted where none is read', async () => {
    expect(await rows({ ...ALL, size: 0, index, columns: ['n'] })).toEqual({ total: 26, rows: [] });
  });
});

test('what is wrong is refused', async () => {
  const request = { ...ALL, index: 's1', columns: ['n'] };
  await expect(rows({ ...request, index: 'none' })).rejects.toMatchObject({ status: 404 });
  await expect(rows({ ...request, query: { bad: {} } })).rejects.toMatchObject({ status: 400 });
  await expect(rows({ ...request, columns: ['nowhere'] })).rejects.toMatchObject({ status: 400 });
});
