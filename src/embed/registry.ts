// The inference endpoints that were registered by name, in memory and in one small file of the data folder:
//   {"format": 2, "sha256": …, "endpoints": {"<id>": {"service": …, "service_settings": …, "task_settings": …}}}
// The checksum is that of the endpoints as JSON; format 1 had none.
// A change is on stable storage before it is seen: written beside, synced, renamed, folder synced.
import { readFile } from 'node:fs/promises';
import type { Json, JsonObject } from '../backend.js';
import { sha256, writeDurably } from '../durable-file.js';
import { QuarryError } from '../errors.js';
import { plainJson } from '../json-text.js';
import { type Definition, printDefinition, readDefinition } from './endpoint-body.js';

const FORMAT = 2;

export class EndpointRegistry {
  readonly #path: string;
  #endpoints: ReadonlyMap<string, Definition> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the file; no file means no endpoints. corrupt_index_exception names a damaged one. */
  async load(): Promise<void> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw this.#damaged((error as Error).message);
    }
    try {
      this.#endpoints = readFileText(text);
    } catch (error) {
      throw this.#damaged((error as Error).message);
    }
  }

  get(id: string): Definition | undefined {
    return this.#endpoints.get(id);
  }
  /** In the order of their names. */
  entries(): readonly (readonly [string, Definition])[] {
    return [...this.#endpoints].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** One change at a time: the caller sees to that. */
  async put(id: string, definition: Definition): Promise<void> {
    await this.#replace(new Map([...this.#endpoints, [id, definition]]));
  }
  async remove(id: string): Promise<void> {
    await this.#replace(new Map([...this.#endpoints].filter(([name]) => name !== id)));
  }

  async #replace(endpoints: ReadonlyMap<string, Definition>): Promise<void> {
    const printed = [...endpoints].map(([id, definition]) => [id, printDefinition(definition)]);
    const shown = Object.fromEntries(printed) as JsonObject;
    const text = plainJson({ format: FORMAT, sha256: checksum(shown), endpoints: shown });
    try {
      await writeDurably(this.#path, `${text}\n`);
    } catch (error) {
      const why = (error as Error).message;
      throw new QuarryError('store_exception', `[${this.#path}] could not be written: ${why}`);
    }
    this.#endpoints = endpoints;
  }

  #damaged(why: string): QuarryError {
    return new QuarryError(
      'corrupt_index_exception',
      `[${this.#path}] cannot be read as the list of inference endpoints (${why}): repair it, or move it away and ` +
        'register the endpoints again',
    );
  }
}

function readFileText(text: string): ReadonlyMap<string, Definition> {
  const file = JSON.parse(text) as Json;
  if (!isObject(file)) throw new Error('it holds no object');
  if (file['format'] !== FORMAT && file['format'] !== 1)
    throw new Error(`format [${file['format']}], expected [${FORMAT}]`);
  const endpoints = file['endpoints'];
  if (!isObject(endpoints)) throw new Error('it has no object [endpoints]');
  if (file['format'] === FORMAT && file['sha256'] !== checksum(endpoints))
    throw new Error('it does not match its checksum');
  return new Map(Object.entries(endpoints).map(([id, body]) => [id, readOne(id, body)]));
}

function checksum(endpoints: JsonObject): string {
  return sha256(plainJson(endpoints));
}

function readOne(id: string, body: Json): Definition {
  if (!isObject(body)) throw new Error(`endpoint [${id}] is no object`);
  try {
    return readDefinition(body);
  } catch (error) {
    throw new Error(`endpoint [${id}]: ${(error as Error).message}`);
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
