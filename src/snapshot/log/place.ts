// The place that a log is shipped to, as the operator writes it: a folder, or an address of S3 in
// the form https://ENDPOINT/BUCKET/PATH. It is permitted because it is configured.

import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '../blob-store.js';
import { readRepositoryBody } from '../repository-body.js';
import { AllowedPlaces } from '../s3/place.js';
import { Stores } from '../stores.js';

export interface LogPlaceOptions {
  readonly place: string;
  /** Of the bucket; '' for the usual one. */
  readonly region: string;
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

export interface LogPlace {
  readonly store: BlobStore;
  close(): Promise<void>;
}

/** Throws unless it is a folder or such an address. `name` is what the place was given as. */
export function checkLogPlace(place: string, name: string): void {
  if (!/^[a-z0-9]+:\/\//i.test(place)) return;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  const isPlain = url !== undefined && url.search + url.hash + url.username === '';
  if (isPlain && /^https?:$/.test(url.protocol) && url.pathname.length > 1) return;
  throw new Error(`${name} must be a folder or like https://ENDPOINT/BUCKET/PATH, not [${place}]`);
}

/** Rejects with a QuarryError that says what is wrong with the place. */
export async function openLogPlace(options: LogPlaceOptions): Promise<LogPlace> {
  const { place, region, dataDir, signal } = options;
  checkLogPlace(place, 'the place');
  const isAddress = /^https?:\/\//i.test(place);
  const folder = resolve(place);
  const url = isAddress ? new URL(place) : undefined;
  const [bucket = '', ...path] = url?.pathname.slice(1).replace(/\/$/, '').split('/') ?? [];
  const settings = {
    endpoint: url?.origin ?? '',
    bucket,
    base_path: path.join('/'),
    path_style_access: true,
    ...(region === '' ? {} : { region }),
  };
  const stores = new Stores({
    dataDir: resolve(dataDir),
    roots: [folder],
    places: new AllowedPlaces(isAddress ? [url?.origin, bucket, ...path].join('/') : ''),
    environment: (name) => process.env[name],
    surroundings: {
      nowMs: Date.now,
      random: Math.random,
      pause: (ms, stop) => pause(ms, undefined, { signal: stop }).catch(() => {}),
      signal,
    },
  });
  const body = isAddress
    ? readRepositoryBody('ship_log', { type: 's3', settings })
    : readRepositoryBody('ship_log', { type: 'fs', settings: { location: folder } });
  return { store: await stores.open('ship_log', body.place), close: () => stores.close() };
}
