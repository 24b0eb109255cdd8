// Opens the place of a repository: checks that the configuration permits it, and finds the keys of
// S3, which are in the environment alone.
import type { BlobStore } from './blob-store.js';
import { FolderStore } from './folder-store.js';
import { checkLocation } from './location.js';
import { repositoryError } from './refusals.js';
import type { RepositoryPlace } from './repository-body.js';
import type { S3Connections, S3Keys, S3Surroundings } from './s3/client.js';
import type { AllowedPlaces } from './s3/place.js';

export interface StoresOptions {
  /** The data folder, which no repository may use. */
  readonly dataDir: string;
  /** Folders in which repositories are permitted. */
  readonly roots: readonly string[];
  /** Places of S3 in which repositories are permitted. */
  readonly places: AllowedPlaces;
  readonly environment: (name: string) => string | undefined;
  readonly surroundings: S3Surroundings;
}

export class Stores {
  readonly #options: StoresOptions;
  #connections: S3Connections | undefined;

  constructor(options: StoresOptions) {
    this.#options = options;
  }

  /** `repository` is the name in messages. Throws repository_exception with status 400. */
  async open(repository: string, place: RepositoryPlace): Promise<BlobStore> {
    const { dataDir, roots, places, surroundings } = this.#options;
    if (place.type === 'fs') {
      return new FolderStore(await checkLocation(repository, place.location, roots, dataDir));
    }
    const objection = places.objection(place.place);
    if (objection !== undefined) throw repositoryError(repository, objection, 400);
    const keys = this.#keys(repository);
    // Loaded with the first repository, because most servers have none in S3.
    const { S3Client, S3Connections } = await import('./s3/client.js');
    const { S3Store } = await import('./s3/s3-store.js');
    this.#connections ??= new S3Connections();
    const client = new S3Client(place.place, keys, this.#connections, surroundings);
    return new S3Store(client, { partBytes: place.partBytes });
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#connections?.close();
  }

  #keys(repository: string): S3Keys {
    const value = (name: string): string | undefined => this.#options.environment(name)?.trim();
    const accessKeyId = value('AWS_ACCESS_KEY_ID') ?? '';
    const secretAccessKey = value('AWS_SECRET_ACCESS_KEY') ?? '';
    if (accessKeyId !== '' && secretAccessKey !== '') {
      const sessionToken = value('AWS_SESSION_TOKEN') || undefined;
      return { accessKeyId, secretAccessKey, sessionToken };
    }
    throw repositoryError(
      repository,
      'there are no keys for S3: start the server with [AWS_ACCESS_KEY_ID] and [AWS_SECRET_ACCESS_KEY] in its environment',
      400,
    );
  }
}
