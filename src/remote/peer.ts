// Another server with the REST API of Elasticsearch, as a client sees it: requests whose answers
// are bounded in size and time, and errors that say which server answered what.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../backend/index.js';
import { parseExact } from '../base/exact-json.js';
import { plainJson } from '../base/json-text.js';
import { type OutboundAnswer, type OutboundClient, OutboundError } from './exchange.js';

export interface PeerOptions {
  /** `http://host:port/prefix`, without a slash at the end. */
  readonly url: string;
  /** What messages call it; undefined: its address. */
  readonly shown?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Values that are removed from the texts of errors. */
  readonly secrets: readonly string[];
  readonly client: OutboundClient;
  /** Limit of the time in which no byte arrives. */
  readonly idleTimeoutMs: number;
}

export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash. */
  readonly path: string;
  readonly body?: Json;
  /** A body of NDJSON, instead of `body`. */
  readonly lines?: Uint8Array;
  readonly maxAnswerBytes?: number;
  readonly signal: AbortSignal;
}

/** Why a peer gave no usable answer. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  /** The status of a refusal; undefined if there was no answer, or an unusable one. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly again: boolean;

  constructor(message: string, options: { readonly status?: number; readonly again: boolean }) {
    super(message);
    this.status = options.status;
    this.again = options.again;
  }
}

/** The whole exchange may take this many times the limit of silence. */
const TIMES_IDLE = 10;
/** Default limit of answers that are read as a whole: mappings, settings, counts. */
const MAX_METADATA_BYTES = 32 * 1024 * 1024;
const MAX_REASON = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

export class Peer {
  /** As messages name it. */
  readonly url: string;
  readonly #options: PeerOptions;

  constructor(options: PeerOptions) {
    this.url = options.shown ?? options.url;
    this.#options = options;
  }

  /** The body of a successful answer. Rejects with PeerError, or with the signal's reason. */
  async bytes(request: PeerRequest): Promise<Buffer> {
    const answer = await this.#send(request);
    const { status, body } = answer;
    if (status >= 200 && status < 300)
      return Buffer.from(body.buffer, body.byteOffset, body.length);
    throw this.#refusal(answer);
  }

  /** A successful answer, which must be a JSON object. */
  async json(request: PeerRequest): Promise<JsonObject> {
    const bytes = await this.bytes(request);
    return this.readObject(bytes);
  }

  readObject(bytes: Uint8Array): JsonObject {
    let value: Json;
    try {
      value = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw this.unusable(`what is no JSON (${cut((error as Error).message, 120)})`);
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
    throw this.unusable('JSON that is no object');
  }

  /** The error of an answer that cannot be used; `what` continues "answered". */
  unusable(what: string): PeerError {
    return new PeerError(this.#clean(`the remote [${this.url}] answered ${what}`), {
      again: false,
    });
  }

  async #send(request: PeerRequest): Promise<OutboundAnswer> {
    const { client, url, headers, idleTimeoutMs } = this.#options;
    const { method, path, body, lines, signal } = request;
    const ndjson = { 'content-type': 'application/x-ndjson' };
    try {
      return await client.send({
        method,
        url: url + path,
        headers: lines === undefined ? headers : { ...headers, ...ndjson },
        ...(lines !== undefined ? { body: lines } : {}),
        ...(body === undefined ? {} : { body: plainJson(body) }),
        timeoutMs: idleTimeoutMs * TIMES_IDLE,
        idleTimeoutMs,
        maxAnswerBytes: request.maxAnswerBytes ?? MAX_METADATA_BYTES,
        signal,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const message = this.#clean(`the remote [${this.url}] ${error.message}`);
      throw new PeerError(message, { again: error.kind !== 'refused' });
    }
  }

  #refusal({ status, body }: OutboundAnswer): PeerError {
    if (status >= 300 && status < 400) {
      return this.unusable(`${status}, a redirect, which is not followed: give its final address`);
    }
    const reason = reasonOf(body);
    const message = this.#clean(
      `the remote [${this.url}] answered ${status}${reason === '' ? '' : `: ${reason}`}`,
    );
    const again = status === 429 || status === 408 || (status >= 500 && status !== 501);
    return new PeerError(message, { status, again });
  }

  /** Servers tend to repeat what they reject. */
  #clean(text: string): string {
    return this.#options.secrets.reduce(
      (cleaned, secret) => (secret === '' ? cleaned : cleaned.replaceAll(secret, '[secret]')),
      text,
    );
  }
}

/**
 * Repeats `run` with growing pauses while it fails for a reason that may pass; `mayRepeat` narrows
 * that down. Rejects with the last error.
 */
export async function repeated<T>(
  run: () => Promise<T>,
  options: {
    readonly tries: number;
    readonly signal: AbortSignal;
    readonly mayRepeat?: (error: PeerError) => boolean;
    readonly onRepeat?: () => void;
  },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const may = error instanceof PeerError && error.again && (options.mayRepeat?.(error) ?? true);
      if (!may || tries >= options.tries) throw error;
      options.onRepeat?.();
    }
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
    await pause(ms, undefined, { signal: options.signal });
  }
}

/** The reason in an error of Elasticsearch, or the beginning of any other text. */
function reasonOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 64 * 1024));
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    const { root_cause: causes, reason } = Object(error) as {
      root_cause?: readonly { reason?: unknown }[];
      reason?: unknown;
    };
    const first: unknown = Array.isArray(causes) ? Object(causes[0]).reason : undefined;
    const said = [first, reason, error].find((one) => typeof one === 'string');
    if (typeof said === 'string') return cut(said, MAX_REASON);
  } catch {
    // Not JSON: the text is used as it is.
  }
  return /^\s*</.test(text) ? '' : cut(text.trim(), MAX_REASON);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
