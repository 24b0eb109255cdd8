// Settings that this service gives to every index that it creates in the cluster, so that documents
// and scores are those of a single node, and that it does not show.
import type { Json, JsonObject } from '../backend/index.js';
import { leavesVectorsOut } from '../remote/peer-version.js';
import { type ClusterEngine, isAtLeast } from './engine.js';
import { isObject } from './errors.js';

/** BM25 with the factor k1 + 1, which OpenSearch leaves out from version 3 on. */
const SIMILARITY = 'LegacyBM25';

export function ownSettings(engine: ClusterEngine): JsonObject {
  const settings: Record<string, Json> = {};
  // Elasticsearch would leave vectors out of documents.
  if (leavesVectorsOut(engine.parts)) settings['mapping.exclude_source_vectors'] = false;
  const isThree = engine.kind === 'opensearch' && isAtLeast(engine, 3, 0);
  if (isThree) settings['similarity.default.type'] = SIMILARITY;
  // It cannot be changed later, when a field of vectors is added.
  if (engine.hasKnnPlugin) settings['knn'] = true;
  // Documents would have the numbers of vectors as the engine prints them.
  if (engine.hasKnnPlugin && isThree) settings['knn.derived_source.enabled'] = false;
  return settings;
}

/** Settings as the cluster shows them, without those of ownSettings(). */
export function withoutOwnSettings(given: JsonObject): JsonObject {
  const { knn, 'knn.derived_source': derived, similarity, mapping, ...rest } = given;
  const kept: Record<string, Json> = { ...rest };
  if (knn !== undefined && knn !== 'true') kept['knn'] = knn;
  if (isObject(derived) && derived['enabled'] !== 'false') kept['knn.derived_source'] = derived;
  if (similarity !== undefined && !isOwnSimilarity(similarity)) kept['similarity'] = similarity;
  const others = isObject(mapping) ? withoutVectors(mapping) : mapping;
  if (others !== undefined) kept['mapping'] = others;
  return kept;
}

function isOwnSimilarity(similarity: Json): boolean {
  const usual = isObject(similarity) ? similarity['default'] : undefined;
  return isObject(usual) && usual['type'] === SIMILARITY;
}

function withoutVectors(mapping: JsonObject): JsonObject | undefined {
  const { exclude_source_vectors: left, ...kept } = mapping;
  if (left !== 'false') return mapping;
  return Object.keys(kept).length === 0 ? undefined : kept;
}
