import { describe, expect, test } from 'vitest';
import {
  candidatesOf,
  flatSettings,
  refusedComponent,
  refusedSetting,
  withoutComponent,
} from '../../src/migration/translation.ts';

describe('settings', () => {
  const flat = flatSettings({
    uuid: 'u',
    creation_date: '1',
    version: { created: '8' },
    routing: { allocation: { include: { _tier_preference: 'data_content' } } },
    number_of_shards: '3',
    mapping: { total_fields: { limit: '2000' } },
    codec: 'zstd',
    knn: 'true',
    'knn.algo_param': { ef_search: '100' },
    analysis: { analyzer: {} },
  });

  test('that belong to the index as it was are left out without a word', () => {
    expect([...flat]).toEqual([
      ['number_of_shards', '3'],
      ['mapping.total_fields.limit', '2000'],
      ['codec', 'zstd'],
      ['knn', 'true'],
      ['knn.algo_param.ef_search', '100'],
    ]);
  });

  test('are found in a reason with and without their prefix', () => {
    expect(refusedSetting(flat, 'unknown setting [index.codec]')).toBe('codec');
    expect(refusedSetting(flat, '[mapping.total_fields.limit] is too large')).toBe(
      'mapping.total_fields.limit',
    );
    expect(refusedSetting(flat, 'something else')).toBeUndefined();
  });
});

describe('analysis', () => {
  const analysis = {
    filter: { sound: { type: 'phonetic' } },
    tokenizer: { odd: { type: 'kuromoji_tokenizer' } },
    analyzer: {
      a: { type: 'custom', tokenizer: 'odd', filter: ['lowercase', 'sound'] },
      b: { type: 'nori' },
    },
  };

  test('loses the part that a reason names by its name or type', () => {
    const filter = refusedComponent(analysis, 'filter [sound] has an unknown type');
    expect(filter).toMatchObject({ kind: 'filter', name: 'sound' });
    expect(withoutComponent(analysis, { kind: 'filter', name: 'sound' })).toMatchObject({
      filter: {},
      analyzer: { a: { tokenizer: 'odd', filter: ['lowercase'] } },
    });
    const tokenizer = refusedComponent(analysis, 'unknown tokenizer [kuromoji_tokenizer]');
    expect(tokenizer).toMatchObject({ kind: 'tokenizer', name: 'odd' });
    expect(withoutComponent(analysis, { kind: 'tokenizer', name: 'odd' })).toMatchObject({
      tokenizer: {},
      analyzer: { a: { tokenizer: 'standard' } },
    });
    expect(withoutComponent(analysis, { kind: 'analyzer', name: 'b' })).toMatchObject({
      analyzer: { b: { type: 'standard' } },
    });
    expect(refusedComponent(analysis, 'nothing of it')).toBeUndefined();
  });
});

describe('fields', () => {
  test('of vectors are never compared in another space', () => {
    const definition = { type: 'knn_vector', dimension: 2, method: { space_type: 'linf' } };
    const definitions = candidatesOf(definition, '[space_type] [linf] is not supported').map(
      (one) => one.definition,
    );
    expect(definitions).toEqual([{ type: 'object', enabled: false }]);
  });

  test('that are refused lose what is named, then what is not essential, then their type', () => {
    const definition = { type: 'wildcard', ignore_above: 9, null_value: 'x', odd: true };
    const definitions = candidatesOf(definition, 'unknown parameter [odd]').map(
      (one) => one.definition,
    );
    expect(definitions).toEqual([
      { type: 'wildcard', ignore_above: 9, null_value: 'x' },
      { type: 'wildcard' },
      { type: 'keyword' },
      { type: 'object', enabled: false },
    ]);
  });
});
