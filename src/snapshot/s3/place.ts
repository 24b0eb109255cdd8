// The place of a repository in S3: endpoint, bucket and path, from the settings of a repository, and
// the list of places that the configuration permits.
import { isIP } from 'node:net';
import { QuarryError } from '../../errors.js';

export const PLACES_SETTING = 'snapshot.s3_places';

export interface S3Place {
  /** Scheme, host and port, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Names between slashes, without one at either end; may be empty. */
  readonly basePath: string;
  readonly region: string;
  /** Whether the bucket is in the path, not in the host name. */
  readonly pathStyle: boolean;
}

const DEFAULT_REGION = 'us-east-1';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,64}$/;
const SEGMENT = /^[A-Za-z0-9._=-]{1,255}$/;

/** Throws illegal_argument_exception that names the setting. */
export function readPlace(settings: {
  readonly bucket: string | undefined;
  readonly basePath: string | undefined;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly pathStyle: boolean;
}): S3Place {
  const { bucket = '', region = DEFAULT_REGION, basePath = '' } = settings;
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    throw illegal(
      `setting [bucket] must be the name of a bucket, 3 to 63 characters of [a-z0-9.-], got [${bucket}]`,
    );
  }
  if (!REGION.test(region)) {
    throw illegal(`setting [region] must be a name such as [eu-central-1], got [${region}]`);
  }
  const { endpoint = `https://s3.${region}.amazonaws.com` } = settings;
  const origin = readEndpoint(endpoint, 'setting [endpoint]');
  return {
    endpoint: origin,
    bucket,
    basePath: readPath(basePath, 'setting [base_path]'),
    region,
    pathStyle: settings.pathStyle || !allowsBucketInHost(origin, bucket),
  };
}

/** An address has no sub-domains, and a certificate for *.host fits no bucket with dots. */
function allowsBucketInHost(endpoint: string, bucket: string): boolean {
  const { hostname, protocol } = new URL(endpoint);
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || hostname === 'localhost') return false;
  return protocol === 'http:' || !bucket.includes('.');
}

/** https is the default scheme. */
function readEndpoint(text: string, what: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const plain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.pathname === '/' &&
    url.search + url.hash + url.username + url.password === '';
  if (plain) return url.origin;
  throw illegal(
    `${what} must be an address such as [https://s3.example.com:9000], without path, user or parameters, got [${text}]`,
  );
}

function readPath(text: string, what: string): string {
  const path = text.replace(/^\/|\/$/g, '');
  const names = path === '' ? [] : path.split('/');
  if (names.every((name) => SEGMENT.test(name) && name !== '.' && name !== '..')) return path;
  throw illegal(`${what} must be names of [A-Za-z0-9._=-] between slashes, got [${text}]`);
}

/** One line for messages; the same for every spelling of a place. */
export function placeText({ endpoint, bucket, basePath }: S3Place): string {
  return `${endpoint}/${bucket}${basePath === '' ? '' : `/${basePath}`}`;
}

/**
 * The permitted places. Whoever may register repositories chooses where data and signed requests
 * are sent, so without an entry there is no place.
 */
export class AllowedPlaces {
  readonly #text: string;
  readonly #entries: readonly string[];

  /**
   * `list` is comma-separated: ENDPOINT/BUCKET or ENDPOINT/BUCKET/PATH. Throws
   * illegal_argument_exception for a malformed entry.
   */
  constructor(list: string) {
    this.#text = list;
    this.#entries = list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(readEntry);
  }

  /** Why the place is not permitted; undefined if it is. */
  objection(place: S3Place): string | undefined {
    const text = placeText(place);
    if (this.#entries.some((entry) => text === entry || text.startsWith(`${entry}/`))) {
      return undefined;
    }
    const allowed = this.#entries.length === 0 ? 'which is empty and allows none' : this.#text;
    return (
      `the place [${text}] is not allowed by [${PLACES_SETTING}], ${allowed}: choose one below it, or ` +
      `start the server with --${PLACES_SETTING}=ENDPOINT/BUCKET`
    );
  }
}

function readEntry(entry: string): string {
  const [, endpoint = '', bucket = '', path = ''] =
    /^((?:[a-z]+:\/\/)?[^/]+)\/([^/]+)\/?(.*)$/i.exec(entry) ?? [];
  try {
    return placeText(
      readPlace({ bucket, basePath: path, endpoint, region: undefined, pathStyle: true }),
    );
  } catch (error) {
    throw illegal(
      `[${PLACES_SETTING}] has the entry [${entry}], expected ENDPOINT/BUCKET or ENDPOINT/BUCKET/PATH, such as ` +
        `[https://s3.eu-central-1.amazonaws.com/backups]: ${(error as Error).message}`,
    );
  }
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
