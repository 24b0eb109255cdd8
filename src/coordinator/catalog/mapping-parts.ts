// What the catalog keeps of mappings, by their text: ten thousand namespaces have few different
// mappings, and parsing one takes longer than everything else of a description.
import type { JsonObject } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { mappedEmbedders } from '../inference/mapped-embedders.js';
import type { IndexEntry } from './catalog.js';
import { parseJson } from './json-text.js';
import { semanticFields } from './semantic-fields.js';

export type MappedParts = Pick<IndexEntry, 'embedders' | 'semantic'>;

export function mappedParts(mappings: JsonObject): MappedParts {
  return { embedders: mappedEmbedders(mappings), semantic: semanticFields(mappings) };
}

/** The engine writes the mappings as the last member of a description. */
const LAST_MEMBER = ',"mappings":';
/** Texts whose parts are kept. */
const REMEMBERED = 64;

/** Reads many descriptions. */
export class MappingParts {
  readonly #known = new BoundedMap<string, MappedParts>(REMEMBERED);

  /**
   * The description without its mappings, and their parts. Undefined for one that is written in
   * another way, or that cannot be read.
   */
  split(json: string): { readonly rest: JsonObject; readonly parts: MappedParts } | undefined {
    const at = json.indexOf(LAST_MEMBER);
    if (at < 0) return undefined;
    try {
      const rest = parseJson(`${json.slice(0, at)}}`) as JsonObject;
      const text = json.slice(at + LAST_MEMBER.length, -1);
      const known = this.#known.get(text);
      if (known !== undefined) return { rest, parts: known };
      const parts = mappedParts(parseJson(text) as JsonObject);
      // A copy: a part of a string keeps the whole alive, here the descriptions of all indexes.
      this.#known.set(Buffer.from(text).toString(), parts);
      return { rest, parts };
    } catch {
      return undefined;
    }
  }
}
