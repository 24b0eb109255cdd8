// The requests of the Search page, their form as a command, and completion in the editor.
import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../src/console/app/data/mapping.ts';
import { complete } from '../../src/console/app/pages/search/completion.ts';
import { curlOf } from '../../src/console/app/pages/search/curl.ts';
import {
  bodyOf,
  exampleFields,
  facetsBody,
  type Mode,
  objectionTo,
  type Question,
  toggled,
} from '../../src/console/app/pages/search/request.ts';

const FIELDS = fieldsOf({
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    body: { type: 'semantic_text' },
    body_vector: { type: 'dense_vector', dims: 512 },
    picture: { type: 'dense_vector', dims: 3 },
    kind: { type: 'keyword' },
    parts: { type: 'nested', properties: { kind: { type: 'keyword' } } },
  },
});
const QUESTION: Question = { text: 'old boats', filters: [], size: 10, example: undefined };
const FILTERED = { ...QUESTION, filters: [{ field: 'kind', value: 'log' }] };
const EXAMPLE = { id: '1', field: 'picture', value: [1, 2, 3] };
const FILTER = [{ term: { kind: 'log' } }];
const WORDS = { multi_match: { query: 'old boats', fields: ['title', 'body'] } };
const MEANING = { semantic: { field: 'body', query: 'old boats' } };

describe('the body of a search', () => {
  test.each<[Mode, Question, object]>([
    ['words', QUESTION, WORDS],
    ['words', { ...QUESTION, text: ' ' }, { match_all: {} }],
    ['words', FILTERED, { bool: { must: [WORDS], filter: FILTER } }],
    ['semantic', FILTERED, { bool: { must: [MEANING], filter: FILTER } }],
    [
      'vector',
      { ...FILTERED, example: EXAMPLE },
      { knn: { field: 'picture', query_vector: [1, 2, 3], k: 10, filter: FILTER } },
    ],
    [
      'vector',
      { ...QUESTION, example: { ...EXAMPLE, field: 'body', value: 'a text' } },
      { semantic: { field: 'body', query: 'a text' } },
    ],
    [
      'hybrid',
      FILTERED,
      { hybrid: { queries: [{ query: WORDS }, { query: MEANING }], filter: FILTER } },
    ],
  ])('by %s has the query of that way to search', (mode, question, query) => {
    expect(bodyOf(mode, question, FIELDS)).toMatchObject({ query, size: 10 });
  });

  test('compares whole values in all fields where no field has texts', () => {
    const fields = fieldsOf({ properties: { kind: { type: 'keyword' } } });
    expect(bodyOf('words', QUESTION, fields)).toMatchObject({
      query: { multi_match: { query: 'old boats', lenient: true } },
    });
  });

  test('counts facets among what words find, and among everything for a ranking by vectors', () => {
    expect(facetsBody('words', FILTERED, FIELDS)).toMatchObject({
      size: 0,
      query: { bool: { must: [WORDS], filter: FILTER } },
      aggs: { kind: { terms: { field: 'kind', size: 10 } } },
    });
    expect(facetsBody('hybrid', QUESTION, FIELDS)).toMatchObject({ query: { match_all: {} } });
    expect(facetsBody('words', QUESTION, [])).toBeUndefined();
  });
});

test('a question is refused for fields that cannot answer it, with what would', () => {
  const plain = fieldsOf({ properties: { kind: { type: 'keyword' } } });
  expect(objectionTo('words', QUESTION, plain)).toBeUndefined();
  expect(objectionTo('semantic', QUESTION, FIELDS)).toBeUndefined();
  expect(objectionTo('semantic', QUESTION, plain)).toContain('semantic_text');
  expect(objectionTo('vector', QUESTION, FIELDS)).toContain('Like this');
  expect(objectionTo('vector', { ...QUESTION, example: EXAMPLE }, FIELDS)).toBeUndefined();
  expect(objectionTo('hybrid', { ...QUESTION, text: '' }, FIELDS)).toContain('Type');
  expect(objectionTo('hybrid', QUESTION, plain)).toContain('Hybrid needs');
});

test('examples are of vectors of documents and of embedded texts, not of their companions', () => {
  expect(exampleFields(FIELDS).map(({ path }) => path)).toEqual(['body', 'picture']);
  const spelled = fieldsOf({ properties: { v: { type: 'knn_vector', dimension: 3 } } });
  expect(exampleFields(spelled).map(({ path }) => path)).toEqual(['v']);
});

test('a filter is set by the first click and unset by the second', () => {
  const [filter] = FILTERED.filters;
  if (filter === undefined) throw new Error('there is one');
  expect(toggled(toggled([], filter), filter)).toEqual([]);
  expect(toggled([filter], { field: 'kind', value: 'plan' })).toHaveLength(2);
});

describe('a search as a command', () => {
  test('keeps quotes from ending the argument', () => {
    const text = curlOf('http://h:1', '/a/_search', { q: "it's; $(rm) `x`" }, false);
    expect(text).toContain(`"it'\\''s; $(rm) \`x\`"`);
  });

  test('names a variable for the key, never the key', () => {
    expect(curlOf('http://h:1', '/_search', {}, true)).toContain('ApiKey $QUARRY_API_KEY');
    expect(curlOf('http://h:1', '/_search', {}, false)).not.toContain('authorization');
  });
});

describe('completion', () => {
  const names = (text: string): readonly string[] | undefined => {
    const caret = text.indexOf('|');
    const whole = text.replace('|', '');
    return complete(whole, caret, FIELDS)?.suggestions.map(({ text: name }) => name);
  };

  test.each([
    ['{"query": {"ti|', ['title', 'title.raw', 'timeout']],
    ['{"query": {"matc|"', ['match', 'match_all', 'match_phrase']],
    ['{"kin|', ['kind', 'parts.kind']],
  ])('of %s begins with what fits', (text, first) => {
    expect(names(text)?.slice(0, first.length)).toEqual(first);
  });

  test.each([
    ['{|'],
    ['{"a": 1|'],
    ['{"zzzzz|'],
    ['{"a": "x"|, '],
  ])('of %s offers nothing', (text) => {
    expect(names(text)).toBeUndefined();
  });

  test('replaces the whole name within the quotes', () => {
    expect(complete('{"tixx": 1}', 4, FIELDS)).toMatchObject({ from: 2, to: 6 });
    expect(complete('{"a\\"ti', 7, FIELDS)).toBeUndefined();
  });
});
