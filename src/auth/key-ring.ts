// Authenticates requests with the current keys of the key file. Recently verified secrets are
// cached as digests under a random key of this process. Changes of the file take effect within a
// second, without a restart.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isCode } from '../base/durable-file.js';
import { plainJson } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import { readAuthorization } from './credentials.js';
import { type Grant, grantOf } from './grant.js';
import { readKeys } from './key-file.js';
import { type Credentials, isSecretOf, type KeyRecord } from './key-record.js';

export interface KeyRingOptions {
  readonly path: string;
  readonly nowMs: () => number;
  /** Called if the file cannot be read; the keys stay unchanged. */
  readonly onError: (error: Error) => void;
  /** Called with every index name that a key was denied. */
  readonly onRefusal: (grant: Grant, index: string) => void;
}

export type ListedKey = Omit<KeyRecord, 'secret'>;

interface LoadedKey {
  readonly record: KeyRecord;
  readonly grant: Grant;
  /** Digest of the secret, once it has been verified. */
  digest: Buffer | undefined;
}

/** How long the file is assumed to be unchanged, in milliseconds. */
const LOOK_MS = 1000;
/**
 * Maximum numbers of concurrent and of queued hash computations, so that guessing keys cannot
 * exhaust the machine.
 */
const HASHING = 2;
const WAITING = 64;
/** Maximum number of cached wrong secrets. */
const REFUSED = 1000;

const CHALLENGE = 'Basic realm="security", charset="UTF-8", Bearer realm="security", ApiKey';

export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #digestKey = randomBytes(32);
  readonly #refused = new Set<string>();
  readonly #verifying = new Map<string, Promise<boolean>>();
  readonly #turns: (() => void)[] = [];
  #hashing = 0;
  #keys: ReadonlyMap<string, LoadedKey> = new Map();
  #mark = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** The keys as the file has them now, without what could prove or verify them. */
  async list(): Promise<readonly ListedKey[]> {
    await this.reload();
    return [...this.#keys.values()].map(({ record: { secret: _secret, ...listed } }) => listed);
  }

  /** Reads the file if it has changed. If it cannot be read, the keys stay unchanged. */
  reload(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#lookedAt = this.#options.nowMs();
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /**
   * Returns the grant of a valid key; otherwise throws security_exception with status 401. `what`
   * is the request in the message.
   */
  async authenticate(header: string | undefined, what: string): Promise<Grant> {
    const now = this.#options.nowMs();
    if (now - this.#lookedAt >= LOOK_MS || now < this.#lookedAt) await this.reload();
    if (header === undefined || header === '') {
      throw unauthenticated(`missing authentication credentials for REST request [${what}]`);
    }
    const shown = readAuthorization(header);
    const held = shown === undefined ? undefined : await this.#find(shown.id);
    // Key ids are not secret, so an unknown id need not take as long as a wrong secret.
    const good = shown !== undefined && held !== undefined && (await this.#verify(held, shown));
    if (!good || isExpired(held.record, now)) {
      throw unauthenticated(
        `unable to authenticate with provided credentials and anonymous access is not allowed for this request [${what}]`,
      );
    }
    return held.grant;
  }

  /**
   * An unknown key may have just been created, possibly after a running reload has read the file,
   * so the file is read again.
   */
  async #find(id: string): Promise<LoadedKey | undefined> {
    if (!this.#keys.has(id)) await this.#looking;
    if (!this.#keys.has(id)) await this.reload();
    return this.#keys.get(id);
  }

  async #look(): Promise<void> {
    const { path, onError } = this.#options;
    try {
      const mark = await markOf(path);
      if (mark === this.#mark) return;
      const records = await readKeys(path);
      this.#keys = new Map(records.map((record) => [record.id, this.#hold(record)]));
      this.#mark = mark;
      this.#refused.clear();
    } catch (error) {
      onError(error as Error);
    }
  }

  /** An unchanged key keeps its grant and its verified digest. */
  #hold(record: KeyRecord): LoadedKey {
    const before = this.#keys.get(record.id);
    if (before !== undefined && plainJson(before.record) === plainJson(record)) {
      return before;
    }
    const grant: Grant = grantOf(record, (index) => this.#options.onRefusal(grant, index));
    return { record, grant, digest: undefined };
  }

  async #verify(held: LoadedKey, { id, secret }: Credentials): Promise<boolean> {
    const digest = createHmac('sha256', this.#digestKey).update(secret).digest();
    if (held.digest !== undefined) return timingSafeEqual(held.digest, digest);
    const name = `${id}${digest.toString('base64')}`;
    if (this.#refused.has(name)) return false;
    let running = this.#verifying.get(name);
    if (running === undefined) {
      running = this.#hashed(() => isSecretOf(held.record, secret)).finally(() =>
        this.#verifying.delete(name),
      );
      this.#verifying.set(name, running);
    }
    const good = await running;
    if (good) held.digest = digest;
    else if (this.#refused.size < REFUSED) this.#refused.add(name);
    return good;
  }

  /** Runs `work` when fewer than HASHING computations are running. */
  async #hashed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#hashing >= HASHING) {
      if (this.#turns.length >= WAITING) {
        throw new QuarryError(
          'es_rejected_execution_exception',
          'too many keys are being verified at once, try again shortly',
        );
      }
      await new Promise<void>((resolve) => this.#turns.push(resolve));
    }
    this.#hashing += 1;
    try {
      return await work();
    } finally {
      this.#hashing -= 1;
      this.#turns.shift()?.();
    }
  }
}

/** Whether the key is expired or revoked at `now`, in epoch milliseconds. */
export function isExpired({ expires, revoked }: ListedKey, now: number): boolean {
  return revoked !== undefined || (expires !== undefined && expires <= now);
}

/** A string that changes with every change of the file. */
async function markOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 'none';
    throw error;
  }
}

export function unauthenticated(reason: string): QuarryError {
  return new QuarryError('security_exception', reason, {
    status: 401,
    extra: { header: { 'WWW-Authenticate': CHALLENGE } },
    headers: { 'WWW-Authenticate': CHALLENGE },
  });
}
