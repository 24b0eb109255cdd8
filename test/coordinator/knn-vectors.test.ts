// knn_vector fields as the engine takes them, and as clients see them again.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { withKnnVectors, withoutKnnVectors } from '../../src/coordinator/catalog/knn-vectors.ts';

const of = (definition: JsonObject): JsonObject => ({
  properties: { v: { type: 'knn_vector', ...definition } },
});
/** The field as the engine takes it. */
function dense(definition: JsonObject): JsonObject {
  const { v } = withoutKnnVectors(of(definition))['properties'] as { v: JsonObject };
  return v;
}
/** Characters that compress badly. */
const RANDOM = Array.from({ length: 8 }, (_, i) =>
  createHash('sha256').update(String(i)).digest('hex'),
).join('');
const LANGCHAIN = {
  dimension: 384,
  method: {
    name: 'hnsw',
    space_type: 'l2',
    engine: 'nmslib',
    parameters: { ef_construction: 512, m: 16 },
  },
};

describe('for the engine', () => {
  test.each<[JsonObject, JsonObject]>([
    [{ dimension: 3 }, { dims: 3, similarity: 'l2_norm', index_options: { type: 'hnsw' } }],
    [
      LANGCHAIN,
      {
        dims: 384,
        similarity: 'l2_norm',
        index_options: { type: 'hnsw', m: 16, ef_construction: 512 },
      },
    ],
    [
      { dimension: '3', space_type: 'cosinesimil' },
      { dims: '3', similarity: 'cosine' },
    ],
    [
      { dimension: 3, data_type: 'BYTE', space_type: 'innerproduct' },
      { element_type: 'byte', similarity: 'max_inner_product' },
    ],
    [
      { dimension: 3, space_type: 'l2', method: { name: 'flat', space_type: 'l2' } },
      { similarity: 'l2_norm', index_options: { type: 'flat' } },
    ],
    // Wider than any graph here.
    [
      { dimension: 3, method: { name: 'hnsw', parameters: { m: 600, ef_construction: '5000' } } },
      { index_options: { type: 'hnsw', m: 512, ef_construction: 3200 } },
    ],
  ])('%j is a dense_vector', (given, wanted) => {
    expect(dense(given)).toMatchObject({ type: 'dense_vector', ...wanted });
  });

  test.each<[JsonObject, RegExp]>([
    [{}, /\[v\] needs a \[dimension\]/],
    [{ dimension: 0 }, /whole number of at least \[1\] for \[dimension\], got \[0\]/],
    [{ dimension: 2.5 }, /\[dimension\], got \[2.5\]/],
    [{ dimension: null }, /\[dimension\], got \[null\]/],
    [{ dimension: 3, dims: 3 }, /does not support \[dims\], known are type, dimension/],
    [{ model_id: 'm' }, /\[model_id\].*give a \[dimension\]/],
    [{ dimension: 3, space_type: 'l1' }, /\[space_type\] \[l1\].*use \[l2\] or \[cosinesimil\] or/],
    [{ dimension: 3, space_type: 'linf' }, /\[linf\]/],
    [{ dimension: 3, space_type: 'hamming' }, /\[hamming\]/],
    [{ dimension: 3, space_type: null }, /\[space_type\] \[null\]/],
    [{ dimension: 8, data_type: 'binary' }, /\[data_type\] \[binary\].*use \[float\] or \[byte\]/],
    [{ dimension: 3, mode: 'fast' }, /\[mode\] \[fast\].*use \[in_memory\] or/],
    [{ dimension: 3, compression_level: '64x' }, /\[compression_level\] \[64x\]/],
    [{ dimension: 3, store: true }, /\[store\] \[true\]: leave it out/],
    [{ dimension: 3, index: 'no' }, /\[index\] \[no\]/],
    [{ dimension: 3, meta: 'm' }, /needs an object for \[meta\]/],
    [{ dimension: 3, meta: { knn_vector: 'x' } }, /\[meta\] of the name \[knn_vector\]/],
    [
      { dimension: 3, meta: { a: '', b: '', c: '', d: '', e: '' } },
      /\[5\] entries of \[meta\]: \[4\] fit/,
    ],
    [{ dimension: 3, method: 'hnsw' }, /needs an object for \[method\], got \[hnsw\]/],
    [{ dimension: 3, method: {} }, /needs a \[name\] in its \[method\]/],
    [{ dimension: 3, method: { name: 'ivf' } }, /\[ivf\].*trained model: use \[hnsw\]/],
    [{ dimension: 3, method: { name: 'HNSW' } }, /\[method.name\] \[HNSW\]/],
    [
      { dimension: 3, method: { name: 'hnsw', engine: 'jvector' } },
      /\[method.engine\] \[jvector\]/,
    ],
    [{ dimension: 3, method: { name: 'hnsw', m: 16 } }, /does not support \[method.m\]/],
    [
      { dimension: 3, space_type: 'l2', method: { name: 'hnsw', space_type: 'cosinesimil' } },
      /\[l2\] and, in its \[method\], \[cosinesimil\]: give one/,
    ],
    [{ dimension: 3, method: { name: 'hnsw', parameters: { M: 1 } } }, /\[method.parameters.M\]/],
    [{ dimension: 3, method: { name: 'hnsw', parameters: { m: 1 } } }, /at least \[2\].*got \[1\]/],
    [{ dimension: 3, method: { name: 'hnsw', parameters: { m: [2] } } }, /an object or a list/],
    [
      { dimension: 3, method: { name: 'hnsw', parameters: { encoder: { name: 'pq' } } } },
      /\[pq\].*trained model: use \[sq\]/,
    ],
    [
      { dimension: 3, method: { name: 'hnsw', parameters: { encoder: { name: 'zip' } } } },
      /\[method.parameters.encoder.name\] \[zip\]/,
    ],
    [
      {
        dimension: 3,
        method: {
          name: 'hnsw',
          parameters: { encoder: { name: 'sq', parameters: { type: RANDOM } } },
        },
      },
      /a definition that is too long: leave out \[encoder\]/,
    ],
    [
      {
        dimension: 3,
        method: {
          name: 'hnsw',
          parameters: { encoder: { name: 'sq', parameters: { type: { a: 1 } } } },
        },
      },
      /plain value for \[method.parameters.encoder.parameters.type\]/,
    ],
  ])('%j is refused by name', (given, reason) => {
    expect(() => dense(given)).toThrow(reason);
  });
});

describe('for clients', () => {
  test.each<[JsonObject]>([
    [{ dimension: 3 }],
    [LANGCHAIN],
    [{ dimension: 3, index: true, doc_values: false, store: false, mode: null }],
    [{ dimension: 768, mode: 'on_disk', compression_level: '32x', space_type: 'innerproduct' }],
    [{ ...LANGCHAIN, meta: { model: 'm', by: '{name}' } }],
    [
      {
        data_type: 'float',
        mode: 'on_disk',
        compression_level: '16x',
        space_type: 'cosinesimil',
        doc_values: false,
        index: true,
        store: false,
        dimension: 1536,
        method: {
          parameters: {
            encoder: {
              parameters: {
                type: 'fp16',
                confidence_interval: 0.123456789012,
                enable_adc: true,
                bits: 7,
                clip: true,
              },
              name: 'sq',
            },
            ef_search: 217,
            ef_construction: 333,
            m: 77,
          },
          engine: 'faiss',
          space_type: 'cosinesimil',
          name: 'hnsw',
        },
      },
    ],
  ])('%j is shown as it was sent', (definition) => {
    const shown = withKnnVectors(withoutKnnVectors(of(definition)));
    expect(shown).toEqual(of(definition));
    expect(withoutKnnVectors(shown)).toEqual(withoutKnnVectors(of(definition)));
  });

  test('also deep inside and in dynamic templates, beside other fields', () => {
    const v = { type: 'knn_vector', dimension: 2, space_type: 'innerproduct' };
    const mappings = {
      dynamic_templates: [{ vectors: { match: '*_v', mapping: v } }],
      properties: {
        t: { type: 'text' },
        d: { type: 'dense_vector', dims: 3, meta: { a: 'b' } },
        o: { properties: { v }, type: 'nested' },
      },
    };
    const taken = withoutKnnVectors(mappings);
    expect(JSON.stringify(taken)).not.toContain('"type":"knn_vector"');
    expect(withKnnVectors(taken)).toEqual(mappings);
    expect(() =>
      withoutKnnVectors({ dynamic_templates: [{ bad: { mapping: { type: 'knn_vector' } } }] }),
    ).toThrow(/\[dynamic_templates\.bad\] needs a \[dimension\]/);
  });

  // Data folders have these texts, which are to be read for ever.
  test.each<[string, JsonObject]>([
    ['Q7HWuBYA', { dimension: 3 }],
    ['q8YwlQxD4OFDIDRgHjY0q62tBQA=', LANGCHAIN],
    ['q8awheiEWQsA', { dimension: 768, mode: 'on_disk', compression_level: '32x' }],
  ])('from the text [%s] that an earlier version wrote', (text, definition) => {
    const stored = { ...dense(definition), meta: { knn_vector: text } };
    expect(withKnnVectors({ properties: { v: stored } })).toEqual(of(definition));
  });

  test.each([
    ['x'],
    ['AAAA'],
    [Buffer.from('{}').toString('base64')],
  ])('an entry [%s] of somebody else stays', (text) => {
    const mappings = {
      properties: { v: { type: 'dense_vector', dims: 3, meta: { knn_vector: text } } },
    };
    expect(withKnnVectors(mappings)).toBe(mappings);
  });

  test('mappings without any are the same objects', () => {
    const mappings = { properties: { d: { type: 'dense_vector', dims: 3 } } };
    expect(withKnnVectors(mappings)).toBe(mappings);
    expect(withoutKnnVectors(mappings)).toBe(mappings);
  });
});
