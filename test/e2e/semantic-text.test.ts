// semantic_text over real HTTP: mappings, stored values, and that its vectors are equal to those of
// embedding each text from scratch, in memory, on disk, merged, updated and after a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAddon } from '../../src/native/addon.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const DIMS = 32;
const TOLERANCE = 1e-6;
const LONG = 240_000;

const addon = loadAddon();
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-test-'));
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text.slice(0, 500)).toBeLessThan(300);
  return reply.json;
}

const embed = (text: string): number[] => [...addon.embed([text], DIMS)];
const hasDirection = (text: string): boolean => embed(text).some((value) => value !== 0);

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const WORDS = 'river stone lamp forest train silver garden winter bridge copper window salt'.split(
  ' ',
);
/** Texts of one to 300 words, some with stop words only. */
function textOf(i: number): string {
  if (i % 11 === 0) return i % 2 === 0 ? '' : 'the of and';
  const length = i % 7 === 0 ? 300 : 1 + (i % 17);
  return Array.from({ length }, (_, j) => `${WORDS[(i * 5 + j * j) % 12]}${(i + j) % 9}`).join(' ');
}

const FIELD = { type: 'semantic_text', dims: DIMS };

const companion = (dims: number) => {
  return { type: 'dense_vector', dims, index: true, similarity: 'cosine' };
};

describe('mappings', () => {
  test('print embedder, dims and companions, and can be created from what was printed', async () => {
    const given = {
      body: { type: 'semantic_text' },
      note: { type: 'semantic_text', dims: 64, analyzer: 'english', copy_to: ['body'] },
      title: { type: 'text', fields: { meaning: { type: 'semantic_text' } } },
    };
    const built = { embedder: 'svc-lex-1', dims: 512 };
    await call('PUT', '/forms', { mappings: { properties: given } });
    const printed = (await call('GET', '/forms/_mapping')).forms.mappings;
    expect(printed).toEqual({
      properties: {
        body: { type: 'semantic_text', ...built },
        body_vector: companion(512),
        note: { ...given.note, embedder: 'svc-lex-1' },
        note_vector: companion(64),
        title: {
          type: 'text',
          fields: { meaning: { type: 'semantic_text', ...built }, meaning_vector: companion(512) },
        },
      },
    });
    await call('PUT', '/again', { mappings: printed });
    expect((await call('GET', '/again/_mapping')).again.mappings).toEqual(printed);
    await call('PUT', '/forms/_mapping', printed);
    await call('PUT', '/forms/_mapping', { properties: { body: { type: 'semantic_text' } } });
    expect((await call('GET', '/forms/_mapping')).forms.mappings).toEqual(printed);
    const field = await call('GET', '/forms/_mapping/field/*');
    expect(Object.keys(field.forms.mappings).sort()).toEqual([
      'body',
      'body_vector',
      'note',
      'note_vector',
      'title',
      'title.meaning',
      'title.meaning_vector',
    ]);
  });

  test('name the second recipe of the built-in embedder, in which a Han character finds itself', async () => {
    const of = (embedder: object) => ({
      mappings: { properties: { t: { type: 'semantic_text', dims: 1024, ...embedder } } },
    });
    await call('PUT', '/first', of({}));
    await call('PUT', '/second', of({ inference_id: 'svc-lex-2' }));
    const shown = (await call('GET', '/second/_mapping')).second.mappings;
    expect(shown.properties.t).toMatchObject({ embedder: 'svc-lex-2', dims: 1024 });
    await call('PUT', '/second-again', { mappings: shown });
    expect((await call('GET', '/second-again/_mapping'))['second-again'].mappings).toEqual(shown);
    const texts = ['王芳总是点绿茶', '李娜在看电影', '佐藤さんは会長だ', 'rivers and bridges'];
    const found = async (name: string, query: string) => {
      const body = { query: { semantic: { field: 't', query, k: 1 } }, explain: true };
      return (await call('POST', `/${name}/_search`, body)).hits.hits;
    };
    for (const name of ['first', 'second']) {
      for (const [i, t] of texts.entries()) await call('PUT', `/${name}/_doc/${i}`, { t });
      await call('POST', `/${name}/_refresh`);
    }
    const [hit] = await found('second', '他点的是茶');
    expect(hit._id).toBe('0');
    expect(JSON.stringify(hit._explanation)).toContain('weight of [茶]');
    expect(hit._score).toBeGreaterThan(0.6);
    expect((await found('first', '他点的是茶'))[0]._score).toBeLessThan(0.55);
    const latin = await Promise.all(['first', 'second'].map((name) => found(name, 'a bridge')));
    expect(latin[1]?.[0]._score).toBe(latin[0]?.[0]._score);
  });

  test('may come from dynamic templates', async () => {
    const template = { texts: { match: '*_text', mapping: FIELD } };
    await call('PUT', '/grown', { mappings: { dynamic_templates: [template] } });
    await call('PUT', '/grown/_doc/1?refresh=true', { a_text: 'silver bridge', other: 'x' });
    const { properties } = (await call('GET', '/grown/_mapping')).grown.mappings;
    expect(properties.a_text).toEqual({ ...FIELD, embedder: 'svc-lex-1' });
    expect(Object.keys(properties)).toEqual(['a_text', 'a_text_vector', 'other']);
    expect(properties.a_text_vector).toMatchObject({ type: 'dense_vector', dims: FIELD.dims });
    // The printed mapping creates an equal index.
    const again = await call('PUT', '/grown-again', { mappings: { properties } });
    expect(again.acknowledged).toBe(true);
    expect((await call('GET', '/grown-again/_mapping'))['grown-again'].mappings.properties).toEqual(
      properties,
    );
    const body = { query: { exists: { field: 'a_text_vector' } } };
    expect((await call('POST', '/grown/_search', body)).hits.total.value).toBe(1);
  });
});

describe('documents', () => {
  const texts = new Map<string, string>();

  beforeAll(async () => {
    await call('PUT', '/docs', {
      settings: { number_of_shards: 2 },
      mappings: { properties: { body: FIELD, tag: { type: 'keyword' } } },
    });
    const lines: string[] = [];
    for (let i = 0; i < 120; i++) {
      texts.set(`d${i}`, textOf(i));
      lines.push(JSON.stringify({ index: { _id: `d${i}` } }));
      lines.push(JSON.stringify({ body: textOf(i), tag: `t${i % 3}` }));
    }
    await bulk(server, '/docs/_bulk', lines);
    for (let i = 200; i < 220; i++) {
      const { _id } = await call('POST', '/docs/_doc', { body: textOf(i) });
      texts.set(_id, textOf(i));
    }
    const unnamed = [{ create: {} }, { body: textOf(220) }].map((line) => JSON.stringify(line));
    const reply = await server.call('POST', '/docs/_bulk', `${unnamed.join('\n')}\n`, {
      'content-type': 'application/x-ndjson',
    });
    texts.set(reply.json.items[0].create._id, textOf(220));
  }, LONG);

  /** Compares all observable properties of the vectors with embedding from scratch. */
  async function expectVectors(): Promise<void> {
    await call('POST', '/docs/_refresh');
    const withVectors = [...texts].filter(([, text]) => hasDirection(text));
    const exists = { query: { exists: { field: 'body_vector' } }, size: 500, _source: false };
    const present = (await call('POST', '/docs/_search', exists)).hits.hits;
    expect(present.map((hit: { _id: string }) => hit._id).sort()).toEqual(
      withVectors.map(([id]) => id).sort(),
    );
    for (const text of ['silver3 bridge1', textOf(14), textOf(203)]) {
      const query_vector = embed(text);
      const { hits } = await call('POST', '/docs/_search', {
        knn: { field: 'body_vector', query_vector, k: 200, num_candidates: 500 },
        size: 200,
      });
      expect(hits.hits.length).toBe(withVectors.length);
      for (const hit of hits.hits) {
        const score = (1 + cosine(query_vector, embed(texts.get(hit._id) ?? ''))) / 2;
        expect(Math.abs(hit._score - score)).toBeLessThan(TOLERANCE);
        expect(Object.keys(hit._source)).not.toContain('body_vector');
      }
    }
  }

  test(
    'have the vectors of their texts in memory, on disk and merged',
    async () => {
      await expectVectors();
      await call('POST', '/docs/_flush');
      await expectVectors();
      await call('POST', '/docs/_forcemerge?max_num_segments=1');
      await expectVectors();
    },
    LONG,
  );

  test(
    'have those of their new texts after updates and deletes',
    async () => {
      for (let i = 1; i < 30; i += 3) {
        texts.set(`d${i}`, textOf(i + 500));
        await call('POST', `/docs/_update/d${i}`, { doc: { body: textOf(i + 500) } });
        await call('POST', `/docs/_update/d${i + 1}`, { doc: { tag: 'new' } });
        await call('DELETE', `/docs/_doc/d${i + 2}`);
        texts.delete(`d${i + 2}`);
      }
      await expectVectors();
      await call('POST', '/docs/_forcemerge?max_num_segments=1');
      await expectVectors();
    },
    LONG,
  );

  test(
    'have them after a restart, replayed or not',
    async () => {
      texts.set('late', 'copper window at the river');
      await call('PUT', '/docs/_doc/late', { body: texts.get('late') });
      await server.kill('SIGKILL');
      server = await startServer({ dataDir });
      await expectVectors();
      await server.stop();
      server = await startServer({ dataDir });
      await expectVectors();
    },
    LONG,
  );

  test('show them by exact name only', async () => {
    const requested = async (body: object) =>
      (await call('POST', '/docs/_search', { query: { ids: { values: ['late'] } }, ...body })).hits
        .hits[0];
    const shown = (await requested({ _source: ['body_vector'] }))._source;
    expect(Object.keys(shown)).toEqual(['body_vector']);
    expect(cosine(shown.body_vector, embed('copper window at the river'))).toBeCloseTo(1, 6);
    expect(
      (await requested({ fields: ['body_vector'], _source: false })).fields.body_vector,
    ).toEqual(shown.body_vector);
    expect((await requested({ _source: ['*_vector'] }))._source).toEqual({});
    expect(Object.keys((await requested({ fields: ['*'] })).fields)).toEqual(['body']);
    const got = await call('GET', '/docs/_doc/late?_source_includes=body,body_vector');
    expect(got._source).toEqual({ body: texts.get('late'), ...shown });
    const excluded = { includes: ['body*', 'body_vector'], excludes: ['*_vector'] };
    expect(Object.keys((await requested({ _source: excluded }))._source)).toEqual(['body']);
    const whole = await call('GET', '/docs/_doc/late');
    expect(whole._source).toEqual({ body: texts.get('late') });
  });

  test('are found by their words as those of a text field', async () => {
    const found = async (query: object) =>
      (await call('POST', '/docs/_search', { query, size: 200 })).hits.hits.map(
        (hit: { _id: string }) => hit._id,
      );
    expect(await found({ match: { body: 'copper window' } })).toContain('late');
    expect(await found({ match_phrase: { body: 'window at the river' } })).toEqual(['late']);
    expect(await found({ multi_match: { query: 'copper window at' } })).toContain('late');
    expect(await found({ query_string: { query: 'copper AND window AND at' } })).toEqual(['late']);
    expect(await found({ prefix: { body: 'windo' } })).toContain('late');
  });
});
