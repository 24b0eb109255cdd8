// Checks the definition of a `knn_vector`, OpenSearch's type of vectors, and says which
// `dense_vector` it is. Here every search compares the vectors themselves, so what only tunes how
// OpenSearch finds them (engine, encoder, mode, compression) changes no answer; what would change
// answers is refused by name.
import type { Json, JsonObject } from '../../backend/index.js';
import { asText } from '../../base/json-text.js';
import { isObject } from '../../base/mapping-fields.js';
import { QuarryError } from '../../errors.js';

/** Their scores are those of OpenSearch. */
const SIMILARITIES: ReadonlyMap<string, string> = new Map([
  ['l2', 'l2_norm'],
  ['cosinesimil', 'cosine'],
  ['innerproduct', 'max_inner_product'],
]);
/** The space of fields that name none. */
const DEFAULT_SPACE = 'l2';
const KNOWN = [
  ...['type', 'dimension', 'data_type', 'space_type', 'method', 'mode', 'compression_level'],
  ...['index', 'store', 'doc_values'],
];
const ENGINES = ['faiss', 'lucene', 'nmslib'];
const MODES = ['in_memory', 'on_disk'];
const LEVELS = ['1x', '2x', '4x', '8x', '16x', '32x'];
const ENCODERS = ['flat', 'sq', 'binary'];
/** Parameters of encoders. */
const ENCODER_PARAMETERS = [
  ...['type', 'clip', 'bits', 'confidence_interval', 'random_rotation', 'enable_adc'],
];
/** The widest graph that the engine builds (native/core/mapping/schema/vector_parameters.cc). */
const MOST_LINKS = 512;
const WIDEST_BEAM = 3200;

/**
 * The dense_vector that a knn_vector is; `definition` has no `meta`. Throws
 * mapper_parsing_exception, which names the field by `path`.
 */
export function denseOf(definition: JsonObject, path: string): JsonObject {
  return new DefinitionReader(definition, path).dense();
}

export function badKnnVector(path: string, what: string): QuarryError {
  const reason = `the [knn_vector] field [${path}] ${what}`;
  return new QuarryError('mapper_parsing_exception', reason);
}

class DefinitionReader {
  readonly #definition: JsonObject;
  readonly #path: string;

  constructor(definition: JsonObject, path: string) {
    this.#definition = definition;
    this.#path = path;
  }

  dense(): JsonObject {
    const { model_id: model, ...rest } = this.#definition;
    const { dimension } = rest;
    if (model !== undefined) {
      throw this.#bad('has a [model_id], and models are not trained here: give a [dimension]');
    }
    this.#checkNames(rest, KNOWN, '');
    if (dimension === undefined) throw this.#bad('needs a [dimension]');
    this.#count(rest, 'dimension', 1, '');
    for (const name of ['index', 'store', 'doc_values']) this.#flag(rest, name);
    if (rest['store'] === true || rest['store'] === 'true') {
      throw this.#bad('cannot have [store] [true]: leave it out, documents show their vectors');
    }
    this.#choice(rest, 'mode', MODES);
    this.#choice(rest, 'compression_level', LEVELS);
    const type = this.#choice(rest, 'data_type', ['float', 'byte'], true) ?? 'float';
    const method = this.#method(rest['method']);
    return {
      type: 'dense_vector',
      dims: dimension,
      ...(type === 'byte' ? { element_type: 'byte' } : {}),
      similarity: this.#similarity(rest['space_type'], method['space_type']),
      index_options: this.#graph(method),
    };
  }

  #method(value: Json | undefined): JsonObject {
    if (value === undefined || value === null) return {};
    const method = this.#object(value, 'method');
    this.#checkNames(method, ['name', 'engine', 'space_type', 'parameters'], 'method.');
    const { name } = method;
    if (name === undefined) throw this.#bad('needs a [name] in its [method]: [hnsw]');
    if (name === 'ivf') throw this.#untrained('method.name', 'ivf', 'hnsw');
    this.#choice(method, 'name', ['hnsw', 'flat'], false, 'method.');
    this.#choice(method, 'engine', ENGINES, false, 'method.');
    return method;
  }

  #similarity(above: Json | undefined, inside: Json | undefined): string {
    const given = [above, inside].filter((one) => one !== undefined);
    const [space = DEFAULT_SPACE, other = space] = given;
    if (space !== other) {
      throw this.#bad(
        `has [space_type] [${shown(space)}] and, in its [method], [${shown(other)}]: give one of them`,
      );
    }
    const similarity = SIMILARITIES.get(shown(space));
    if (similarity !== undefined) return similarity;
    throw this.#unsupported('space_type', space, [...SIMILARITIES.keys()]);
  }

  /** A graph may be narrower than the mapping says, as far as the engine builds it. */
  #graph(method: JsonObject): JsonObject {
    const parameters = this.#object(method['parameters'] ?? {}, 'method.parameters');
    const names = ['m', 'ef_construction', 'ef_search', 'encoder'];
    this.#checkNames(parameters, names, 'method.parameters.');
    const m = this.#count(parameters, 'm', 2);
    const beam = this.#count(parameters, 'ef_construction', 1);
    this.#count(parameters, 'ef_search', 1);
    this.#checkEncoder(parameters['encoder']);
    if (method['name'] === 'flat') return { type: 'flat' };
    return {
      type: 'hnsw',
      ...(m === undefined ? {} : { m: Math.min(m, MOST_LINKS) }),
      ...(beam === undefined ? {} : { ef_construction: Math.min(beam, WIDEST_BEAM) }),
    };
  }

  #checkEncoder(value: Json | undefined): void {
    if (value === undefined) return;
    const where = 'method.parameters.encoder';
    const encoder = this.#object(value, where);
    this.#checkNames(encoder, ['name', 'parameters'], `${where}.`);
    if (encoder['name'] === 'pq') throw this.#untrained(`${where}.name`, 'pq', 'sq');
    this.#choice(encoder, 'name', ENCODERS, false, `${where}.`);
    const parameters = this.#object(encoder['parameters'] ?? {}, `${where}.parameters`);
    this.#checkNames(parameters, ENCODER_PARAMETERS, `${where}.parameters.`);
    for (const [name, one] of Object.entries(parameters)) {
      if (typeof one === 'object') {
        throw this.#bad(
          `needs a plain value for [${where}.parameters.${name}], got [${shown(one)}]`,
        );
      }
    }
  }

  #object(value: Json, name: string): JsonObject {
    if (isObject(value)) return value;
    throw this.#bad(`needs an object for [${name}], got [${shown(value)}]`);
  }

  #checkNames(object: JsonObject, known: readonly string[], prefix: string): void {
    const unknown = Object.keys(object).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    throw this.#bad(`does not support [${prefix}${unknown}], known are ${known.join(', ')}`);
  }

  /** `anyCase`: OpenSearch prints the value in capitals. */
  #choice(
    object: JsonObject,
    name: string,
    choices: readonly string[],
    anyCase = false,
    prefix = '',
  ): string | undefined {
    const value = object[name];
    if (value === undefined || value === null) return undefined;
    const text = anyCase ? shown(value).toLowerCase() : shown(value);
    if (choices.includes(text)) return text;
    throw this.#unsupported(`${prefix}${name}`, value, choices);
  }

  #flag(object: JsonObject, name: string): void {
    this.#choice(object, name, ['true', 'false']);
  }

  #count(
    object: JsonObject,
    name: string,
    least: number,
    prefix = 'method.parameters.',
  ): number | undefined {
    const value = object[name];
    if (value === undefined) return undefined;
    const count = typeof value === 'string' ? Number(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= least) return count;
    throw this.#bad(
      `needs a whole number of at least [${least}] for [${prefix}${name}], got [${shown(value)}]`,
    );
  }

  #unsupported(name: string, value: Json, choices: readonly string[]): QuarryError {
    const instead = choices.map((one) => `[${one}]`).join(' or ');
    return this.#bad(`has [${name}] [${shown(value)}], which is not supported: use ${instead}`);
  }

  #untrained(name: string, value: string, instead: string): QuarryError {
    return this.#bad(`has [${name}] [${value}], which needs a trained model: use [${instead}]`);
  }

  #bad(what: string): QuarryError {
    return badKnnVector(this.#path, what);
  }
}

/** A value in an error message. */
function shown(value: Json): string {
  if (typeof value === 'object') return value === null ? 'null' : 'an object or a list';
  const text = asText(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
