// The places of repositories, each empty and new, and a look into them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '../../src/snapshot/blob-store.ts';
import { FolderStore } from '../../src/snapshot/folder-store.ts';
import { S3Client, S3Connections } from '../../src/snapshot/s3/client.ts';
import { readPlace } from '../../src/snapshot/s3/place.ts';
import { S3Store } from '../../src/snapshot/s3/s3-store.ts';
import { filesBelow } from '../tools/repository.ts';
import { S3Stub, STUB_KEYS } from '../tools/s3-stub.ts';

export interface TestPlace {
  readonly store: BlobStore;
  /** Paths of all files, complete or not, sorted. */
  files(): readonly string[];
  /** Leaves what a crash in the middle of a write leaves. */
  leaveUnfinished(folder: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenPlace = () => Promise<TestPlace>;

const BASE = 'nightly/one';

export async function openFolder(): Promise<TestPlace> {
  const location = mkdtempSync(join(tmpdir(), 'quarry-repository-'));
  return {
    store: new FolderStore(location),
    files: () => filesBelow(location),
    async leaveUnfinished(folder) {
      mkdirSync(join(location, folder), { recursive: true });
      writeFileSync(join(location, folder, 'half.tmp'), 'ha');
    },
    async close() {
      rmSync(location, { recursive: true });
    },
  };
}

export interface BucketOptions {
  readonly partBytes?: number;
  readonly maxPages?: number;
  /** Called in the place of a pause. */
  readonly pause?: (ms: number) => void;
}

/** A bucket of the stub, whose pauses take no time. */
export async function openBucket(
  options: BucketOptions = {},
): Promise<TestPlace & { readonly stub: S3Stub; readonly store: S3Store }> {
  const stub = new S3Stub();
  await stub.start();
  const connections = new S3Connections();
  const place = readPlace({
    bucket: stub.bucket,
    basePath: BASE,
    endpoint: stub.endpoint,
    region: stub.region,
    pathStyle: true,
  });
  const keys = {
    accessKeyId: STUB_KEYS.AWS_ACCESS_KEY_ID,
    secretAccessKey: STUB_KEYS.AWS_SECRET_ACCESS_KEY,
    sessionToken: undefined,
  };
  const client = new S3Client(place, keys, connections, {
    nowMs: Date.now,
    random: () => 0.5,
    pause: async (ms) => options.pause?.(ms),
    signal: new AbortController().signal,
  });
  const { partBytes = 5 * 1024 * 1024, maxPages } = options;
  return {
    stub,
    store: new S3Store(client, { partBytes, ...(maxPages === undefined ? {} : { maxPages }) }),
    files: () => [
      ...stub.keys(`${BASE}/`),
      ...[...stub.uploads.values()].map(({ key }) => `upload of ${key}`),
    ],
    async leaveUnfinished(folder) {
      stub.uploads.set('half', { key: `${BASE}/${folder}/half.data`, parts: new Map() });
    },
    async close() {
      await connections.close();
      await stub.stop();
    },
  };
}

export const PLACES: readonly (readonly [string, OpenPlace])[] = [
  ['a folder', openFolder],
  ['S3', openBucket],
];
