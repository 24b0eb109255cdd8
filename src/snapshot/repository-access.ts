// Repositories by name: register, list, unregister, and open them to read or write. Unregistering
// keeps the files.
import { join } from 'node:path';
import type { DamagedEntry, JsonObject } from '../backend/index.js';
import { KeyedQueue } from '../base/keyed-queue.js';
import { QuarryError } from '../errors.js';
import { checkRepositoryName } from './names.js';
import { causeOf, repositoryError, statusOf } from './refusals.js';
import { Repositories } from './repositories.js';
import { Repository } from './repository.js';
import { type RepositorySettings, readRepositoryBody } from './repository-body.js';
import type { Stores } from './stores.js';

export interface RepositoryAccessOptions {
  /** The folder of the list of repositories. */
  readonly dataDir: string;
  readonly stores: Stores;
  readonly newUuid: () => string;
  /** Whether a snapshot or restore is running in the repository. */
  readonly inUse: (name: string) => boolean;
}

export interface OpenRepository {
  readonly settings: RepositorySettings;
  readonly files: Repository;
}

/** Name of the file in the data folder. */
const FILE = 'repositories.json';

export class RepositoryAccess {
  readonly #options: RepositoryAccessOptions;
  readonly #known: Repositories;
  readonly #turns = new KeyedQueue();

  constructor(options: RepositoryAccessOptions) {
    this.#options = options;
    this.#known = new Repositories(join(options.dataDir, FILE));
  }

  load(): Promise<void> {
    return this.#known.load();
  }

  damaged(): readonly DamagedEntry[] {
    return this.#known.damaged();
  }

  async put(name: string, body: JsonObject, verify: boolean): Promise<void> {
    checkRepositoryName(name);
    const settings = readRepositoryBody(name, body);
    const store = await this.#options.stores.open(name, settings.place);
    if (verify) await this.#probe({ settings, files: new Repository(name, store) });
    await this.#turns.take(FILE, async () => {
      this.#refuseInUse(name);
      await this.#known.put(name, settings);
    });
  }

  /**
   * Settings by name; without tokens, of all repositories. Throws repository_missing_exception for
   * an unknown name.
   */
  list(tokens: readonly string[]): ReadonlyMap<string, RepositorySettings> {
    const names = this.#known.choose(tokens);
    return new Map(names.map((name) => [name, this.#known.get(name)]));
  }
  /** Throws repository_missing_exception unless the repository is registered. */
  check(name: string): void {
    this.#known.get(name);
  }

  delete(tokens: readonly string[]): Promise<void> {
    return this.#turns.take(FILE, () =>
      this.#known.remove(tokens, (name) => this.#refuseInUse(name)),
    );
  }

  async verify(name: string): Promise<void> {
    await this.#probe(await this.open(name));
  }

  /**
   * Opens a repository. Its place is checked again, because links or the configuration may have
   * changed.
   */
  async open(name: string): Promise<OpenRepository> {
    const settings = this.#known.get(name);
    const files = new Repository(name, await this.#options.stores.open(name, settings.place));
    if (!settings.readonly) await tried(files, () => files.create());
    return { settings, files };
  }

  /** Like open(), but rejects a read-only repository. */
  async openToWrite(name: string): Promise<OpenRepository> {
    const opened = await this.open(name);
    if (opened.settings.readonly) throw repositoryError(name, 'repository is readonly', 400);
    return opened;
  }

  #probe({ settings, files }: OpenRepository): Promise<void> {
    return tried(files, async () => {
      if (settings.readonly) await files.snapshots();
      else await files.verify(this.#options.newUuid());
    });
  }

  #refuseInUse(name: string): void {
    if (!this.#options.inUse(name)) return;
    throw new QuarryError(
      'repository_conflict_exception',
      `[${name}] trying to modify or unregister repository that is currently used`,
    );
  }
}

/** Converts errors of the file system and of S3 to repository_exception. */
export async function tried<T>(files: Repository, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QuarryError) throw error;
    const cause = causeOf(error);
    throw new QuarryError(
      'repository_exception',
      `[${files.name}] the repository at [${files.location}] is not accessible: ${cause.reason}`,
      { causedBy: cause, ...statusOf(error) },
    );
  }
}
