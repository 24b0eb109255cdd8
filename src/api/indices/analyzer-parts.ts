// Resolves the analyzer of an analysis request and its parts, if they have names: those of the
// request itself, or those of an analyzer or normalizer defined in the settings of the index.
import type { IndexDescription, Json, JsonObject } from '../../backend/index.js';

/**
 * The parts of an analyzer, as names or inline definitions, in the order in which they are applied.
 */
export interface Chain {
  readonly charFilters: readonly Json[];
  readonly tokenizer: Json;
  readonly filters: readonly Json[];
  /** Position gap between two texts. */
  readonly gap: number;
}

/** The chain is undefined for an analyzer that is built in. */
export interface ChosenAnalyzer {
  readonly name: string;
  readonly chain: Chain | undefined;
}

/** Default `position_increment_gap` of analyzers that an index defines. */
export const DEFAULT_GAP = 100;
/** Tokenizer of a normalizer, and of filters without a tokenizer: the whole text is one token. */
const WHOLE = 'keyword';

/** `request` must already have been validated by an analysis. */
export function chainOf(request: JsonObject, index: IndexDescription | undefined): ChosenAnalyzer {
  const { analyzer, normalizer, field } = request;
  const isOwn =
    request['tokenizer'] !== undefined ||
    listOf(request['filter']).length + listOf(request['char_filter']).length > 0;
  if (isOwn) return { name: '', chain: partsOf(request, 0) };
  if (typeof normalizer === 'string') return defined(index, 'normalizer', normalizer);
  if (typeof analyzer === 'string') return defined(index, 'analyzer', analyzer);
  if (typeof field === 'string' && index !== undefined) return ofField(index, field);
  return index === undefined ? { name: 'standard', chain: undefined } : byDefault(index);
}

function byDefault(index: IndexDescription): ChosenAnalyzer {
  return defined(index, 'analyzer', 'default');
}

function ofField(index: IndexDescription, path: string): ChosenAnalyzer {
  const field = fieldAt(objectOf(index.mappings['properties']), path.split('.'));
  if (field?.['type'] !== 'keyword') {
    const analyzer = field?.['analyzer'];
    return typeof analyzer === 'string' ? defined(index, 'analyzer', analyzer) : byDefault(index);
  }
  const normalizer = field['normalizer'];
  if (typeof normalizer === 'string') return defined(index, 'normalizer', normalizer);
  return { name: '_keyword', chain: undefined };
}

/** Finds a field by path through objects and multi-fields; names may contain dots. */
function fieldAt(fields: JsonObject, path: readonly string[]): JsonObject | undefined {
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.');
    if (!Object.hasOwn(fields, name)) continue;
    const field = objectOf(fields[name]);
    if (length === path.length) return field;
    const below = { ...objectOf(field['properties']), ...objectOf(field['fields']) };
    const found = fieldAt(below, path.slice(length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function defined(
  index: IndexDescription | undefined,
  kind: 'analyzer' | 'normalizer',
  name: string,
): ChosenAnalyzer {
  const analysis = objectOf(objectOf(index?.settings['index'])['analysis']);
  const definition = objectOf(objectOf(analysis[kind])[name]);
  const type = definition['type'] ?? (Object.keys(definition).length > 0 ? 'custom' : undefined);
  const gap = Number(definition['position_increment_gap'] ?? DEFAULT_GAP);
  const chain = partsOf(definition, kind === 'analyzer' ? gap : 0);
  return { name, chain: type === 'custom' ? chain : undefined };
}

function partsOf(definition: JsonObject, gap: number): Chain {
  return {
    charFilters: listOf(definition['char_filter']),
    tokenizer: definition['tokenizer'] ?? WHOLE,
    filters: listOf(definition['filter']),
    gap,
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
