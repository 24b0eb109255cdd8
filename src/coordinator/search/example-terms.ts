// The terms of the liked texts and documents of a `more_like_this` clause with their frequencies,
// without those of the unliked ones.
import type { JsonObject } from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import { isNoise } from '../../query/interesting-terms.js';
import { checkLength } from '../../query/list-limits.js';
import type { LikedDocument, MoreLikeThis } from '../../query/more-like-this.js';
import { illegal, malformed, toText } from '../../query/values.js';
import type { TextTerm } from '../../wire/suggest.js';
import { hasText } from '../catalog/text-fields.js';
import type { LikedIndexes } from './liked-search.js';
import { valuesAt } from './terms-lookup.js';

export type FieldWords = Map<string, number>;

/** Lucene takes no more from a text that is not in the index. */
const MOST_TOKENS = 5000;

export class ExampleTerms {
  readonly #clause: MoreLikeThis;
  readonly #indexes: LikedIndexes;
  readonly #unliked = new Set<string>();
  #size = 0;
  /** Of the documents. */
  readonly byField = new Map<string, FieldWords>();
  /** In the first of `fields`; they are looked for in all of them. */
  readonly ofTexts: FieldWords = new Map();
  /** The names of the fields, and patterns of such names. */
  readonly fields: readonly string[];

  /** Throws for fields that have no terms of texts. */
  constructor(clause: MoreLikeThis, indexes: LikedIndexes) {
    this.#clause = clause;
    this.#indexes = indexes;
    this.fields = fieldsOf(clause, indexes);
  }

  async read(): Promise<void> {
    const { like, unlike } = this.#clause;
    // Without any field nothing is alike.
    if (this.fields.length === 0) return;
    const [first = ''] = this.fields;
    const unliked = (field: string, { term }: TextTerm): void => {
      this.#unliked.add(keyOf(field, term));
      checkTerms(this.#unliked.size);
    };
    await this.#texts(unlike.texts, first, 0, unliked);
    for (const document of unlike.documents) await this.#document(document, unliked);
    await this.#texts(like.texts, first, MOST_TOKENS, (field, term) => {
      this.#count(this.ofTexts, field, term);
    });
    for (const document of like.documents) {
      await this.#document(document, (field, term) =>
        this.#count(this.#wordsOf(field), field, term),
      );
    }
  }

  async #texts(
    texts: readonly string[],
    field: string,
    mostTokens: number,
    add: (field: string, term: TextTerm) => void,
  ): Promise<void> {
    if (texts.length === 0) return;
    const { analyzer } = this.#clause;
    const ask = { field: this.#analysedAs(field), analyzer, mostTokens, sorted: false, texts };
    const [terms = []] = await this.#indexes.terms(undefined, [ask]);
    await mapCooperatively(terms, (term) => add(field, term));
  }

  /** The field whose analyzer the texts take: the first, or any field where the clause names one. */
  #analysedAs(first: string): string {
    const { searched } = this.#indexes;
    const isMapped = (name: string): boolean =>
      searched.some((index) => this.#indexes.fieldsIn(index).get(name) !== undefined);
    if (searched.length === 0 || isMapped(first)) return first;
    if (this.#clause.analyzer !== '') return this.fields.find(isMapped) ?? first;
    throw illegal(
      `[more_like_this] no searched index has the field [${first}], whose analyzer the texts need: name a text field first in [fields], or name an [analyzer]`,
    );
  }

  async #document(
    document: LikedDocument,
    add: (field: string, term: TextTerm) => void,
  ): Promise<void> {
    for (const { index, source } of await this.#indexes.read(document)) {
      const asks = this.#indexes
        .fieldsIn(index)
        .matching(this.#namesOf(document))
        .map(({ name: field, paths }) => ({
          field,
          analyzer: document.analyzers.get(field) ?? '',
          mostTokens: 0,
          sorted: true,
          texts: textsAt(source, paths),
        }))
        .filter(({ texts }) => texts.length > 0);
      const lists = await this.#indexes.terms(index, asks);
      for (const [at, { field }] of asks.entries()) {
        await mapCooperatively(lists[at] ?? [], (term) => add(field, term));
      }
    }
  }

  /** A document of the request has all its fields, as in Elasticsearch. */
  #namesOf({ fields, doc }: LikedDocument): readonly string[] {
    if (fields !== undefined) return fields;
    return doc !== undefined || this.#clause.fields === undefined ? ['*'] : this.fields;
  }

  #wordsOf(field: string): FieldWords {
    const known = this.byField.get(field);
    if (known !== undefined) return known;
    const words: FieldWords = new Map();
    this.byField.set(field, words);
    return words;
  }

  #count(words: FieldWords, field: string, { term, occurrences }: TextTerm): void {
    if (isNoise(term, this.#clause) || this.#unliked.has(keyOf(field, term))) return;
    const known = words.get(term);
    if (known === undefined) {
      this.#size += 1;
      checkTerms(this.#size);
    }
    words.set(term, (known ?? 0) + occurrences);
  }
}

/** `count`: of the terms, each of which is looked up in every segment. */
export function checkTerms(count: number): void {
  checkLength(
    'the terms of the liked texts and documents of [more_like_this]',
    count,
    'name fewer examples or [fields]',
  );
}

/** Neither has a NUL. */
function keyOf(field: string, term: string): string {
  return `${field}\0${term}`;
}

function textsAt(source: JsonObject, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    [...valuesAt(source, path.split('.'))].flatMap((value) => toText(value) ?? []),
  );
}

/** By the names that the indexes have for them. */
function fieldsOf(clause: MoreLikeThis, indexes: LikedIndexes): readonly string[] {
  if (clause.fields === undefined) {
    const fields = indexes.defaultFields();
    const hasTexts = clause.like.texts.length + clause.unlike.texts.length > 0;
    if (!hasTexts || fields.length !== 1 || fields[0] !== '*') return fields;
    throw illegal(
      '[more_like_this] query cannot infer the field to analyze the free text, you should update the [index.query.default_field] index setting to a field that exists in the mapping or set the [fields] option in the query.',
    );
  }
  return clause.fields.flatMap((name) => {
    const mapped = indexes.searched.flatMap((index) => indexes.fieldsIn(index).get(name) ?? []);
    const [first] = mapped;
    if (first === undefined) return name;
    const nested = mapped.find((field) => field.nested !== undefined);
    if (nested !== undefined) {
      throw malformed(
        `[more_like_this] field [${name}] is inside the nested object [${nested.nested}], which is not supported: name a field outside, or copy it to one`,
      );
    }
    if (clause.failOnUnsupportedField && !mapped.every(hasText)) {
      throw illegal(`more_like_this only supports text/keyword fields: [${name}]`);
    }
    return mapped.find(hasText)?.name ?? [];
  });
}
