// Names of indexes and aliases: invalid ones, with the messages of Elasticsearch.
import { describe, expect, test } from 'vitest';
import { checkAliasName, checkIndexName } from '../../src/coordinator/catalog/index-names.ts';

describe('index names', () => {
  test.each([
    ['Upper', 'must be lowercase'],
    ['a b', 'must not contain the following characters'],
    ['a/b', 'must not contain the following characters'],
    ['a*', 'must not contain the following characters'],
    ['a,b', 'must not contain the following characters'],
    ['a\\b', 'must not contain the following characters'],
    ['a"b', 'must not contain the following characters'],
    ['a|b', 'must not contain the following characters'],
    ['a\u0000b', 'must not contain the following characters'],
    ['a\ud800b', 'must not contain the following characters'],
    ['a#b', "must not contain '#'"],
    ['a:b', "must not contain ':'"],
    ['_a', "must not start with '_', '-', or '+'"],
    ['-a', "must not start with '_', '-', or '+'"],
    ['+a', "must not start with '_', '-', or '+'"],
    ['.', "must not be '.' or '..'"],
    ['..', "must not be '.' or '..'"],
    ['', 'must not be empty'],
    ['é'.repeat(128), 'index name is too long, (256 > 255)'],
    ['<logs-{now/d}>', 'date math in index names is not supported'],
  ])('refuses [%s]', (name, why) => {
    expect(() => checkIndexName(name)).toThrowError(
      expect.objectContaining({
        type: 'invalid_index_name_exception',
        message: expect.stringContaining(`Invalid index name [${name}], ${why}`),
      }),
    );
  });

  test.each([
    'a',
    '.hidden',
    'logs-2024.01.01',
    'a_b-c+d',
    '日本語',
    'x'.repeat(255),
    '1',
  ])('takes [%s]', (name) => {
    expect(() => checkIndexName(name)).not.toThrow();
  });
});

describe('alias names', () => {
  test('may have capitals', () => {
    expect(() => checkAliasName('Current')).not.toThrow();
  });

  test.each(['_all', 'a*', '', '_x', 'a b'])('refuses [%s]', (name) => {
    expect(() => checkAliasName(name)).toThrowError(
      expect.objectContaining({ type: 'invalid_alias_name_exception' }),
    );
  });
});
