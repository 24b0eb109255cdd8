// `knn_vector` fields are `dense_vector` fields in the engine. The definition that the client sent
// goes with the field, in entries of its `meta`, so that it survives whatever the engine does with
// mappings (restarts, copies, dynamic templates), and is shown instead of the engine's.
//
//   entries   `knn_vector`, `knn_vector_2`, `knn_vector_3` … of at most 50 characters each, which
//             are joined in this order
//   text      base64 of the definition as JSON without its `type` and `meta`, compressed by
//             DEFLATE (RFC 1951) with the dictionary WORDS, which may never change
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonObject } from '../../backend/index.js';
import { changeFields, isObject } from '../../base/mapping-fields.js';
import { jsonText, parseJson } from './json-text.js';
import { badKnnVector, denseOf } from './knn-definition.js';

const ENTRY = 'knn_vector';
/** Limits of `meta`, as in Elasticsearch. */
const LONGEST_ENTRY = 50;
const MOST_ENTRIES = 5;
/** A definition has a tenth of this; more is not one. */
const LONGEST_DEFINITION = 65_536;
const WORDS = Buffer.from(
  '{"index":true,"doc_values":false,"store":false,"data_type":"byte","data_type":"float",' +
    '"mode":"in_memory","mode":"on_disk","compression_level":"32x","space_type":"innerproduct",' +
    '"encoder":{"name":"binary","parameters":{"bits":1,"random_rotation":true,"enable_adc":true}},' +
    '"encoder":{"name":"sq","parameters":{"confidence_interval":0.9,"bits":7}},' +
    '"encoder":{"name":"sq","parameters":{"type":"fp16","clip":true}},"name":"flat","ef_search":100,' +
    '"method":{"name":"hnsw","engine":"faiss","space_type":"cosinesimil","engine":"lucene",' +
    '"engine":"nmslib","space_type":"l2","parameters":{"ef_construction":128,"m":16,' +
    '"ef_construction":512,"m":24}}}{"dimension":1024,"dimension":768,"dimension":384,' +
    '"dimension":1536,"method":{"name":"hnsw","space_type":"l2","engine":"',
);

/** Mappings as the engine takes them. Throws mapper_parsing_exception for what is not supported. */
export function withoutKnnVectors(mappings: JsonObject): JsonObject {
  return changeFields(mappings, 'knn_vector', (field, path) => {
    const { meta = {}, ...definition } = field;
    if (!isObject(meta)) throw badKnnVector(path, 'needs an object for [meta]');
    const dense = denseOf(definition, path);
    return { ...dense, meta: { ...meta, ...entriesOf(definition, meta, path) } };
  });
}

/** Mappings as clients see them. */
export function withKnnVectors(mappings: JsonObject): JsonObject {
  return changeFields(mappings, 'dense_vector', (field) => {
    const { meta } = field;
    if (!isObject(meta) || typeof meta[ENTRY] !== 'string') return field;
    const names = entryNames().filter((name) => typeof meta[name] === 'string');
    const definition = unpacked(names.map((name) => meta[name]).join(''));
    if (definition === undefined) return field;
    const own = Object.entries(meta).filter(([name]) => !names.includes(name));
    return {
      type: 'knn_vector',
      ...definition,
      ...(own.length === 0 ? {} : { meta: Object.fromEntries(own) }),
    };
  });
}

function entriesOf(
  { type: _type, ...definition }: JsonObject,
  meta: JsonObject,
  path: string,
): JsonObject {
  const text = packed(definition);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += LONGEST_ENTRY) {
    parts.push(text.slice(at, at + LONGEST_ENTRY));
  }
  const own = Object.keys(meta);
  const names = entryNames();
  const taken = own.find((name) => names.includes(name));
  if (taken !== undefined) {
    throw badKnnVector(
      path,
      `has [meta] of the name [${taken}], which holds its definition: rename it`,
    );
  }
  const room = MOST_ENTRIES - parts.length;
  if (room < 0) throw badKnnVector(path, 'has a definition that is too long: leave out [encoder]');
  if (own.length > room) {
    throw badKnnVector(
      path,
      `has [${own.length}] entries of [meta]: [${room}] fit beside its definition`,
    );
  }
  return Object.fromEntries(parts.map((part, i) => [names[i], part]));
}

function entryNames(): readonly string[] {
  return Array.from({ length: MOST_ENTRIES }, (_, i) => (i === 0 ? ENTRY : `${ENTRY}_${i + 1}`));
}

function packed(definition: JsonObject): string {
  return deflateRawSync(jsonText(definition), { dictionary: WORDS }).toString('base64');
}

/** Undefined for a text that packed() has not made: it is somebody else's `meta`. */
function unpacked(text: string): JsonObject | undefined {
  try {
    const options = { dictionary: WORDS, maxOutputLength: LONGEST_DEFINITION };
    const definition = parseJson(
      inflateRawSync(Buffer.from(text, 'base64'), options).toString('utf8'),
    );
    return isObject(definition) ? definition : undefined;
  } catch {
    return undefined;
  }
}
