// A naive search engine in memory, the oracle of the property tests: documents by id, a searchable
// copy as of the last refresh, queries by loops over everything.

export interface Doc {
  readonly text: string;
  readonly kind: string;
  readonly rank: number;
  readonly tags: readonly string[];
}

export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'term'; readonly field: 'kind' | 'tags'; readonly value: string }
  | { readonly kind: 'match'; readonly words: readonly string[]; readonly and: boolean }
  | { readonly kind: 'phrase'; readonly words: readonly string[] }
  | { readonly kind: 'range'; readonly low: number; readonly high: number }
  | { readonly kind: 'prefix'; readonly value: string }
  | { readonly kind: 'not'; readonly query: Query }
  | { readonly kind: 'both'; readonly left: Query; readonly right: Query };

interface Stored {
  readonly id: string;
  readonly doc: Doc;
  readonly order: number;
}

export class Model {
  #docs = new Map<string, Stored>();
  #searchable: readonly Stored[] = [];
  #order = 0;

  index(id: string, doc: Doc): void {
    this.#docs.set(id, { id, doc, order: this.#order++ });
  }
  /** False if the document does not exist. */
  update(id: string, part: Partial<Doc>): boolean {
    const stored = this.#docs.get(id);
    if (stored === undefined) return false;
    const doc = { ...stored.doc, ...part };
    if (JSON.stringify(doc) !== JSON.stringify(stored.doc)) this.index(id, doc);
    return true;
  }
  delete(id: string): boolean {
    return this.#docs.delete(id);
  }
  get(id: string): Doc | undefined {
    return this.#docs.get(id)?.doc;
  }
  refresh(): void {
    this.#searchable = [...this.#docs.values()].sort((a, b) => a.order - b.order);
  }
  /** Ids of all matches by rank, ascending or descending, ties in the order of insertion. */
  search(query: Query, descending: boolean): readonly string[] {
    const sign = descending ? -1 : 1;
    return this.#searchable
      .filter(({ doc }) => matches(doc, query))
      .sort((a, b) => sign * (a.doc.rank - b.doc.rank) || a.order - b.order)
      .map(({ id }) => id);
  }
}

function matches(doc: Doc, query: Query): boolean {
  const words = doc.text.split(' ');
  switch (query.kind) {
    case 'all':
      return true;
    case 'term':
      return query.field === 'kind' ? doc.kind === query.value : doc.tags.includes(query.value);
    case 'match':
      return query.and
        ? query.words.every((word) => words.includes(word))
        : query.words.some((word) => words.includes(word));
    case 'phrase':
      return words.some((_, at) => query.words.every((word, i) => words[at + i] === word));
    case 'range':
      return doc.rank >= query.low && doc.rank < query.high;
    case 'prefix':
      return words.some((word) => word.startsWith(query.value));
    case 'not':
      return !matches(doc, query.query);
    case 'both':
      return matches(doc, query.left) && matches(doc, query.right);
  }
}

/** The same query in the query DSL. */
export function toDsl(query: Query): object {
  switch (query.kind) {
    case 'all':
      return { match_all: {} };
    case 'term':
      return { term: { [query.field]: query.value } };
    case 'match':
      return {
        match: { text: { query: query.words.join(' '), operator: query.and ? 'and' : 'or' } },
      };
    case 'phrase':
      return { match_phrase: { text: query.words.join(' ') } };
    case 'range':
      return { range: { rank: { gte: query.low, lt: query.high } } };
    case 'prefix':
      return { prefix: { text: query.value } };
    case 'not':
      return { bool: { must_not: [toDsl(query.query)] } };
    case 'both':
      return { bool: { must: [toDsl(query.left)], filter: [toDsl(query.right)] } };
  }
}
