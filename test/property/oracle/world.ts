// The naive side of the search property test: a random mapping, documents as lists of values, and
// the statistics for scores, by loops over everything.

export const TYPES = ['text', 'keyword', 'long', 'double', 'date', 'boolean'] as const;
export type Type = (typeof TYPES)[number];
/**
 * Field names with their types; `n` (unique, in order of writing) and `g` (at most one value)
 * always exist.
 */
export type Mapping = ReadonlyMap<string, Type>;
/** Dates are strings in their written form. */
export type Value = string | number | boolean;
export type Values = ReadonlyMap<string, readonly Value[]>;

export interface Doc {
  readonly id: string;
  /** Order of writing, which resolves ties. */
  readonly n: number;
  readonly values: Values;
}

/** k1 and b of BM25, and the constant factor that Elasticsearch keeps. */
const K1 = 1.2;
const B = 0.75;

/** The form in which a value is compared and counted: numbers for all but words. */
export function keyOf(type: Type, value: Value): string | number {
  if (type === 'date') return Date.parse(String(value));
  return typeof value === 'boolean' ? Number(value) : value;
}

export class World {
  readonly mapping: Mapping;
  readonly #docs = new Map<string, Doc>();
  #next = 0;

  constructor(mapping: Mapping) {
    this.mapping = mapping;
  }

  put(id: string, values: Values): Doc {
    const doc = { id, n: this.#next++, values };
    this.#docs.set(id, doc);
    return doc;
  }
  delete(id: string): void {
    this.#docs.delete(id);
  }
  has(id: string): boolean {
    return this.#docs.has(id);
  }
  /** In order of writing. */
  get docs(): readonly Doc[] {
    return [...this.#docs.values()].sort((a, b) => a.n - b.n);
  }

  /** Distinct values of a document as in columns, ascending; empty for text fields. */
  keys(doc: Doc, field: string): readonly (string | number)[] {
    const type = this.#type(field);
    const keys = (doc.values.get(field) ?? []).map((value) => keyOf(type, value));
    const held = type === 'keyword' ? [...new Set(keys)] : keys;
    return held.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
  /** Words of a text, the whole values of a keyword. */
  terms(doc: Doc, field: string): readonly string[] {
    const values = (doc.values.get(field) ?? []).map(String);
    return this.#type(field) === 'text' ? values.flatMap((value) => value.split(' ')) : values;
  }
  /** The score of one term in a document; 0 if it does not occur. */
  bm25(doc: Doc, field: string, term: string): number {
    const isText = this.#type(field) === 'text';
    const having = this.docs.filter((one) => this.terms(one, field).length > 0);
    const length = (one: Doc): number =>
      isText ? this.terms(one, field).length : new Set(this.terms(one, field)).size;
    const containing = having.filter((one) => this.terms(one, field).includes(term)).length;
    const found = this.terms(doc, field).filter((one) => one === term).length;
    if (found === 0) return 0;
    const average = having.reduce((sum, one) => sum + length(one), 0) / having.length;
    const frequency = isText ? found : 1;
    // A keyword has no norms: every document has length 1.
    const norm = K1 * (1 - B + (B * (isText ? length(doc) : 1)) / average);
    const idf = Math.log(1 + (having.length - containing + 0.5) / (containing + 0.5));
    return (K1 + 1) * idf * (frequency / (frequency + norm));
  }
  #type(field: string): Type {
    return this.mapping.get(field) ?? 'keyword';
  }
}
