// Data folders written by earlier versions, golden/segments/v<n>: the engine opens each and returns
// the same results. A new format version gets its own folder: raise WRITTEN and run this file with
// WRITE_GOLDEN=1. The folders of older versions stay unchanged.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import {
  extendLog,
  linesOf,
  noteOf,
  ORDERS,
  PACKED,
  PATHS,
  packedSource,
  pathOf,
  SIXTHS,
  sixthOf,
  sourceOf,
  UUIDS,
  uuidOf,
  writeDataFolder,
} from './segments/small-index.ts';

const WRITTEN = 'v8';
/** Versions without packed sources. */
const UNPACKED = ['v1', 'v2', 'v3'];
/** Versions without wildcard fields; those of v5 have no grams. */
const UNWILD = [...UNPACKED, 'v4'];
/** Versions without ids of 16 bytes. */
const UNTYPED_IDS = [...UNWILD, 'v5', 'v6'];
/** Versions without nested documents. */
const UNNESTED = [...UNTYPED_IDS, 'v7'];
/** Versions whose log files may have any length. */
const UNSIZED = ['v1', 'v2'];

const folder = fileURLToPath(new URL('./segments', import.meta.url));
if (process.env['WRITE_GOLDEN'] !== undefined) await writeDataFolder(join(folder, WRITTEN));
const versions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** By the distance of the points (n, -n) to (14, -14). */
const nearest = (a: number, b: number): number => Math.abs(a - 14) - Math.abs(b - 14);
const LIVE = [1, 4, 6, 7, 8, 9, 10, 11, 13, 14];

describe.each(versions)('a data folder of %s', (version) => {
  let server: TestServer;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'quarry-golden-'));
    cpSync(join(folder, version), dataDir, { recursive: true });
    if (!UNSIZED.includes(version)) extendLog(join(dataDir, 'wal'));
    server = await startServer({ dataDir });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const found = async (query: object, more: object = {}): Promise<readonly number[]> => {
    const body = { query, size: 100, sort: [{ at: 'asc' }], ...more };
    const reply = await server.call('POST', '/things/_search', body);
    expect(reply.json?.hits, reply.text).toBeDefined();
    return reply.json.hits.hits.map((hit: { _id: string }) => Number(hit._id));
  };

  test('has every live document, and no other', async () => {
    expect(await found({ match_all: {} })).toEqual(LIVE);
    expect((await server.call('GET', '/things/_count')).json.count).toBe(LIVE.length);
    for (const gone of [2, 3, 5, 12]) {
      expect((await server.call('GET', `/things/_doc/${gone}`)).status).toBe(404);
    }
  });

  test.each<[string, object, readonly number[]]>([
    ['text', { match: { title: 'hand' } }, LIVE],
    ['text', { match: { title: '8' } }, [8]],
    ['text, its positions', { match_phrase: { body: 'word9 word10 end' } }, [11]],
    ['text, a custom analyzer', { term: { body: 'naive' } }, LIVE],
    ['text, copied to', { match: { all: { query: 't1 word12', operator: 'and' } } }, [13]],
    ['keyword, a sub-field', { term: { 'title.raw': 'Hands of number 9' } }, [9]],
    ['keyword', { term: { tag: 't0' } }, [6, 9]],
    ['alias', { terms: { label: ['t2'] } }, [8, 11, 14]],
    ['long', { range: { long: { gt: 1_000_000_000_000 } } }, [11, 13, 14]],
    ['integer', { range: { integer: { gte: 6, lte: 8 } } }, [6, 8]],
    ['short, a null value', { term: { short: -1 } }, [6]],
    ['byte', { range: { byte: { lt: -10 } } }, [11, 13, 14]],
    ['double', { term: { double: 7.5 } }, [7]],
    ['float', { range: { float: { lt: 0.45 } } }, [1, 4]],
    ['half_float', { term: { half: 10.25 } }, [10]],
    ['scaled_float', { term: { scaled: 4.99 } }, [4]],
    ['unsigned_long', { range: { unsigned: { gte: '18446744073709551611' } } }, [11, 13, 14]],
    ['boolean', { term: { flag: false } }, [1, 7, 9, 11, 13]],
    ['date', { range: { at: { gte: '2026-01-10', lt: '2026-01-13' } } }, [10, 11]],
    ['ip', { term: { ip: '10.0.0.8/29' } }, [8, 9, 10, 11, 13, 14]],
    ['object', { prefix: { 'place.city': 'c1' } }, [1, 10, 11, 13, 14]],
    ['binary', { exists: { field: 'blob' } }, LIVE],
    ['flattened', { term: { 'flat.k.n': 'v6' } }, [6]],
    ['geo_point', { exists: { field: 'point' } }, LIVE],
    ['geo_point', { geo_distance: { distance: '150km', point: { lat: 8, lon: -9 } } }, [8, 9]],
    [
      'geo_point',
      { geo_bounding_box: { point: { top: 10, left: -10, bottom: 9, right: -8 } } },
      [9, 10],
    ],
    ['dynamic', { term: { extra: 8 } }, [8]],
    ['known to the log alone', { match: { late: 'alone' } }, [6]],
    ['ignored values', { term: { _ignored: 'integer' } }, [7]],
    ['routing', { term: { _routing: 'elsewhere' } }, [13]],
    ['ids', { ids: { values: ['1', '2', '14'] } }, [1, 14]],
  ])('%s %j', async (_type, query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  test('sorts by the distance to points, and merges segments with and without their column', async () => {
    const from = { sort: [{ _geo_distance: { point: '14,-14', unit: 'km' } }] };
    expect(await found({ match_all: {} }, from)).toEqual(LIVE.toReversed());
    const added = await server.call('PUT', '/things/_doc/20?refresh=true', { point: '20,-20' });
    expect(added.status).toBe(201);
    const merged = await server.call('POST', '/things/_forcemerge?max_num_segments=1');
    expect(merged.status).toBe(200);
    expect(await found({ match_all: {} }, from)).toEqual([...LIVE, 20].toReversed().sort(nearest));
    expect(await found({ exists: { field: 'point' } }, { sort: ['_doc'] })).toHaveLength(11);
    await server.call('DELETE', '/things/_doc/20?refresh=true');
  });

  test('sorts by columns and by length of texts', async () => {
    const numbers = ['long', 'double', 'float', 'half', 'scaled', 'unsigned', 'ip'];
    for (const field of numbers) {
      expect(await found({ match_all: {} }, { sort: [field] }), field).toEqual(LIVE);
    }
    expect(await found({ match_all: {} }, { sort: [{ byte: 'desc' }] })).toEqual(LIVE);
    expect(await found({ match: { body: 'end' } }, { sort: ['_score'] })).toEqual(LIVE);
    const byWord = { sort: ['place.city'] };
    const words = LIVE.map((n) => `c${n}`).sort();
    expect((await found({ match_all: {} }, byWord)).map((n) => `c${n}`)).toEqual(words);
  });

  test('gives back sources byte for byte, and values of columns', async () => {
    const source = await server.call('GET', '/things/_source/13?routing=elsewhere');
    expect(source.text).toBe(sourceOf(13));
    const reply = await server.call('POST', '/things/_search', {
      query: { ids: { values: ['9'] } },
      docvalue_fields: ['title.raw', 'tag', 'long', 'scaled', 'flag', 'at', 'ip', 'double'],
    });
    expect(reply.json.hits.hits[0].fields).toEqual({
      'title.raw': ['Hands of number 9'],
      tag: ['all', 't0'],
      long: [900000000000],
      scaled: [9.99],
      flag: [false],
      at: ['2026-01-09T00:00:00.000Z'],
      ip: ['10.0.0.9'],
      double: [9.5],
    });
  });

  test('keeps mappings, settings and aliases', async () => {
    const { things } = (await server.call('GET', '/things')).json;
    expect(Object.keys(things.mappings.properties)).toContain('late');
    expect(things.mappings.properties.scaled).toEqual({
      type: 'scaled_float',
      scaling_factor: 100,
    });
    expect(things.settings.index.number_of_shards).toBe('1');
    const shown = await server.call('POST', '/shown/_count');
    expect(shown.json.count).toBe(LIVE.filter((n) => n % 2 === 0).length);
  });

  test('keeps versions and numbers, and counts on', async () => {
    const changed = (await server.call('GET', '/things/_doc/4')).json;
    expect(changed).toMatchObject({ _version: 2, _source: { extra: 40, long: 4e11 } });
    const again = await server.call('PUT', '/things/_doc/4?refresh=true', { extra: 41 });
    expect(again.json).toMatchObject({ _version: 3, result: 'updated' });
    expect(again.json._seq_no).toBeGreaterThan(changed._seq_no);
    expect(await found({ term: { extra: 41 } }, { sort: ['_doc'] })).toEqual([4]);
  });

  test.runIf(version !== 'v1')('has the vectors of its texts, and finds by them', async () => {
    const texts = new Map([
      ['1', noteOf(1)],
      ['2', noteOf(2)],
      ['4', noteOf(6)],
      ['5', noteOf(5)],
    ]);
    const addon = loadAddon();
    for (const [id, text] of texts) {
      const path = `/meanings/_doc/${id}?_source_includes=note_vector`;
      const { note_vector } = (await server.call('GET', path)).json._source;
      expect(note_vector.length).toBe(8);
      for (const [i, value] of addon.embed([text], 8).entries())
        expect(Math.abs(note_vector[i] - value)).toBeLessThan(1e-6);
    }
    const body = { query: { exists: { field: 'note_vector' } }, sort: ['_doc'] };
    const { hits } = (await server.call('POST', '/meanings/_search', body)).json.hits;
    expect(hits.map((hit: { _id: string }) => hit._id)).toEqual(['1', '2', '4', '5']);
    const merged = await server.call('POST', '/meanings/_forcemerge?max_num_segments=1');
    expect(merged.status).toBe(200);
    const query = [...addon.embed([noteOf(5)], 8)];
    const knn = { field: 'note_vector', query_vector: query, k: 1 };
    const best = (await server.call('POST', '/meanings/_search', { knn })).json.hits.hits;
    expect(best.map((hit: { _id: string }) => hit._id)).toEqual(['5']);
  });

  test.skipIf(UNSIZED.includes(version))('has words of about one in six documents', async () => {
    const all = Array.from({ length: SIXTHS }, (_, n) => n);
    const ids = async (query: object): Promise<readonly number[]> => {
      const body = { query, size: SIXTHS, sort: ['_doc'], _source: false };
      const { hits } = (await server.call('POST', '/sixths/_search', body)).json.hits;
      return hits.map((hit: { _id: string }) => Number(hit._id));
    };
    const sixths = all.filter((n) => sixthOf(n) === 0);
    expect(await ids({ match: { words: 'rare' } })).toEqual(sixths);
    expect(await ids({ match_phrase: { words: 'common rare' } })).toEqual(sixths);
    for (const rest of [0, 1, 2, 3, 4, 5])
      expect(await ids({ term: { share: `of ${rest}` } })).toEqual(
        all.filter((n) => sixthOf(n) === rest),
      );
  });

  test.skipIf(UNWILD.includes(version))('finds paths by wildcards and regexps', async () => {
    const live = Array.from({ length: PATHS }, (_, n) => n).filter((n) => n !== 0 && n !== 7);
    const ids = async (query: object): Promise<readonly number[]> => {
      const body = { query, size: PATHS, sort: ['_doc'], _source: false };
      const { hits } = (await server.call('POST', '/paths/_search', body)).json.hits;
      return hits.map((hit: { _id: string }) => Number(hit._id));
    };
    const patterns: readonly (readonly [string, RegExp])[] = [
      ['*.err', /\.err$/],
      ['*-37?.*', /-37.\./],
      ['*ägl*', /ägl/],
      ['*logs/*1.err', /logs\/.*1\.err$/],
      ['/srv/d*3.txt', /^\/srv\/d.*3\.txt$/],
      ['*nowhere*', /nowhere/],
    ];
    for (const [path, expression] of patterns) {
      const expected = live.filter((n) => expression.test(pathOf(n)));
      expect(await ids({ wildcard: { path } }), path).toEqual(expected);
    }
    const errors = live.filter((n) => pathOf(n).endsWith('7.err'));
    expect(await ids({ regexp: { path: '.*7\\.err' } })).toEqual(errors);
    expect(await ids({ wildcard: { path: { value: '*7.ERR', case_insensitive: true } } })).toEqual(
      errors,
    );
  });

  test.skipIf(UNTYPED_IDS.includes(version))(
    'has ids that are UUIDs, and no other spelling',
    async () => {
      const capitals = uuidOf(0).toUpperCase();
      for (const n of [0, 1, UUIDS - 1, UUIDS]) {
        const reply = await server.call('GET', `/uuids/_doc/${uuidOf(n)}`);
        expect(reply.json).toMatchObject({ _id: uuidOf(n), _source: { n } });
      }
      expect((await server.call('GET', `/uuids/_doc/${capitals}`)).json._source.n).toBe(UUIDS + 1);
      for (const gone of [uuidOf(7), uuidOf(1).toUpperCase(), uuidOf(1).replaceAll('-', '')])
        expect((await server.call('GET', `/uuids/_doc/${gone}`)).status).toBe(404);
      const live = [...Array(UUIDS + 1).keys()].filter((n) => n !== 7);
      const expected = [...live.map(uuidOf), capitals].sort();
      const idsOf = async (body: object): Promise<readonly string[]> => {
        const all = { size: UUIDS + 2, _source: false, ...body };
        const { hits } = (await server.call('POST', '/uuids/_search', all)).json.hits;
        return hits.map((hit: { _id: string }) => hit._id);
      };
      expect([...(await idsOf({}))].sort()).toEqual(expected);
      expect(
        await idsOf({ query: { ids: { values: [uuidOf(3), capitals] } }, sort: ['n'] }),
      ).toEqual([uuidOf(3), capitals]);
      const changed = await server.call('PUT', `/uuids/_doc/${uuidOf(2)}?refresh=true`, { n: 2 });
      expect(changed.json).toMatchObject({ _version: 2, result: 'updated' });
      const merged = await server.call('POST', '/uuids/_forcemerge?max_num_segments=1');
      expect(merged.status).toBe(200);
      expect([...(await idsOf({}))].sort()).toEqual(expected);
    },
  );

  test.skipIf(UNNESTED.includes(version))(
    'has nested documents, before and after a merge',
    async () => {
      const live = [...Array(ORDERS + 1).keys()].filter((n) => n !== 3 && n !== 10);
      const ids = async (query: object): Promise<readonly number[]> => {
        const body = { query, size: ORDERS + 1, sort: ['n'], _source: false };
        const { hits } = (await server.call('POST', '/orders/_search', body)).json.hits;
        return hits.map((hit: { _id: string }) => Number(hit._id));
      };
      const nested = (path: string, query: object) => ({ nested: { path, query } });
      const check = async (): Promise<void> => {
        expect(await ids({ match_all: {} })).toEqual(live);
        expect(await ids(nested('lines', { term: { 'lines.sku': 's2' } }))).toEqual(
          live.filter((n) => linesOf(n).some(({ sku }) => sku === 's2')),
        );
        expect(await ids(nested('lines.notes', { term: { 'lines.notes.by': 'b1' } }))).toEqual(
          live.filter((n) => linesOf(n).some(({ notes }) => notes.some(({ by }) => by === 'b1'))),
        );
      };
      await check();
      const merged = await server.call('POST', '/orders/_forcemerge?max_num_segments=1');
      expect(merged.status).toBe(200);
      await check();
      const gone = await server.call('DELETE', '/orders/_doc/7?refresh=true');
      expect(gone.status).toBe(200);
      live.splice(live.indexOf(7), 1);
      await check();
    },
  );

  test.skipIf(UNPACKED.includes(version))('has packed sources, byte for byte', async () => {
    for (let n = 0; n < PACKED; n += 19) {
      const source = await server.call('GET', `/packed/_source/${n}`);
      expect(source.text).toBe(packedSource(n));
    }
    const body = { query: { term: { n: 7 } }, _source: ['few'] };
    const { hits } = (await server.call('POST', '/packed/_search', body)).json.hits;
    expect(hits.map((hit: { _source: object }) => hit._source)).toEqual([{ few: [7, 1] }]);
  });
});
