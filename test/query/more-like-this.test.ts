// The parameters of `more_like_this`: their defaults, every form, and what is refused.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { readMoreLikeThis } from '../../src/query/more-like-this.ts';

const whole = { fields: ['a'], like: 'some words' };

test('the defaults are those of Elasticsearch', () => {
  expect(readMoreLikeThis({ like: 'some words' })).toEqual({
    fields: undefined,
    failOnUnsupportedField: true,
    like: { texts: ['some words'], documents: [] },
    unlike: { texts: [], documents: [] },
    analyzer: '',
    maxQueryTerms: 25,
    minTermFreq: 2,
    minDocFreq: 5,
    maxDocFreq: 2 ** 31 - 1,
    minWordLength: 0,
    maxWordLength: 0,
    stopWords: new Set(),
    minimumShouldMatch: '30%',
    boostTerms: 0,
    include: false,
    rest: {},
  });
});

test('texts and documents stand alone or in a list', () => {
  const item = {
    _index: 'i',
    _id: 7,
    routing: 'r',
    fields: ['a'],
    per_field_analyzer: { a: 'whitespace' },
    version: 3,
    version_type: 'EXTERNAL',
  };
  const { like, unlike, rest, stopWords } = readMoreLikeThis({
    ...whole,
    like: ['x', item, 5],
    unlike: { doc: { a: 'b' } },
    stop_words: ['the'],
    boost: 2,
    _name: 'n',
  });
  expect(like).toEqual({
    texts: ['x', '5'],
    documents: [
      {
        index: 'i',
        id: '7',
        doc: undefined,
        routing: 'r',
        fields: ['a'],
        analyzers: new Map([['a', 'whitespace']]),
        version: 3n,
        versionType: 'external',
      },
    ],
  });
  expect(unlike.documents).toMatchObject([{ doc: { a: 'b' }, id: undefined, index: undefined }]);
  expect(rest).toEqual({ boost: 2, _name: 'n' });
  expect(stopWords).toEqual(new Set(['the']));
});

describe('is refused', () => {
  test.each<[Json, string]>([
    [['a'], '[more_like_this] query malformed, no start_object after query name'],
    [{ fields: ['a'] }, "more_like_this requires 'like' to be specified"],
    [{ ...whole, like: [] }, "more_like_this requires 'like' to be specified"],
    [{ ...whole, fields: [] }, "more_like_this requires 'fields' to be non-empty"],
    [{ ...whole, fields: 'a' }, '[fields] must be a list of texts, found [VALUE_STRING]'],
    [{ ...whole, fields: [null] }, '[fields] must be a list of texts, found [VALUE_NULL] in it'],
    [{ ...whole, stop_words: 'a' }, '[stop_words] must be a list of texts'],
    [{ ...whole, like: null }, "Content of 'like' parameter should either be a string or an"],
    [{ ...whole, unlike: [['a']] }, "Content of 'unlike' parameter should either be a string"],
    [{ ...whole, like: {} }, 'of [like]: it needs either [_id] or [doc]'],
    [{ ...whole, like: { _id: 'a', doc: {} } }, 'of [like]: it needs either [_id] or [doc]'],
    [{ ...whole, like: { _id: '' } }, '[_id] must be a text, found []'],
    [{ ...whole, like: { _id: 'a', foo: 1 } }, 'of [like]: unknown field [foo]'],
    [{ ...whole, unlike: { doc: 'a' } }, 'of [unlike]: [doc] must be an object'],
    [{ ...whole, like: { _id: 'a', version: 'x' } }, '[version] must be a whole number'],
    [{ ...whole, like: { _id: 'a', version_type: 'x' } }, '[version_type] must be one of'],
    [{ ...whole, like: { _id: 'a', per_field_analyzer: 1 } }, '[per_field_analyzer] must be an'],
    [{ ...whole, max_query_terms: 0 }, 'requires [max_query_terms] to be at least 1, got [0]'],
    [{ ...whole, min_doc_freq: -1 }, 'requires [min_doc_freq] to be at least 0, got [-1]'],
    [{ ...whole, boost_terms: -1 }, 'requires [boost_terms] to be at least 0, got [-1]'],
    [{ ...whole, minimum_should_match: 'x' }, 'failed to parse [minimum_should_match]'],
    [{ ...whole, include: 'no' }, 'as only [true] or [false] are allowed'],
    [{ ...whole, analyzer: '' }, '[more_like_this] analyzer [] not found'],
    [{ ...whole, ids: ['a'] }, '[more_like_this] query does not support [ids]'],
    [
      { ...whole, like: Array(1001).fill('a') },
      '[like] and [unlike] of [more_like_this] has [1001] entries, more than [1000]',
    ],
    [{ ...whole, fields: Array(1025).fill('a') }, '[fields] of [more_like_this] has [1025]'],
    [{ ...whole, stop_words: Array(10_001).fill('a') }, '[stop_words] of [more_like_this] has'],
  ])('%j', (body, reason) => {
    expect(() => readMoreLikeThis(body)).toThrow(reason);
  });
});
