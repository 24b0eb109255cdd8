// The repositories that were registered, in memory and in one small file of the data folder:
//   {"format": 1, "repositories": {"<name>": {"type": "fs", "settings": {…}}}}, and a checksum (durable-file.ts).
// A change is on stable storage before it is seen.

import type { JsonObject } from '../backend.js';
import { isCode, readChecked, writeChecked } from '../durable-file.js';
import { QuarryError } from '../errors.js';
import { asText } from '../json-text.js';
import { type RepositorySettings, readRepositoryBody } from './bodies.js';
import { isObject } from './body-fields.js';
import { choose } from './choose.js';
import { checkRepositoryName } from './names.js';
import { repositoryMissing } from './refusals.js';

const FORMAT = 1;

export class Repositories {
  readonly #path: string;
  #byName: ReadonlyMap<string, RepositorySettings> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  /** No file means no repositories. corrupt_index_exception names a damaged one. */
  async load(): Promise<void> {
    try {
      this.#byName = readFileValue((await readChecked(this.#path)) as JsonObject);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw new QuarryError(
        'corrupt_index_exception',
        `[${this.#path}] cannot be read as the list of snapshot repositories (${(error as Error).message}): repair it, or ` +
          'move it away and register the repositories again',
      );
    }
  }

  get(name: string): RepositorySettings {
    const found = this.#byName.get(name);
    if (found !== undefined) return found;
    throw repositoryMissing(name);
  }
  has(name: string): boolean {
    return this.#byName.has(name);
  }
  /** In the order of their names. repository_missing_exception for a plain name that is not there. */
  choose(tokens: readonly string[]): readonly string[] {
    return choose([...this.#byName.keys()].sort(), tokens, (name) => {
      throw repositoryMissing(name);
    });
  }

  /** One change at a time: the caller sees to that. */
  async put(name: string, settings: RepositorySettings): Promise<void> {
    await this.#replace(new Map([...this.#byName, [name, settings]]));
  }
  async remove(names: readonly string[]): Promise<void> {
    await this.#replace(new Map([...this.#byName].filter(([name]) => !names.includes(name))));
  }

  async #replace(byName: ReadonlyMap<string, RepositorySettings>): Promise<void> {
    const printed = [...byName].map(([name, { printed: settings }]) => [
      name,
      { type: 'fs', settings },
    ]);
    const file = { format: FORMAT, repositories: Object.fromEntries(printed) };
    try {
      await writeChecked(this.#path, file);
    } catch (error) {
      const why = (error as Error).message;
      throw new QuarryError('store_exception', `[${this.#path}] could not be written: ${why}`);
    }
    this.#byName = byName;
  }
}

function readFileValue(file: JsonObject): ReadonlyMap<string, RepositorySettings> {
  if (file['format'] !== FORMAT) {
    throw new Error(`format [${asText(file['format'])}], expected [${FORMAT}]`);
  }
  const repositories = file['repositories'];
  if (!isObject(repositories)) throw new Error('it has no object [repositories]');
  return new Map(
    Object.entries(repositories).map(([name, body]) => {
      checkRepositoryName(name);
      if (!isObject(body)) throw new Error(`repository [${name}] is no object`);
      return [name, readRepositoryBody(name, body)];
    }),
  );
}
