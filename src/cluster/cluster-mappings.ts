// Mappings as the cluster takes them, and back. A field that the cluster does not know as such is
// given other fields beside it:
//   semantic_text             text, and <field>_vector with the vector of the whole text
//   analyzer [memory]         text, and <field>_words with the words that our analyzer makes of it
//   dense_vector              the same, of full precision unless the mapping says otherwise
//   knn_vector                the same in OpenSearch, dense_vector in Elasticsearch
// What the client gave is kept in `_meta` of the mapping, from where it is shown.
import type { Json, JsonObject } from '../backend/index.js';
import { BUILTIN_ID } from '../base/builtin-embedders.js';
import { changeFields } from '../base/mapping-fields.js';
import { denseOf } from '../coordinator/catalog/knn-definition.js';
import { withoutKnnVectors } from '../coordinator/catalog/knn-vectors.js';
import { BUILTIN_DIMS } from '../embed/builtin.js';
import { QuarryError } from '../errors.js';
import type { ClusterEngine } from './engine.js';
import { isObject } from './errors.js';
import { withOwnParameters, withoutOwnParameters } from './own-settings.js';

/** The member of `_meta` that is ours. */
const META = 'quarry';
/** The analyzer of fields with words: they are divided already, and `_` stands for a gap. */
export const WORDS_ANALYZER = 'quarry_words';
const GAP_FILTER = 'quarry_gap';
export const GAP = '_';
/** Analyzers that the cluster lacks. */
const OWN_ANALYZERS: ReadonlySet<string> = new Set(['memory']);
/** Parameters of semantic_text that a text field does not have. */
const SEMANTIC_ONLY: ReadonlySet<string> = new Set([
  'type',
  'dims',
  'embedder',
  'inference_id',
  'inference_endpoint',
  'index_options',
]);

export const WORDS_SETTINGS: JsonObject = {
  analysis: {
    analyzer: {
      [WORDS_ANALYZER]: { type: 'custom', tokenizer: 'whitespace', filter: [GAP_FILTER] },
    },
    filter: { [GAP_FILTER]: { type: 'stop', stopwords: [GAP] } },
  },
};

/**
 * Holds the id of each document where searches sort by it, which engines do not let `_id` do: in
 * indexes of the service itself.
 */
export const ID_FIELD = 'svc_id';

/** A field of which a document gets further fields. */
export interface MadeField {
  /** Full name. */
  readonly path: string;
  /** Where the vector of the text goes; undefined: none is made. */
  readonly vector:
    | { readonly field: string; readonly dims: number; readonly embedder: string }
    | undefined;
  /** Where the words go, and the analyzer that makes them; undefined: the cluster analyzes it. */
  readonly words: { readonly field: string; readonly analyzer: string } | undefined;
}

export interface ClusterMappings {
  readonly mappings: JsonObject;
  /** The index needs WORDS_SETTINGS. */
  readonly hasWords: boolean;
}

export interface MappingOptions {
  /** What `_meta` of the index holds already. */
  readonly own?: Readonly<Record<string, JsonObject>>;
  /** The index has ID_FIELD. */
  readonly hasId: boolean;
}

/** Mappings as the core checks them. OpenSearch itself checks the definitions of its own type. */
export function mappingsToCheck(
  mappings: JsonObject,
  { kind }: Pick<ClusterEngine, 'kind'>,
): JsonObject {
  if (kind === 'elasticsearch') return withoutKnnVectors(mappings);
  return changeFields(mappings, 'knn_vector', () => ({ type: 'dense_vector' }));
}

export function toClusterMappings(
  mappings: JsonObject,
  engine: Pick<ClusterEngine, 'kind' | 'version'>,
  { own: before = {}, hasId }: MappingOptions,
): ClusterMappings {
  const writer = new MappingWriter(engine);
  const properties = mappings['properties'];
  const written = isObject(properties) ? writer.properties(properties, '', false) : undefined;
  writer.checkTemplates(mappings['dynamic_templates']);
  const own = { ...before, ...writer.own };
  const meta = isObject(mappings['_meta']) ? mappings['_meta'] : {};
  const hasOwn = hasId || Object.keys(own).length > 0;
  const all = hasId ? { ...written, [ID_FIELD]: { type: 'keyword' } } : written;
  const complete = {
    ...mappings,
    ...(all === undefined ? {} : { properties: all }),
    ...(hasOwn ? { _meta: { ...meta, [META]: { fields: own, id: hasId } } } : {}),
  };
  return { mappings: withOwnParameters(complete, engine), hasWords: writer.hasWords };
}

class MappingWriter {
  /** Definitions of the client by full name. */
  readonly own: Record<string, JsonObject> = {};
  hasWords = false;
  readonly #engine: Pick<ClusterEngine, 'kind'>;

  constructor(engine: Pick<ClusterEngine, 'kind'>) {
    this.#engine = engine;
  }

  properties(given: JsonObject, above: string, isNested: boolean): JsonObject {
    const written: [string, Json][] = [];
    for (const [name, field] of Object.entries(given)) {
      const path = above === '' ? name : `${above}.${name}`;
      if (!isObject(field)) written.push([name, field]);
      else written.push(...this.#field(name, field, path, isNested));
    }
    return Object.fromEntries(written);
  }

  checkTemplates(templates: Json | undefined): void {
    if (!Array.isArray(templates)) return;
    const left: Json[] = [...(templates as readonly Json[])];
    for (let value = left.pop(); value !== undefined; value = left.pop()) {
      if (Array.isArray(value)) left.push(...(value as readonly Json[]));
      else if (isObject(value)) {
        const isKnn = value['type'] === 'knn_vector' && this.#engine.kind === 'elasticsearch';
        if (value['type'] === 'semantic_text' || isKnn || isOwnAnalyzer(value)) {
          throw refused('dynamic_templates', value, 'map such a field by its name in [properties]');
        }
        left.push(...Object.values(value));
      }
    }
  }

  #field(
    name: string,
    field: JsonObject,
    path: string,
    isNested: boolean,
  ): readonly [string, Json][] {
    this.#checkFields(field, path);
    const isSemantic = field['type'] === 'semantic_text';
    if (isSemantic || isOwnAnalyzer(field)) {
      if (isNested) throw refused(path, field, 'put the field outside the [nested] object');
      return this.#made(name, field, path, isSemantic);
    }
    if (field['type'] === 'dense_vector') return this.#vector(name, field, path);
    if (field['type'] === 'knn_vector' && this.#engine.kind === 'elasticsearch') {
      this.own[path] = field;
      const { meta, ...definition } = field;
      const dense = denseOf(definition, path);
      return [[name, meta === undefined ? dense : { ...dense, meta }]];
    }
    const inside = field['properties'];
    if (!isObject(inside)) return [[name, field]];
    const below = isNested || field['type'] === 'nested';
    return [[name, { ...field, properties: this.properties(inside, path, below) }]];
  }

  #checkFields(field: JsonObject, path: string): void {
    if (!isObject(field['fields'])) return;
    for (const [name, sub] of Object.entries(field['fields'])) {
      if (!isObject(sub)) continue;
      if (sub['type'] === 'semantic_text' || isOwnAnalyzer(sub)) {
        throw refused(`${path}.${name}`, sub, 'make it a field of its own, not one of [fields]');
      }
    }
  }

  #made(
    name: string,
    field: JsonObject,
    path: string,
    isSemantic: boolean,
  ): readonly [string, Json][] {
    this.own[path] = field;
    const isOwn = isOwnAnalyzer(field);
    const text = Object.entries(field).filter(
      ([key]) => !SEMANTIC_ONLY.has(key) && !(isOwn && /^(search_)?(quote_)?analyzer$/.test(key)),
    );
    const written: [string, Json][] = [[name, { ...Object.fromEntries(text), type: 'text' }]];
    if (isOwn) {
      this.hasWords = true;
      written.push([`${name}_words`, { type: 'text', analyzer: WORDS_ANALYZER }]);
    }
    if (isSemantic) {
      const dims = dimsOf(field);
      written.push([
        `${name}_vector`,
        this.#vectorField({ dims, similarity: 'cosine' }, `${path}_vector`),
      ]);
    }
    return written;
  }

  #vector(name: string, field: JsonObject, path: string): readonly [string, Json][] {
    // The engine adds its defaults to what it shows.
    this.own[path] = field;
    const isExact = this.#engine.kind === 'elasticsearch';
    const isGiven = field['index_options'] !== undefined && !isTooShortForBits(field);
    if (isExact && (isGiven || field['index'] === false)) return [[name, field]];
    // The plugin of OpenSearch has to know the length of vectors before the first one.
    if (!isExact && typeof field['dims'] !== 'number') return [];
    return [[name, this.#vectorField(field, path)]];
  }

  #vectorField(field: JsonObject, path: string): JsonObject {
    if (this.#engine.kind === 'elasticsearch') {
      return { ...field, type: 'dense_vector', index: true, index_options: { type: 'hnsw' } };
    }
    if (field['element_type'] === 'byte')
      throw refused(path, field, 'leave [element_type] out, vectors of floats take whole numbers');
    const similarity = String(field['similarity'] ?? 'cosine');
    const space = SPACES[similarity];
    if (space === undefined)
      throw refused(path, field, `choose a [similarity] of ${Object.keys(SPACES).join(', ')}`);
    return {
      type: 'knn_vector',
      dimension: field['dims'] ?? BUILTIN_DIMS,
      method: { name: 'hnsw', engine: 'lucene', space_type: space },
    };
  }
}

/** Elasticsearch refuses to quantize such vectors to bits. */
const LEAST_DIMS_FOR_BITS = 64;

function isTooShortForBits({
  index_options: options,
  dims,
  element_type: element,
}: JsonObject): boolean {
  const isBits = isObject(options) && String(options['type']).startsWith('bbq_');
  return isBits && (element === 'byte' || Number(dims) < LEAST_DIMS_FOR_BITS);
}

/** Vectors of [dot_product] have the length 1, so that it is their cosine, in the same scale. */
const SPACES: Readonly<Record<string, string>> = {
  cosine: 'cosinesimil',
  l2_norm: 'l2',
  dot_product: 'cosinesimil',
  max_inner_product: 'innerproduct',
};

function isOwnAnalyzer({ analyzer }: JsonObject): boolean {
  return typeof analyzer === 'string' && OWN_ANALYZERS.has(analyzer);
}

function dimsOf(field: JsonObject): number {
  const { dims } = field;
  return typeof dims === 'number' ? dims : BUILTIN_DIMS;
}

function refused(path: string, field: JsonObject, remedy: string): QuarryError {
  const what =
    field['type'] === 'semantic_text'
      ? 'a [semantic_text] field'
      : `[${String(field['analyzer'] ?? field['type'])}]`;
  return new QuarryError(
    'mapper_parsing_exception',
    `[${path}]: ${what} cannot be mapped here in cluster mode: ${remedy}`,
  );
}

/** Ours in `_meta` of a mapping of the cluster: definitions by full name. */
export function ownFields(mappings: JsonObject): Readonly<Record<string, JsonObject>> {
  const fields = ownMeta(mappings)?.['fields'];
  return isObject(fields) ? (fields as Readonly<Record<string, JsonObject>>) : {};
}

/** Full names of the vectors among them. */
export function vectorFields(own: Readonly<Record<string, JsonObject>>): readonly string[] {
  return Object.keys(own).filter((path) => own[path]?.['type'] === 'dense_vector');
}

/** Whether the index has ID_FIELD. */
export function hasIdField(mappings: JsonObject): boolean {
  return ownMeta(mappings)?.['id'] === true;
}

function ownMeta(mappings: JsonObject): JsonObject | undefined {
  const meta = mappings['_meta'];
  const own = isObject(meta) ? meta[META] : undefined;
  return isObject(own) ? own : undefined;
}

/** A mapping of the cluster as the client gave it, with what documents have added. */
export function fromClusterMappings(given: JsonObject): JsonObject {
  const mappings = withoutOwnParameters(given);
  const own = ownFields(mappings);
  if (ownMeta(mappings) === undefined) return mappings;
  const { _meta: meta, ...rest } = mappings;
  const { [META]: _ours, ...theirs } = isObject(meta) ? meta : {};
  const all = isObject(rest['properties']) ? rest['properties'] : {};
  const { [ID_FIELD]: _id, ...fields } = all;
  const properties = shownProperties(hasIdField(mappings) ? fields : all, '', own);
  return {
    ...rest,
    ...(Object.keys(theirs).length === 0 ? {} : { _meta: theirs }),
    properties,
  };
}

function shownProperties(
  given: JsonObject,
  above: string,
  own: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const shown: Record<string, Json> = {};
  for (const [name, field] of Object.entries(given)) {
    const path = above === '' ? name : `${above}.${name}`;
    const given = own[path];
    if (given !== undefined) shown[name] = withDims(given, field);
    else if (isMade(path, own)) continue;
    else if (isObject(field) && isObject(field['properties'])) {
      shown[name] = { ...field, properties: shownProperties(field['properties'], path, own) };
    } else shown[name] = field;
  }
  return shown;
}

/** The first vector of a field determines its length. */
function withDims(given: JsonObject, field: Json): JsonObject {
  if (given['type'] !== 'dense_vector' || given['dims'] !== undefined || !isObject(field))
    return given;
  const { dims } = field;
  return dims === undefined ? given : { ...given, dims };
}

function isMade(path: string, own: Readonly<Record<string, JsonObject>>): boolean {
  for (const suffix of ['_vector', '_words']) {
    if (!path.endsWith(suffix)) continue;
    const of = own[path.slice(0, -suffix.length)];
    if (
      of !== undefined &&
      (suffix === '_words' ? isOwnAnalyzer(of) : of['type'] === 'semantic_text')
    )
      return true;
  }
  return false;
}

export interface MappedField {
  readonly field: JsonObject;
  /** The full name of the innermost nested object that it lies in; undefined: it lies in none. */
  readonly nested: string | undefined;
}

/** The field of that full name; undefined: it is not mapped. */
export function fieldAt(mappings: JsonObject, path: string): MappedField | undefined {
  let at: JsonObject = mappings;
  let nested: string | undefined;
  const names = path.split('.');
  for (const [depth, name] of names.entries()) {
    const { properties } = at;
    const field = isObject(properties) ? properties[name] : undefined;
    if (!isObject(field)) return undefined;
    if (field['type'] === 'nested') nested = names.slice(0, depth + 1).join('.');
    at = field;
  }
  return { field: at, nested };
}

/** The fields of which documents get further fields. */
export function madeFields(mappings: JsonObject): readonly MadeField[] {
  return Object.entries(ownFields(mappings)).flatMap(([path, field]): MadeField[] => {
    const isSemantic = field['type'] === 'semantic_text';
    const isOwn = isOwnAnalyzer(field);
    if (!isSemantic && !isOwn) return [];
    const embedder = typeof field['embedder'] === 'string' ? field['embedder'] : BUILTIN_ID;
    return [
      {
        path,
        vector: isSemantic ? { field: `${path}_vector`, dims: dimsOf(field), embedder } : undefined,
        words: isOwn ? { field: `${path}_words`, analyzer: String(field['analyzer']) } : undefined,
      },
    ];
  });
}

/** Settings of the cluster without what cluster mode and the cluster itself have added. */
export function shownAnalysis(analysis: JsonObject): JsonObject | undefined {
  const { analyzer, filter, ...rest } = analysis;
  const analyzers = without(analyzer, WORDS_ANALYZER);
  const filters = without(filter, GAP_FILTER);
  const shown = {
    ...rest,
    ...(analyzers === undefined ? {} : { analyzer: analyzers }),
    ...(filters === undefined ? {} : { filter: filters }),
  };
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function without(section: Json | undefined, name: string): JsonObject | undefined {
  if (!isObject(section)) return undefined;
  const { [name]: _ours, ...rest } = section;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
