// The data that servers are loaded with: unmodified commits of the shared folder, and vectors with
// a text, a number and a row each.
import { type Embeddings, toJson } from '../vectors/embeddings.ts';
import { type Commit, MAPPINGS } from '../words/corpus.ts';
import { type Corpus, toCorpus } from './server-load.ts';

export function wordCorpus(commits: readonly Commit[]): Corpus {
  const documents = commits.map(({ id, ...source }) => [id, JSON.stringify(source)] as const);
  return toCorpus('words', MAPPINGS, documents);
}

export function vectorCorpus(base: Embeddings, textOf: (row: number) => string): Corpus {
  const documents = Array.from({ length: base.count }, (_, row) => {
    const text = JSON.stringify(textOf(row));
    return [String(row), `{"n":${row},"text":${text},"v":${toJson(base, row)}}`] as const;
  });
  return toCorpus('vectors', vectorMappings(base.dims), documents);
}

/** Full floats in a graph on both sides; Elasticsearch would quantize to bytes by default. */
function vectorMappings(dims: number): object {
  const v = { type: 'dense_vector', dims, similarity: 'cosine', index_options: { type: 'hnsw' } };
  return { properties: { n: { type: 'integer' }, text: { type: 'text' }, v } };
}
