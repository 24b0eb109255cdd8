// What the mapping of a namespace's index can answer: namespaces that were created earlier lack
// some fields, or have another analyzer.
import type { Backend, Json, JsonObject } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { isObject } from '../body-fields.js';
import { MEMORY_ANALYZER } from '../memory-index.js';

export interface FieldFacts {
  /**
   * Function words have to be taken off a question, because the analyzer of the texts keeps English
   * ones.
   */
  readonly keepsFunctionWords: boolean;
  /** The fields of speaker and day. */
  readonly said: boolean;
  readonly session: boolean;
}

/** Analyzers of English texts that index function words, one of them the default of former days. */
const KEEPING = new Set(['english', 'standard']);
/** Namespaces whose facts are cached. */
const REMEMBERED = 10_000;

export class MemoryFields {
  readonly #backend: Backend;
  /** By the number of the index, which is never reused; its mapped fields never change. */
  readonly #known = new BoundedMap<number, FieldFacts>(REMEMBERED);

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  of(index: string): FieldFacts {
    const [description] = this.#backend.resolve(index, {});
    if (description === undefined)
      return { keepsFunctionWords: false, said: false, session: false };
    const known = this.#known.get(description.number);
    if (known !== undefined) return known;
    const facts = factsOf(description.mappings);
    this.#known.set(description.number, facts);
    return facts;
  }
}

function factsOf({ properties }: JsonObject): FieldFacts {
  const fields = isObject(properties) ? properties : {};
  const analyzer = memberOf(fields['text'], 'analyzer') ?? 'standard';
  return {
    keepsFunctionWords: typeof analyzer === 'string' && KEEPING.has(analyzer),
    said: [fields['said_by'], fields['said_on']].every(
      (field) => memberOf(field, 'analyzer') === MEMORY_ANALYZER,
    ),
    session: memberOf(fields['session'], 'type') === 'keyword',
  };
}

function memberOf(field: Json | undefined, name: string): Json | undefined {
  return isObject(field) ? field[name] : undefined;
}
