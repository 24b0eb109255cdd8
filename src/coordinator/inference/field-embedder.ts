// Checks a semantic_text field whose mapping names a remote embedder, and completes it with the
// identity of the embedder and the length of its vectors before the engine receives it.

import type { Json, JsonObject } from '../../backend/index.js';
import { isBuiltin } from '../../base/builtin-embedders.js';
import { asText } from '../../base/json-text.js';
import { identityOf, type RemoteEndpoint } from '../../embed/endpoint.js';
import { type Definition, isReranker, readMappedEndpoint } from '../../embed/endpoint-body.js';
import { localName } from '../../embed/local/local-model.js';
import { QuarryError } from '../../errors.js';

/** The known embedders. */
export interface Embedders {
  find(id: string): Definition | undefined;
  names(): readonly string[];
  /**
   * Throws unless the configuration allows sending texts and key to the endpoint; error messages
   * prefix the names of its settings with `path`.
   */
  checkAllowed(endpoint: RemoteEndpoint, path: string): void;
}

function bad(reason: string): QuarryError {
  return new QuarryError('mapper_parsing_exception', reason);
}

/**
 * Throws security_exception for a field that describes a service of its own, or that uses one which
 * another mapping describes. A key without access to all indexes may not do that: its texts would
 * be sent from this machine, and the outcome would reveal hosts and ports of its network. The error
 * does not depend on what exists.
 */
export function checkRegistered(field: JsonObject, path: string): void {
  const { inference_id: id, inference_endpoint: endpoint, embedder } = field;
  const borrowed = id === undefined && embedder !== undefined && !isBuiltin(embedder);
  if (endpoint === undefined && !borrowed) return;
  const setting = endpoint === undefined ? 'embedder' : 'inference_endpoint';
  throw new QuarryError(
    'security_exception',
    `field [${path}] names an embeddings service by [${setting}], which needs a key for all indices [*]: ` +
      'name a registered endpoint by [inference_id]',
  );
}

/** Errors are mapper_parsing_exception and name the field by `path`. */
export function completeField(field: JsonObject, path: string, known: Embedders): JsonObject {
  const { inference_id: id, inference_endpoint: endpoint } = field;
  if (id === undefined && endpoint === undefined) return field;
  try {
    if (endpoint !== undefined) return ofEndpoint(field, path, endpoint, known);
    return ofId(field, path, id ?? null, known);
  } catch (error) {
    if (error instanceof QuarryError) throw bad(error.message);
    throw error;
  }
}

function ofEndpoint(field: JsonObject, path: string, value: Json, known: Embedders): JsonObject {
  const name = `${path}.inference_endpoint`;
  const endpoint = readMappedEndpoint(value, field['inference_id'], name);
  known.checkAllowed(endpoint, `${name}.`);
  return completed(field, path, identityOf(endpoint), endpoint.dims);
}

function ofId(field: JsonObject, path: string, id: Json, known: Embedders): JsonObject {
  if (typeof id !== 'string') throw bad(`[${path}.inference_id] must be a string`);
  const definition = known.find(id);
  if (definition === undefined) {
    const remedy =
      localName(id) === undefined
        ? 'register it with PUT /_inference/{id}, or give [inference_endpoint]'
        : 'add the model with [quarry models add DIR]';
    throw bad(
      `[${path}.inference_id] names [${asText(id)}], which is not registered, known are [${known.names().join(', ')}]: ${remedy}`,
    );
  }
  if (definition.service === 'quarry') {
    // The engine knows the built-in embedders by their names alone.
    const { inference_id: _id, ...rest } = field;
    const sized = rest['dims'] === undefined ? { ...rest, dims: definition.dims } : rest;
    return completed(sized, path, definition.model, undefined);
  }
  if (isReranker(definition)) {
    throw bad(
      `[${path}.inference_id] names [${asText(id)}], which ranks documents and makes no vectors, name an endpoint of the task type [text_embedding]`,
    );
  }
  if (definition.service === 'local') {
    return completed(field, path, identityOf(definition.model), definition.model.dims);
  }
  const { endpoint } = definition;
  known.checkAllowed(endpoint, `${path}.inference_id: `);
  return completed(field, path, identityOf(endpoint), endpoint.dims);
}

function completed(
  field: JsonObject,
  path: string,
  identity: string,
  dims: number | undefined,
): JsonObject {
  const given = field['embedder'];
  if (given !== undefined && given !== identity) {
    throw bad(
      `[${path}.embedder] is [${asText(given)}], but the endpoint makes vectors of [${identity}]: leave [embedder] out`,
    );
  }
  const wanted = field['dims'];
  if (dims !== undefined && wanted !== undefined && wanted !== dims) {
    throw bad(`[${path}.dims] is [${asText(wanted)}], but the endpoint makes vectors of [${dims}]`);
  }
  const sized = dims === undefined ? {} : { dims };
  return { ...field, ...sized, embedder: identity };
}
