// `semantic`: the k documents nearest in meaning to a text, by the embeddings of a semantic_text
// field.
import { type ClauseEncoder, type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, malformed, tokenName } from '../values.js';
import {
  parseFilters,
  readCounts,
  readField,
  readFilters,
  type VectorClauseBase,
} from './vector-clause-params.js';

export interface SemanticClause extends VectorClauseBase {
  readonly kind: 'semantic';
  readonly text: string;
  /** 0: not given. */
  readonly numCandidates: number;
  /** If false, the vectors of whole texts alone rank, and not those of passages. */
  readonly passages: boolean;
}

export const semantic: ClauseKind<SemanticClause> = {
  parse(body, parser) {
    const params = Params.of('semantic', body);
    const field = readField(params);
    const text = readText(params);
    const { k, candidates } = readCounts(params);
    const passages = params.flag('passages') ?? true;
    const filters = readFilters(params);
    const base = params.base();
    params.finish();
    return {
      kind: 'semantic',
      ...base,
      field,
      text,
      k,
      numCandidates: candidates ?? 0,
      passages,
      ...parseFilters(filters, parser),
    };
  },
  encode(clause, encoder) {
    const found = encoder.known?.nearest.get(clause);
    if (found === undefined) encodeSemantic(clause, clause, encoder);
    else queryNode(encoder, 'doc_scores', clause, (writer) => writer.shardScores(found));
  },
};

/** Encodes the clause as a vector search; `base` has the boost and name to encode. */
export function encodeSemantic(
  clause: SemanticClause,
  base: ClauseBase,
  encoder: ClauseEncoder,
): void {
  const { filter, text } = clause;
  const child = filter === undefined ? undefined : () => encoder.child(filter);
  const vectors = encoder.known?.vectors.get(text) ?? [];
  queryNode(encoder, 'semantic', base, (writer) => writer.semantic({ ...clause, vectors }, child));
}

function readText(params: Params): string {
  const text = params.raw('query');
  if (text === undefined) throw illegal('[semantic] Required [query]');
  if (typeof text !== 'string') {
    throw malformed(`[semantic] query doesn't support values of type: ${tokenName(text)}`);
  }
  if (text.trim() !== '') return text;
  throw illegal('[semantic] [query] is empty, it needs a text to compare with');
}
