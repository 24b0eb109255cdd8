// Converts inferred fields into a mapping. Values that do not fit their type are stored and do not
// cause an error.
import { type Field, type Fields, semanticField } from './infer.js';

interface Properties {
  [name: string]: Property;
}
interface Property {
  type?: string;
  properties?: Properties;
  [parameter: string]: unknown;
}

/** The field to which the text of a document is copied for semantic search. */
export const MEANING = 'meaning';

/** The description of its file in each document, under the name `file`. */
const FILE: Property = {
  properties: {
    path: { type: 'keyword' },
    entry: { type: 'keyword' },
    permalink: { type: 'keyword' },
    version: { type: 'keyword' },
    at: { type: 'keyword', index: false },
    as_text: { type: 'text' },
    modified: { type: 'date' },
  },
};

/**
 * Fields that appear later are mapped dynamically; a malformed value must not lead to the loss of a
 * document.
 */
export const SETTINGS = {
  'index.mapping.ignore_malformed': true,
  'index.mapping.total_fields.limit': 5000,
};

/** `inferenceId`: the endpoint that embeds the semantic field; undefined for the built-in embedder. */
export function mappingOf(
  fields: Fields,
  inferenceId: string | undefined,
): { properties: Properties } {
  const properties = propertiesOf(fields, semanticField(fields));
  if (semanticField(fields) !== undefined) {
    const embedded = inferenceId === undefined ? {} : { inference_id: inferenceId };
    properties[MEANING] = { type: 'semantic_text', ...embedded };
  }
  properties['file'] = FILE;
  return { properties };
}

/** The mapping of `fields` only; `meaning` names the field that is copied. */
export function propertiesOf(fields: Fields, meaning: string | undefined): Properties {
  const properties = named();
  for (const [path, field] of Object.entries(fields)) {
    const parts = path.split('.');
    const name = parts.pop() ?? '';
    let level = properties;
    for (const part of parts) {
      level[part] ??= { properties: named() };
      level = level[part].properties ??= named();
    }
    level[name] = propertyOf(field, path === meaning);
  }
  return properties;
}

/** Without a prototype, because fields may have any name. */
function named(): Properties {
  return Object.create(null) as Properties;
}

function propertyOf({ type, role, format }: Field, copied: boolean): Property {
  switch (type) {
    case 'boolean':
      // Not mapped as boolean, the only type that cannot ignore a malformed value.
      return { type: 'keyword', ignore_above: 1024 };
    case 'long':
    case 'double':
    case 'ip':
      return { type, ignore_malformed: true };
    case 'date': {
      const formats = 'strict_date_optional_time||epoch_millis';
      return {
        type,
        ignore_malformed: true,
        ...(format === undefined ? {} : { format: `${format}||${formats}` }),
      };
    }
    case 'object':
      return { type, enabled: false };
    case 'keyword':
      return { type, ignore_above: 8191 };
    case 'text':
      return {
        type,
        ...(copied ? { copy_to: MEANING } : {}),
        ...(role === 'text' ? {} : { fields: { keyword: { type: 'keyword', ignore_above: 256 } } }),
      };
  }
}
