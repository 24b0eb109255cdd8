// What is made of texts here because the cluster cannot: words by our analyzers, and vectors.
import type { JsonObject } from '../backend/index.js';
import { type BuiltinId, isBuiltin } from '../base/builtin-embedders.js';
import { plainJson } from '../base/json-text.js';
import type { QueryEmbedder } from '../embed/query-embedder.js';
import type { Addon, NativeErrors } from '../native/addon.js';
import { GAP } from './cluster-mappings.js';

/** The index number of an analysis without an index. */
const NO_INDEX = -1;
/** Positions of a gap that are written out: no phrase reaches over more. */
const MOST_GAPS = 100;

interface Token {
  readonly token: string;
  readonly position: number;
}

export interface TextAnalysisOptions {
  readonly addon: Pick<Addon, 'analyze' | 'embed' | 'embedTerms'>;
  readonly errors: NativeErrors;
  /** Of fields with an embeddings service. */
  readonly remote: QueryEmbedder;
}

/** A vector, or null for a text without a direction. */
export type TextVector = Float32Array | null;

export class TextAnalysis {
  readonly #options: TextAnalysisOptions;

  constructor(options: TextAnalysisOptions) {
    this.#options = options;
  }

  /** The answer of an analysis by a built-in analyzer, as JSON text. */
  analyze(body: JsonObject): string {
    const { addon, errors } = this.#options;
    try {
      return addon.analyze(NO_INDEX, plainJson(body));
    } catch (thrown) {
      throw errors.fromThrown(thrown);
    }
  }

  /** The words in order, separated by spaces, with a mark for each position without a word. */
  words(analyzer: string, text: string): string {
    const { tokens } = JSON.parse(this.analyze({ analyzer, text })) as {
      readonly tokens: readonly Token[];
    };
    const words: string[] = [];
    let next = 0;
    for (const { token, position } of tokens) {
      for (let gap = Math.max(next, position - MOST_GAPS); gap < position; gap++) words.push(GAP);
      words.push(token);
      next = position + 1;
    }
    return words.join(' ');
  }

  /** One vector for each text, by the embedder of the field. */
  async vectors(
    embedder: string,
    dims: number,
    texts: readonly string[],
  ): Promise<readonly TextVector[]> {
    if (texts.length === 0) return [];
    if (!isBuiltin(embedder)) {
      return this.#options.remote.vectorsOf(texts.map((text) => ({ embedder, text })));
    }
    const floats = this.#options.addon.embed(texts, dims, undefined, embedder);
    return texts.map((_, at) => directed(floats.subarray(at * dims, (at + 1) * dims)));
  }

  /** The words of a query that the built-in embedder weighs. */
  terms(embedder: BuiltinId, text: string): readonly string[] {
    return this.#options.addon.embedTerms(text, embedder).map(({ word }) => word);
  }

  /** `weights` by word. */
  queryVector(
    embedder: BuiltinId,
    dims: number,
    text: string,
    weights: Readonly<Record<string, number>>,
  ): TextVector {
    return directed(this.#options.addon.embed([text], dims, weights, embedder));
  }
}

function directed(vector: Float32Array): TextVector {
  return vector.some((value) => value !== 0) ? vector : null;
}
