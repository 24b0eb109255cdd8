// `text_similarity_reranker`: the first hits of another retriever, put in order by a registered
// reranker. It is the outermost retriever of a search.
import type { Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { Params } from './params.js';
import { splitRetriever } from './retriever.js';
import { isArray, isObject, malformed } from './values.js';

export const TEXT_RERANKER = 'text_similarity_reranker';

export interface TextReranker {
  /** The search for the hits to rank; without a page of its own. */
  readonly body: JsonObject;
  readonly field: string;
  readonly inferenceId: string;
  readonly inferenceText: string;
  readonly window: number;
  /** Hits below it are left out. */
  readonly minScore: number;
  readonly from: number;
  readonly size: number;
}

const DEFAULT_WINDOW = 10;
const DEFAULT_SIZE = 10;

/** Undefined for a search with another retriever or none. Throws what is wrong with the options. */
export function readTextReranker(search: JsonObject): TextReranker | undefined {
  const chosen = search['retriever'];
  if (!isObject(chosen) || !(TEXT_RERANKER in chosen)) return undefined;
  const { retriever: _retriever, from, size, ...rest } = search;
  const { body } = splitRetriever(chosen);
  const params = new Params(TEXT_RERANKER, body, 'retriever');
  const inner = params.raw('retriever');
  const field = params.text('field');
  const inferenceId = params.text('inference_id');
  const inferenceText = params.text('inference_text');
  const window = params.depth('rank_window_size') ?? DEFAULT_WINDOW;
  const minScore = params.float('min_score') ?? Number.NEGATIVE_INFINITY;
  const filters = params.queries('filter');
  params.finish();
  if (inner === undefined) throw malformed(`[${TEXT_RERANKER}] requires [retriever]`);
  if (field === undefined) throw malformed(`[${TEXT_RERANKER}] requires [field]`);
  if (inferenceId === undefined) throw malformed(`[${TEXT_RERANKER}] requires [inference_id]`);
  if (inferenceText === undefined || inferenceText.trim() === '') {
    throw malformed(`[${TEXT_RERANKER}] requires [inference_text], a text that is not blank`);
  }
  const page = { from: wholeOf(from, 0), size: wholeOf(size, DEFAULT_SIZE) };
  if (window < page.size) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: [${TEXT_RERANKER}] requires [rank_window_size: ${window}] be greater than or equal to [size: ${page.size}];`,
    );
  }
  const fields = isArray(rest['fields']) ? rest['fields'] : [];
  return {
    body: {
      ...rest,
      retriever: withFilters(inner, filters),
      size: window,
      fields: [...fields, { field }],
    },
    field,
    inferenceId,
    inferenceText,
    window,
    minScore,
    ...page,
  };
}

/** What is no whole number is refused by the search for the hits, which has the same members. */
function wholeOf(value: Json | undefined, absent: number): number {
  if (value === undefined || value === null) return absent;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new QuarryError(
    'illegal_argument_exception',
    '[from] and [size] beside a retriever must be whole numbers from 0',
  );
}

/** The retriever with further filters; every kind takes them. */
function withFilters(retriever: Json, filters: readonly Json[]): JsonObject {
  const { name, body } = splitRetriever(retriever);
  if (filters.length === 0) return { [name]: body };
  const own = body['filter'];
  const before = own === undefined ? [] : isArray(own) ? own : [own];
  return { [name]: { ...body, filter: [...before, ...filters] } };
}

/** True if the search asks for the values of the field itself. */
export function showsField({ fields }: JsonObject, field: string): boolean {
  if (!isArray(fields)) return false;
  return fields.some((one) => one === field || (isObject(one) && one['field'] === field));
}
