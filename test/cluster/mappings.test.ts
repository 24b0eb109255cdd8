import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import {
  fieldAt,
  fromClusterMappings,
  madeFields,
  mappingsToCheck,
  ownFields,
  toClusterMappings,
  vectorFields,
} from '../../src/cluster/cluster-mappings.ts';
import { sourceWithout } from '../../src/cluster/search.ts';

const ELASTIC = { kind: 'elasticsearch', version: '8.19.0' } as const;
const OPEN = { kind: 'opensearch', version: '2.19.0' } as const;
const OPEN_3 = { ...OPEN, version: '3.3.2' } as const;

describe('mappings', () => {
  const given: JsonObject = {
    dynamic: false,
    _meta: { mine: 1 },
    properties: {
      text: { type: 'semantic_text', analyzer: 'memory', dims: 64 },
      who: { type: 'text', analyzer: 'memory' },
      at: { type: 'date' },
      v: { type: 'dense_vector', dims: 3 },
      inner: { properties: { t: { type: 'semantic_text', embedder: 'svc-lex-2' } } },
    },
  };

  test('of ours become fields of the engine, and are shown as they were given', () => {
    const { mappings, hasWords } = toClusterMappings(given, ELASTIC, { hasId: true });
    expect(hasWords).toBe(true);
    const properties = mappings['properties'] as Record<string, JsonObject>;
    expect(properties['text']).toEqual({ type: 'text' });
    expect(properties['text_words']).toEqual({ type: 'text', analyzer: 'quarry_words' });
    expect(properties['text_vector']).toMatchObject({ type: 'dense_vector', dims: 64 });
    expect(properties['v']).toMatchObject({ dims: 3, index_options: { type: 'hnsw' } });
    expect(properties['svc_id']).toEqual({ type: 'keyword' });
    expect(fromClusterMappings(mappings)).toEqual(given);
    const vectors = madeFields(mappings).map(({ path, vector, words }) => [
      path,
      vector?.field,
      vector?.embedder,
      words?.field,
    ]);
    expect(vectors).toEqual([
      ['text', 'text_vector', 'svc-lex-1', 'text_words'],
      ['who', undefined, undefined, 'who_words'],
      ['inner.t', 'inner.t_vector', 'svc-lex-2', undefined],
    ]);
  });

  test('have vectors of the plugin in OpenSearch', () => {
    const { mappings } = toClusterMappings(given, OPEN, { hasId: false });
    expect(mappings).toMatchObject({
      properties: {
        text_vector: { type: 'knn_vector', dimension: 64, method: { space_type: 'cosinesimil' } },
        v: { type: 'knn_vector', dimension: 3 },
      },
    });
    expect(fromClusterMappings(mappings)).toEqual(given);
  });

  test('of knn_vector pass to OpenSearch, and are dense vectors in Elasticsearch', () => {
    const v = { type: 'knn_vector', dimension: 3, space_type: 'innerproduct', meta: { a: 'b' } };
    const vectors: JsonObject = { properties: { v, o: { properties: { v } } } };
    expect(toClusterMappings(vectors, OPEN, { hasId: false }).mappings).toEqual(vectors);
    const { mappings } = toClusterMappings(vectors, ELASTIC, { hasId: false });
    const dense = {
      type: 'dense_vector',
      dims: 3,
      similarity: 'max_inner_product',
      index_options: { type: 'hnsw' },
      meta: { a: 'b' },
    };
    expect(mappings['properties']).toEqual({ v: dense, o: { properties: { v: dense } } });
    expect(fromClusterMappings(mappings)).toEqual(vectors);
    const theirs = { properties: { v: { type: 'knn_vector', dimension: 8, data_type: 'binary' } } };
    expect(mappingsToCheck(theirs, OPEN)).toEqual({ properties: { v: { type: 'dense_vector' } } });
    expect(() => mappingsToCheck(theirs, ELASTIC)).toThrow(/\[data_type\] \[binary\]/);
    const template = { dynamic_templates: [{ s: { mapping: v } }] };
    expect(toClusterMappings(template, OPEN, { hasId: false }).mappings).toEqual(template);
    expect(() => toClusterMappings(template, ELASTIC, { hasId: false })).toThrow(/knn_vector/);
  });

  test('have nanoseconds where dynamic templates make the fields, and do not show how', () => {
    const nanos = { type: 'date_nanos' };
    const format = 'strict_date_optional_time_nanos||epoch_millis';
    const given = { dynamic_templates: [{ times: { match: '*_at', mapping: nanos } }] };
    const { mappings } = toClusterMappings(given, ELASTIC, { hasId: false });
    expect(mappings).toEqual({
      dynamic_templates: [{ times: { match: '*_at', mapping: { ...nanos, format } } }],
    });
    expect(fromClusterMappings(mappings)).toEqual(given);
    const made = { properties: { a_at: { ...nanos, format }, b_at: { ...nanos, format: 'yyyy' } } };
    expect(fromClusterMappings(made)).toEqual({
      properties: { a_at: nanos, b_at: { ...nanos, format: 'yyyy' } },
    });
  });

  test('keep vectors exact that the engine cannot quantize to bits', () => {
    const vector = { type: 'dense_vector', dims: 3, index_options: { type: 'bbq_hnsw' } };
    const long = { ...vector, dims: 64 };
    const bytes = { ...long, element_type: 'byte' };
    const given = { properties: { vector, long, bytes } };
    const { mappings } = toClusterMappings(given, ELASTIC, { hasId: false });
    expect(mappings['properties']).toEqual({
      vector: { ...vector, index: true, index_options: { type: 'hnsw' } },
      long,
      bytes: { ...bytes, index: true, index_options: { type: 'hnsw' } },
    });
    expect(fromClusterMappings(mappings)).toEqual(given);
  });

  test('score keywords by their words in OpenSearch 3, and do not show how', () => {
    const keyword = { type: 'keyword', ignore_above: 9 };
    const mapped: JsonObject = {
      dynamic_templates: [{ strings: { match_mapping_type: 'string', mapping: keyword } }],
      properties: {
        type: { type: 'keyword' },
        title: { type: 'text', fields: { whole: keyword } },
        inner: { type: 'nested', properties: { by: keyword } },
      },
    };
    expect(toClusterMappings(mapped, OPEN, { hasId: false }).mappings).toEqual(mapped);
    const { mappings } = toClusterMappings(mapped, OPEN_3, { hasId: false });
    const scored = { ...keyword, use_similarity: true };
    expect(mappings).toEqual({
      dynamic_templates: [{ strings: { match_mapping_type: 'string', mapping: scored } }],
      properties: {
        type: { type: 'keyword', use_similarity: true },
        title: { type: 'text', fields: { whole: scored } },
        inner: { type: 'nested', properties: { by: scored } },
      },
    });
    expect(fromClusterMappings(mappings)).toEqual(mapped);
    const other = { properties: { k: { type: 'keyword', use_similarity: false } } };
    expect(fromClusterMappings(other)).toEqual(other);
  });

  test('tell which fields hold vectors, which documents are shown without', () => {
    const { mappings } = toClusterMappings(given, OPEN, { hasId: false });
    const vectors = vectorFields(ownFields(mappings));
    expect(vectors).toEqual(['v']);
    expect(sourceWithout({ includes: ['*'], exclude: 'a' }, vectors)).toEqual({
      includes: ['*'],
      excludes: ['a', 'v'],
    });
  });

  test('tell of each field by its full name in which nested object it lies', () => {
    const vector = { type: 'dense_vector', dims: 2 };
    const deep = { type: 'nested', properties: { v: vector } };
    const mapped = {
      properties: { v: vector, a: { properties: { n: deep } }, n: { ...deep, type: 'object' } },
    };
    expect(fieldAt(mapped, 'v')).toEqual({ field: vector, nested: undefined });
    expect(fieldAt(mapped, 'a.n.v')).toEqual({ field: vector, nested: 'a.n' });
    expect(fieldAt(mapped, 'n.v')).toEqual({ field: vector, nested: undefined });
    expect([fieldAt(mapped, 'v.x'), fieldAt(mapped, 'w')]).toEqual([undefined, undefined]);
  });

  test('that would need fields beside a part of a document are refused by name', () => {
    const nested = {
      properties: { n: { type: 'nested', properties: { t: { type: 'semantic_text' } } } },
    };
    expect(() => toClusterMappings(nested, ELASTIC, { hasId: false })).toThrow(/n\.t.*nested/);
    const multi = { properties: { t: { type: 'text', fields: { m: { type: 'semantic_text' } } } } };
    expect(() => toClusterMappings(multi, ELASTIC, { hasId: false })).toThrow(/t\.m/);
    const template = { dynamic_templates: [{ s: { mapping: { type: 'semantic_text' } } }] };
    expect(() => toClusterMappings(template, ELASTIC, { hasId: false })).toThrow(
      /dynamic_templates/,
    );
  });
});
