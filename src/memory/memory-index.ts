// The index of a namespace's memories: what is searched (text, vector, metadata), and what decides who sees a memory when.
import type { JsonObject } from '../backend/index.js';
import { EDGES_BODY } from '../graph/edges-index.js';
import { isEdgesIndex } from '../graph/names.js';
import { TIME_FIELDS } from './metadata-times.js';
import { isMemoryIndex } from './names.js';

/** Measured: 1,024 find 3 points more than 512, 2,048 hardly more. */
export const TEXT_DIMS = 1024;
/** What holds the vectors of whole texts. */
export const TEXT_VECTOR = 'text_vector';
/** Letters of a string that filters still find. */
const FINDABLE_CHARS = 8000;

/** What a namespace may choose before its first memory. */
export interface IndexChoices {
  readonly analyzer: string;
  readonly dims?: number;
  readonly inference_id?: string;
  readonly inference_endpoint?: JsonObject | string;
}

/** What an index is born with that some write makes: names of memories and of links say what they hold. */
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
        // Metadata of another shape than the same name had before: kept and shown, not searched.
        unindexed: { type: 'object', enabled: false },
        // Its dims are those of the first vector.
        vector: { type: 'dense_vector', similarity: 'cosine' },
        fingerprint: { type: 'keyword' },
        // As a text, whatever metadata.session is mapped as.
        session: { type: 'keyword', ignore_above: FINDABLE_CHARS },
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

/** A later value of another type is kept and not found; it never refuses a memory. */
const METADATA_TEMPLATES: readonly JsonObject[] = [
  // What looks like a date is text, too: the next value of the same name may be "tomorrow".
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
  // Whole numbers, too: 1 today may be 0.7 tomorrow.
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
