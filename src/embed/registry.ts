// The registered inference endpoints, stored in inference.json of the data folder (entry-file.ts):
//   {"format": 2, "sha256": …, "endpoints": {"<id>": {"service": …, "service_settings": …,
//   "task_settings": …}}}
// The checksum is that of the endpoints as JSON; format 1 has none.
import type { DamagedEntry, Json, JsonObject } from '../backend/index.js';
import { type FileCodec, sha256 } from '../base/durable-file.js';
import { EntryFile, type EntryStore } from '../base/entry-file.js';
import { parseExact, printExact } from '../base/exact-json.js';
import { type Definition, printDefinition, readDefinition } from './endpoint-body.js';

const FORMAT = 2;
const SECTION = 'endpoints';

export class EndpointRegistry {
  readonly #file: EntryFile<typeof SECTION, Definition>;

  constructor(path: string | EntryStore) {
    this.#file = new EntryFile(path, {
      list: 'list of inference endpoints',
      remedy: 'register the endpoints again',
      format: FORMAT,
      sections: { [SECTION]: 'inference endpoint' },
      read: (_section, _id, stored) => readDefinition(stored),
      print: printDefinition,
      codec: CODEC,
    });
  }

  load(): Promise<void> {
    return this.#file.load();
  }
  damaged(): readonly DamagedEntry[] {
    return this.#file.damaged();
  }

  /** Throws corrupt_index_exception for a damaged endpoint. */
  get(id: string): Definition | undefined {
    this.#file.refuseDamaged(SECTION, id);
    return this.#file.all[SECTION].get(id);
  }
  /** The readable endpoints, sorted by id. */
  entries(): readonly (readonly [string, Definition])[] {
    return [...this.#file.all[SECTION]].sort(([a], [b]) => (a < b ? -1 : 1));
  }
  /** Whether an endpoint has that id, readable or not. */
  has(id: string): boolean {
    this.#file.refuseDamagedFile();
    return this.#file.has(SECTION, id);
  }

  /** The caller must not run two changes at the same time. */
  put(id: string, definition: Definition): Promise<void> {
    return this.#file.change([{ section: SECTION, name: id, entry: definition }]);
  }
  remove(id: string): Promise<void> {
    return this.#file.change([{ section: SECTION, name: id, entry: undefined }]);
  }
}

const CODEC: FileCodec = {
  formats: [1],
  encode: ({ format, endpoints }) =>
    `${printExact({ format, sha256: checksum(endpoints), endpoints })}\n`,
  decode(text) {
    const file = parseExact(text);
    if (typeof file !== 'object' || file === null || Array.isArray(file)) {
      throw new Error('it holds no object');
    }
    const { format, sha256: expected, endpoints } = file as JsonObject;
    if (format === FORMAT && expected !== checksum(endpoints)) {
      throw new Error('it does not match its checksum');
    }
    return file as JsonObject;
  },
};

function checksum(endpoints: Json | undefined): string {
  return sha256(printExact(endpoints));
}
