// The HTTP client of autoindex: JSON requests to the service, repeated while the service is busy.
import { setTimeout as pause } from 'node:timers/promises';

export interface ClientOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Waits for `ms` milliseconds; tests pass one that does not wait. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** A parsed response of any shape, read member by member. */
export type Reply = Record<string, unknown>;

/** A response that is not successful. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

const ATTEMPTS = 12;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** The status of a busy service, and of one that is starting. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Rejects with RequestError, or with an Error when the service cannot be reached. `body`: a
   * string is NDJSON.
   */
  async call(method: string, path: string, body?: object | string): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(method, path, body);
      if (answer.ok) return (await answer.json()) as Reply;
      const text = await answer.text();
      if (!BUSY.has(answer.status) || attempt >= ATTEMPTS) {
        throw new RequestError(
          answer.status,
          reasonOf(text) ?? `${path} answered ${answer.status}`,
        );
      }
      await this.wait(attempt, answer.headers.get('retry-after'));
    }
  }

  /**
   * Waits before attempt `attempt + 1`: as long as the service requests, else twice as long each
   * time.
   */
  async wait(attempt: number, retryAfter: string | null): Promise<void> {
    const requested = Number(retryAfter ?? Number.NaN) * 1000;
    const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
    await (this.#options.wait ?? pause)(Number.isFinite(requested) ? Math.max(requested, 0) : own);
  }

  async #ask(method: string, path: string, body: object | string | undefined): Promise<Response> {
    const { url, apiKey } = this.#options;
    const lines = typeof body === 'string';
    const headers: Record<string, string> = {};
    if (apiKey !== undefined) headers['authorization'] = `ApiKey ${apiKey}`;
    if (body !== undefined) {
      headers['content-type'] = lines ? 'application/x-ndjson' : 'application/json';
    }
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = lines ? body : JSON.stringify(body);
    try {
      return await fetch(url + path, init);
    } catch (error) {
      const cause = (error as Error).cause;
      const why = cause instanceof Error ? cause.message : (error as Error).message;
      throw new Error(`no service answers at ${url}: ${why}`);
    }
  }
}

function reasonOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { reason?: string } }).error?.reason;
  } catch {
    return undefined;
  }
}
