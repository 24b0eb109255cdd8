// The readers of `_reindex` from another server: which servers may be read, with which credentials,
// and what their failures are called.
import { setTimeout as pause } from 'node:timers/promises';
import type { RemoteSource } from '../../../backend/index.js';
import { wildcardMatch } from '../../../base/wildcard.js';
import { QuarryError } from '../../../errors.js';
import type { HeldBytes } from '../../../ops/in-flight.js';
import type { LiveConfig } from '../../../ops/live-config.js';
import { illegal } from '../../../query/values.js';
import { OutboundClient } from '../../../remote/exchange.js';
import type { HitsPage } from '../../../remote/hits-page.js';
import { Peer, PeerError } from '../../../remote/peer.js';
import { PeerScroll } from '../../../remote/peer-scroll.js';
import { type PeerVersion, sourceWithVectors, versionOf } from '../../../remote/peer-version.js';
import { RemoteWhitelist, WHITELIST_SETTING } from '../../../remote/whitelist.js';
import type { ScrollReader } from './run.js';
import type { Status } from './status.js';
import type { Task } from './task-table.js';

export interface RemoteReadersOptions {
  readonly whitelist: RemoteWhitelist;
  /** Comma-separated names and patterns of environment variables. */
  readonly secretEnvs: string;
  readonly environment: (name: string) => string | undefined;
  /** Memory reservation for an answer. */
  readonly hold: () => HeldBytes;
}

/** A server that one task reads. */
export interface OpenRemote {
  /** `part` counts the repeated requests. */
  reader(task: Task, part: Status): ScrollReader;
  close(): Promise<void>;
}

const SECRETS_SETTING = 'reindex.remote.secret_envs';
/** Largest answer, as in Elasticsearch. */
const MAX_ANSWER_BYTES = 100 * 1024 * 1024;
/** All slices of a task together. */
const MAX_TASK_BYTES = 256 * 1024 * 1024;
const MAX_SLICES = 16;
/** Time in which a scroll must be cleared, which ends by itself otherwise. */
const CLEAR_MS = 5000;
/** Pauses while the memory for requests and answers is in use. */
const MEMORY_PAUSE_MS = 200;
const MEMORY_TRIES = 300;

/** The readers that the configuration of this node allows. */
export function remoteReaders(live: LiveConfig, hold: () => HeldBytes): RemoteReaders {
  return new RemoteReaders({
    whitelist: new RemoteWhitelist(live.get(WHITELIST_SETTING)),
    secretEnvs: live.get(SECRETS_SETTING),
    environment: (name) => process.env[name],
    hold,
  });
}

export class RemoteReaders {
  readonly #options: RemoteReadersOptions;
  readonly #secretEnvs: readonly string[];

  constructor(options: RemoteReadersOptions) {
    this.#options = options;
    this.#secretEnvs = options.secretEnvs
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  }

  /** Throws illegal_argument_exception unless the configuration allows to read from there. */
  open(remote: RemoteSource, index: string, slices: number): OpenRemote {
    this.#options.whitelist.check(remote.host);
    if (slices > MAX_SLICES) {
      throw illegal(`[slices] must be at most ${MAX_SLICES} with [remote], but was [${slices}]`);
    }
    const { headers, secrets } = this.#headersOf(remote);
    const { connectTimeoutMs, socketTimeoutMs: idleTimeoutMs } = remote;
    const client = new OutboundClient(this.#options.whitelist, undefined, connectTimeoutMs);
    const peer = new Peer({ url: remote.host, headers, secrets, client, idleTimeoutMs });
    const maxAnswerBytes = Math.min(MAX_ANSWER_BYTES, Math.floor(MAX_TASK_BYTES / slices));
    let version: Promise<PeerVersion> | undefined;
    return {
      reader: (task, part) =>
        this.#reader(peer, { index, maxAnswerBytes, task, part }, () => {
          version ??= versionOf(peer, task.signal);
          return version;
        }),
      close: () => client.close(),
    };
  }

  #reader(
    peer: Peer,
    slice: {
      readonly index: string;
      readonly maxAnswerBytes: number;
      readonly task: Task;
      readonly part: Status;
    },
    version: () => Promise<PeerVersion>,
  ): ScrollReader {
    const { index, maxAnswerBytes, task, part } = slice;
    let held = this.#options.hold();
    let left = Number.POSITIVE_INFINITY;
    const scroll = new PeerScroll({
      peer,
      index,
      maxAnswerBytes,
      signal: task.signal,
      onAnswer: (bytes) => held.keep(bytes),
      onRepeat: () => {
        part.searchRetries += 1;
      },
    });
    const read = async (page: () => Promise<HitsPage>): Promise<HitsPage> => {
      held.release();
      held = await this.#room(task.signal);
      try {
        const batch = await page();
        left -= batch.hits.length;
        if (left < 0) throw peer.unusable('more documents than it counted at the start');
        return batch;
      } catch (error) {
        throw error instanceof PeerError ? toQuarryError(error, maxAnswerBytes) : error;
      }
    };
    return {
      start: (body, keepAlive) =>
        read(async () => {
          const source = sourceWithVectors(await version(), body['_source']);
          const { seq_no_primary_term: _seqNo, ...rest } = body;
          const page = await scroll.start(
            {
              ...rest,
              track_total_hits: true,
              ...(source === undefined ? {} : { _source: source }),
            },
            keepAlive,
          );
          if (page.total === undefined) throw peer.unusable('without [hits.total]');
          if (page.scrollId === undefined) throw peer.unusable('without [_scroll_id]');
          left = page.total.value;
          return page;
        }),
      next: (id, keepAlive) => read(() => scroll.next(id, keepAlive)),
      clear: async (id) => {
        held.release();
        await scroll.clear(id, AbortSignal.timeout(CLEAR_MS));
      },
    };
  }

  /** Waits until requests and answers leave room for another one. */
  async #room(signal: AbortSignal): Promise<HeldBytes> {
    for (let tries = 1; ; tries++) {
      const held = this.#options.hold();
      try {
        held.take(1);
        return held;
      } catch (error) {
        if (tries >= MEMORY_TRIES) throw error;
      }
      await pause(MEMORY_PAUSE_MS, undefined, { signal });
    }
  }

  #headersOf(remote: RemoteSource): {
    readonly headers: Readonly<Record<string, string>>;
    readonly secrets: readonly string[];
  } {
    const { headers, username, password, passwordEnv, apiKeyEnv } = remote;
    const given = Object.values(headers);
    if (apiKeyEnv !== undefined) {
      const key = this.#secret(apiKeyEnv, 'api_key_env');
      return { headers: { ...headers, authorization: `ApiKey ${key}` }, secrets: [...given, key] };
    }
    if (username === undefined) return { headers, secrets: given };
    const word =
      passwordEnv === undefined ? (password ?? '') : this.#secret(passwordEnv, 'password_env');
    const basic = Buffer.from(`${username}:${word}`).toString('base64');
    return {
      headers: { ...headers, authorization: `Basic ${basic}` },
      secrets: [...given, basic, word],
    };
  }

  /** The content of an environment variable, if the configuration allows to send it. */
  #secret(name: string, member: string): string {
    if (!this.#secretEnvs.some((pattern) => wildcardMatch(pattern, name))) {
      const listed =
        this.#secretEnvs.length === 0 ? 'which is empty' : `[${this.#secretEnvs.join(',')}]`;
      throw illegal(
        `[remote] [${member}] names the environment variable [${name}], which the configuration does not allow: ` +
          `add it to [${SECRETS_SETTING}], ${listed}`,
      );
    }
    const value = this.#options.environment(name)?.trim() ?? '';
    if (value === '' || /[^\x20-\x7e]/.test(value)) {
      throw illegal(
        `[remote] [${member}] names the environment variable [${name}], which ` +
          `${value === '' ? 'is not set' : 'holds characters that no header can carry'}: set it and restart the server`,
      );
    }
    return value;
  }
}

/** What a client did wrong is 400; what the other server did is 502, or 429 if it is busy. */
function toQuarryError({ message, status }: PeerError, maxAnswerBytes: number): QuarryError {
  if (message.endsWith(`answered more than ${maxAnswerBytes} bytes`)) {
    return new QuarryError(
      'status_exception',
      `${message}: use a smaller batch, [source] [size], or fewer slices`,
      { status: 400 },
    );
  }
  if (message.includes(WHITELIST_SETTING)) return illegal(message);
  if (status === 429) return new QuarryError('es_rejected_execution_exception', message);
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  return new QuarryError('status_exception', message, isRefusal ? { status: 400 } : {});
}
