// The searches that the form sends: one body for each way to search, all over the same fields,
// filters and facets.
import type { Field } from '../../data/mapping.js';
import { isFacet, isText } from '../../data/mapping.js';
import type { JsonObject } from '../../kit/json.js';

export type Mode = 'words' | 'semantic' | 'vector' | 'hybrid';

export const MODES: readonly { readonly value: Mode; readonly title: string }[] = [
  { value: 'words', title: 'Words' },
  { value: 'semantic', title: 'Meaning (semantic)' },
  { value: 'vector', title: 'Vector by example' },
  { value: 'hybrid', title: 'Hybrid' },
];

/** A value of a facet that hits must have. */
export interface Filter {
  readonly field: string;
  readonly value: string | number | boolean;
}

/**
 * A document to which others are compared: by its own vector, or by the text of a semantic_text field,
 * which is embedded again.
 */
export interface Example {
  readonly id: string;
  readonly field: string;
  readonly value: readonly number[] | string;
}

export interface Question {
  readonly text: string;
  readonly filters: readonly Filter[];
  readonly size: number;
  readonly example: Example | undefined;
}

export type SearchBody = { readonly [name: string]: unknown };

/** Marks of highlights, which texts hardly have; see marked.tsx. */
export const MARK_START = '⟪';
export const MARK_END = '⟫';
/** Two spellings of one type. */
const VECTORS = new Set(['dense_vector', 'knn_vector']);
const MOST_FACETS = 8;
const MOST_FIELDS = 40;

/**
 * Why the question cannot be asked in that way of these fields, undefined if it can.
 */
export function objectionTo(
  mode: Mode,
  question: Question,
  fields: readonly Field[],
): string | undefined {
  const hasMeaning = semanticField(fields) !== undefined;
  if (mode === 'semantic' && !hasMeaning) {
    return 'No field of these indexes is a semantic_text: map one, and its texts are embedded.';
  }
  if (mode === 'semantic' && question.text.trim() === '') return 'Type what you look for.';
  if (mode === 'vector' && question.example === undefined) {
    return exampleFields(fields).length === 0
      ? 'No field of these indexes is a dense_vector or a semantic_text.'
      : 'Choose an example: “Like this” at a hit, or the id of a document in the form.';
  }
  if (mode === 'hybrid' && question.text.trim() === '') return 'Type what you look for.';
  if (mode === 'hybrid' && !hasMeaning && question.example === undefined) {
    return 'Hybrid needs a field of type semantic_text, or an example for a dense_vector.';
  }
  return undefined;
}

/** The first field that is searched by meaning. */
export function semanticField(fields: readonly Field[]): Field | undefined {
  return fields.find(({ type, isSubfield }) => type === 'semantic_text' && !isSubfield);
}

/** Fields by which documents are compared. The vector of a semantic_text is in no source. */
export function exampleFields(fields: readonly Field[]): readonly Field[] {
  const companions = new Set(
    fields.filter(({ type }) => type === 'semantic_text').map(({ path }) => `${path}_vector`),
  );
  return fields.filter(
    ({ type, nested, path, isSubfield }) =>
      nested === undefined &&
      !isSubfield &&
      (type === 'semantic_text' || (VECTORS.has(type) && !companions.has(path))),
  );
}

export function facetFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(isFacet).slice(0, MOST_FACETS);
}

/** The question must be one to which objectionTo() has no objection. */
export function bodyOf(mode: Mode, question: Question, fields: readonly Field[]): SearchBody {
  const shown = textPaths(fields);
  return {
    query: queryOf(mode, question, fields),
    size: question.size,
    ...(shown.length === 0 || question.text.trim() === ''
      ? {}
      : {
          highlight: {
            pre_tags: [MARK_START],
            post_tags: [MARK_END],
            number_of_fragments: 2,
            fields: Object.fromEntries(shown.map((path) => [path, {}])),
          },
        }),
  };
}

/**
 * Counts the values of facets: among the documents that the words find, or among all documents that
 * pass the filters, since a ranking by vectors ends nowhere. Undefined if there is no facet.
 */
export function facetsBody(
  mode: Mode,
  question: Question,
  fields: readonly Field[],
): SearchBody | undefined {
  const facets = facetFields(fields);
  if (facets.length === 0) return undefined;
  const text = mode === 'words' ? question.text : '';
  return {
    size: 0,
    query: queryOf('words', { ...question, text }, fields),
    aggs: Object.fromEntries(
      facets.map(({ path }) => [path, { terms: { field: path, size: 10 } }]),
    ),
  };
}

function queryOf(mode: Mode, question: Question, fields: readonly Field[]): JsonObject {
  const filter = question.filters.map(({ field, value }) => ({ term: { [field]: value } }));
  if (mode === 'hybrid') {
    const second =
      question.example === undefined ? byMeaning(question, fields) : byExample(question, []);
    const queries = [{ query: byWords(question, fields) }, { query: second }];
    return { hybrid: { queries, ...(filter.length === 0 ? {} : { filter }) } };
  }
  if (mode === 'vector') return byExample(question, filter);
  const must = mode === 'semantic' ? byMeaning(question, fields) : byWords(question, fields);
  return filter.length === 0 ? must : { bool: { must: [must], filter } };
}

function byWords({ text }: Question, fields: readonly Field[]): JsonObject {
  if (text.trim() === '') return { match_all: {} };
  const paths = textPaths(fields);
  // Without a field of texts, whole values are compared.
  return {
    multi_match: { query: text, ...(paths.length === 0 ? { lenient: true } : { fields: paths }) },
  };
}

function byMeaning({ text }: Question, fields: readonly Field[]): JsonObject {
  return { semantic: { field: semanticField(fields)?.path ?? '', query: text } };
}

function byExample({ example, size }: Question, filter: readonly JsonObject[]): JsonObject {
  if (example === undefined) throw new Error('a search by example has one');
  const { field, value } = example;
  if (typeof value === 'string') {
    const semantic = { semantic: { field, query: value } };
    return filter.length === 0 ? semantic : { bool: { must: [semantic], filter } };
  }
  return {
    knn: {
      field,
      query_vector: value,
      k: Math.max(size, 10),
      ...(filter.length === 0 ? {} : { filter }),
    },
  };
}

function textPaths(fields: readonly Field[]): readonly string[] {
  return fields
    .filter((field) => isText(field) && !field.isSubfield && field.nested === undefined)
    .slice(0, MOST_FIELDS)
    .map(({ path }) => path);
}

/** Adds or removes a filter. */
export function toggled(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const others = filters.filter(
    ({ field, value }) => field !== filter.field || value !== filter.value,
  );
  return others.length === filters.length ? [...filters, filter] : others;
}
