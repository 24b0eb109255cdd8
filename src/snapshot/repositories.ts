// The registered repositories, stored in repositories.json of the data folder (entry-file.ts):
//   {"repositories": {"<name>": {"type": "fs" or "s3", "settings": {…}}}}
import type { DamagedEntry } from '../backend/index.js';
import { EntryFile } from '../base/entry-file.js';
import { choose } from './choose.js';
import { checkRepositoryName } from './names.js';
import { repositoryMissing } from './refusals.js';
import { type RepositorySettings, readRepositoryBody } from './repository-body.js';

const SECTION = 'repositories';

export class Repositories {
  readonly #file: EntryFile<typeof SECTION, RepositorySettings>;

  constructor(path: string) {
    this.#file = new EntryFile(path, {
      list: 'list of snapshot repositories',
      remedy: 'register the repositories again',
      format: 1,
      sections: { [SECTION]: 'repository' },
      read: (_section, name, stored) => {
        checkRepositoryName(name);
        return readRepositoryBody(name, stored);
      },
      print: ({ place: { type }, printed: settings }) => ({ type, settings }),
    });
  }

  load(): Promise<void> {
    return this.#file.load();
  }
  damaged(): readonly DamagedEntry[] {
    return this.#file.damaged();
  }

  /** Throws corrupt_index_exception for a damaged entry. */
  get(name: string): RepositorySettings {
    this.#file.refuseDamaged(SECTION, name);
    const found = this.#file.all[SECTION].get(name);
    if (found !== undefined) return found;
    throw repositoryMissing(name);
  }
  /** The selected names, sorted. Throws repository_missing_exception for an unknown plain name. */
  choose(tokens: readonly string[]): readonly string[] {
    return this.#chosen([...this.#file.all[SECTION].keys()], tokens);
  }

  /** The caller must not run two changes at the same time. */
  put(name: string, settings: RepositorySettings): Promise<void> {
    return this.#file.change([{ section: SECTION, name, entry: settings }]);
  }
  /** Also removes damaged entries. `check` throws for a repository that must stay. */
  remove(tokens: readonly string[], check: (name: string) => void): Promise<void> {
    this.#file.refuseDamagedFile();
    const all = [...this.#file.all[SECTION].keys(), ...this.#file.damagedEntries(SECTION).keys()];
    const names = this.#chosen(all, tokens);
    for (const name of names) check(name);
    return this.#file.change(names.map((name) => ({ section: SECTION, name, entry: undefined })));
  }

  #chosen(names: readonly string[], tokens: readonly string[]): readonly string[] {
    return choose([...names].sort(), tokens, (name) => {
      this.#file.refuseDamaged(SECTION, name);
      throw repositoryMissing(name);
    });
  }
}
