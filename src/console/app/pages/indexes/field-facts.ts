// What the documents have in each field: examples, and how many values differ.
import { type Field, isCountable } from '../../data/mapping.js';
import { call, path } from '../../kit/api.js';
import { isObject, type Json, type JsonObject, jsonText } from '../../kit/json.js';

export interface FieldFacts {
  readonly examples: readonly string[];
  /** Number of different values, of large numbers an estimate; undefined if it is not counted. */
  readonly distinct: number | undefined;
}

const MOST_COUNTED = 100;
const DOCUMENTS = 20;
const MOST_EXAMPLES = 3;
const LONGEST = 60;

interface Answer {
  readonly hits: { readonly hits: readonly { readonly _source?: JsonObject }[] };
  readonly aggregations?: Readonly<Record<string, { readonly value: number }>>;
}

export async function loadFacts(
  index: string,
  fields: readonly Field[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FieldFacts>> {
  const target = path`/${index}/_search`;
  const { hits } = await call<Answer>('POST', target, { size: DOCUMENTS }, { signal });
  const sources = hits.hits.map(({ _source }) => _source ?? {});
  if (sources.length === 0) return new Map();
  const counted = fields.filter(isCountable).slice(0, MOST_COUNTED);
  const aggs = Object.fromEntries(
    counted.map((field, at) => [String(at), { cardinality: { field: field.path } }]),
  );
  const { aggregations } =
    counted.length === 0
      ? { aggregations: undefined }
      : await call<Answer>('POST', target, { size: 0, aggs }, { signal });
  const distinct = new Map(
    counted.map(({ path: name }, at) => [name, aggregations?.[String(at)]?.value]),
  );
  return new Map(
    fields.map((field) => [
      field.path,
      { examples: examplesOf(sources, field), distinct: distinct.get(field.path) },
    ]),
  );
}

function examplesOf(
  sources: readonly JsonObject[],
  { path: name, isSubfield, type }: Field,
): readonly string[] {
  if (type === 'object' || type === 'nested') return [];
  const names = name.split('.');
  // A subfield has the value of the field above it.
  const place = isSubfield ? names.slice(0, -1) : names;
  const found = new Set<string>();
  for (const source of sources) {
    for (const value of valuesAt(source, place)) {
      if (value === null) continue;
      const text = typeof value === 'string' ? value : jsonText(value, 0);
      found.add(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
      if (found.size === MOST_EXAMPLES) return [...found];
    }
  }
  return [...found];
}

/** All values at a path, inside lists too; members may be written with dots. */
function valuesAt(value: Json | undefined, names: readonly string[]): readonly Json[] {
  if (value === undefined) return [];
  if (names.length === 0) {
    const isVector = Array.isArray(value) && value.length > 3 && typeof value[0] === 'number';
    return Array.isArray(value) && !isVector ? value : [value];
  }
  if (Array.isArray(value)) return value.flatMap((item: Json) => valuesAt(item, names));
  if (!isObject(value)) return [];
  const whole = names.join('.');
  if (names.length > 1 && Object.hasOwn(value, whole)) return valuesAt(value[whole], []);
  const [first = '', ...rest] = names;
  return valuesAt(Object.hasOwn(value, first) ? value[first] : undefined, rest);
}
