// The mapping of the index of a namespace's memories: the searched fields (text, vector, metadata)
// and those that decide on visibility.
import type { JsonObject } from '../backend/index.js';
import { EDGES_BODY } from '../graph/edges-index.js';
import { isEdgesIndex } from '../graph/names.js';
import { TIME_FIELDS } from './metadata-times.js';
import { isMemoryIndex } from './names.js';

/** Measured: 1,024 dimensions find 3 points more than 512, and 2,048 hardly more. */
export const TEXT_DIMS = 1024;
/** The field of the vectors of whole texts. */
export const TEXT_VECTOR = 'text_vector';
/** The analyzer of the core for texts that agents remember. */
export const MEMORY_ANALYZER = 'memory';
/** Maximum number of characters of a string that filters find. */
const FINDABLE_CHARS = 8000;

/** Choices that are fixed with the first memory of a namespace. */
export interface IndexChoices {
  readonly analyzer: string;
  readonly dims?: number;
  readonly inference_id?: string;
  readonly inference_endpoint?: JsonObject | string;
}

/**
 * The body with which a write creates a missing index; the name tells indexes of memories and of
 * links.
 */
export function bodyOfNew(name: string, analyzer: string): JsonObject {
  if (isEdgesIndex(name)) return EDGES_BODY;
  return isMemoryIndex(name) ? memoryBody({ analyzer, dims: TEXT_DIMS }) : {};
}

const INSTANT = { type: 'date', format: 'epoch_millis' };

/** One shard, so that a recall is one task. */
export function memoryBody(choices: IndexChoices): JsonObject {
  return {
    settings: { number_of_shards: 1 },
    mappings: {
      dynamic: false,
      dynamic_date_formats: ['strict_date_optional_time'],
      dynamic_templates: METADATA_TEMPLATES,
      properties: {
        text: { type: 'semantic_text', ...textChoices(choices) },
        metadata: { type: 'object', dynamic: true },
        // Metadata whose shape contradicts the mapping: stored and shown, not searched.
        unindexed: { type: 'object', enabled: false },
        // The first vector determines the dims.
        vector: { type: 'dense_vector', similarity: 'cosine' },
        fingerprint: { type: 'keyword' },
        // Always a keyword, whatever the mapping of metadata.session.
        session: { type: 'keyword', ignore_above: FINDABLE_CHARS },
        // Who said it and on which day, where the text does not begin with that (said.ts).
        said_by: { type: 'text', analyzer: MEMORY_ANALYZER },
        said_on: { type: 'text', analyzer: MEMORY_ANALYZER },
        stored_at: INSTANT,
        own_time: INSTANT,
        expires_at: INSTANT,
        invalid_at: INSTANT,
        superseded_at: INSTANT,
      },
    },
  };
}

function textChoices({ analyzer, dims, ...model }: IndexChoices): JsonObject {
  const { inference_id, inference_endpoint } = model;
  return {
    analyzer,
    ...(dims === undefined ? {} : { dims }),
    ...(inference_id === undefined ? {} : { inference_id }),
    ...(inference_endpoint === undefined ? {} : { inference_endpoint }),
  };
}

/** A later value of another type is stored and not found; it never makes a store fail. */
const METADATA_TEMPLATES: readonly JsonObject[] = [
  // Strings that look like dates are mapped as keywords too: the next value may be "tomorrow".
  {
    times: {
      match_mapping_type: 'date',
      mapping: { type: 'keyword', ignore_above: FINDABLE_CHARS, fields: TIME_FIELDS },
    },
  },
  {
    strings: {
      match_mapping_type: 'string',
      mapping: { type: 'keyword', ignore_above: FINDABLE_CHARS },
    },
  },
  // Whole numbers are mapped as double, because a later value may be a fraction.
  {
    whole_numbers: {
      match_mapping_type: 'long',
      mapping: { type: 'double', ignore_malformed: true },
    },
  },
  {
    numbers: {
      match_mapping_type: 'double',
      mapping: { type: 'double', ignore_malformed: true },
    },
  },
  {
    booleans: {
      match_mapping_type: 'boolean',
      mapping: { type: 'boolean', ignore_malformed: true },
    },
  },
];
