// Settings and parameters of fields that this service gives to every index that it creates in the
// cluster, so that documents and scores are those of a single node, and that it does not show.
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
  const isThree = isOpenSearch3(engine);
  if (isThree) settings['similarity.default.type'] = SIMILARITY;
  // It cannot be changed later, when a field of vectors is added.
  if (engine.hasKnnPlugin) settings['knn'] = true;
  // Documents would have the numbers of vectors as the engine prints them.
  if (engine.hasKnnPlugin && isThree) settings['knn.derived_source.enabled'] = false;
  return settings;
}

function isOpenSearch3(engine: Pick<ClusterEngine, 'kind' | 'version'>): boolean {
  return engine.kind === 'opensearch' && isAtLeast(engine, 3, 0);
}

/** Parameters by types of fields. */
type Parameters = Readonly<Record<string, JsonObject>>;

/** Fields that dynamic templates make would be read and shown in milliseconds. */
const OF_ALL: Parameters = {
  date_nanos: { format: 'strict_date_optional_time_nanos||epoch_millis' },
};
/** A term of a keyword would score 1. */
const OF_OPENSEARCH_3: Parameters = { ...OF_ALL, keyword: { use_similarity: true } };

export function withOwnParameters(
  mappings: JsonObject,
  engine: Pick<ClusterEngine, 'kind' | 'version'>,
): JsonObject {
  const own = isOpenSearch3(engine) ? OF_OPENSEARCH_3 : OF_ALL;
  return changedFields(mappings, (field) => ({ ...own[String(field['type'])], ...field }));
}

/** Mappings as the cluster shows them, without what withOwnParameters() adds. */
export function withoutOwnParameters(mappings: JsonObject): JsonObject {
  return changedFields(mappings, (field) => {
    const own = OF_OPENSEARCH_3[String(field['type'])];
    if (own === undefined) return field;
    return Object.fromEntries(Object.entries(field).filter(([name, value]) => own[name] !== value));
  });
}

/** The fields below, and those of dynamic templates. */
function changedFields(
  mappings: JsonObject,
  change: (field: JsonObject) => JsonObject,
): JsonObject {
  const changed: Record<string, Json> = { ...mappings };
  const field = (value: Json): Json =>
    isObject(value) ? changedFields(change(value), change) : value;
  for (const name of ['properties', 'fields']) {
    const below = mappings[name];
    if (isObject(below)) changed[name] = eachMember(below, field);
  }
  const templates = mappings['dynamic_templates'];
  if (Array.isArray(templates)) {
    const template = (value: Json): Json =>
      isObject(value) && value['mapping'] !== undefined
        ? { ...value, mapping: field(value['mapping']) }
        : value;
    changed['dynamic_templates'] = (templates as readonly Json[]).map((one) =>
      isObject(one) ? eachMember(one, template) : one,
    );
  }
  return changed;
}

function eachMember(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
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
