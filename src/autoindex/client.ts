// The service as autoindex sees it: JSON over HTTP, patient with one that is busy.
import { setTimeout as pause } from 'node:timers/promises';

export interface ClientOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Waits so many ms; tests hand in one that does not. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** The parsed answer of many shapes, read member by member. */
export type Reply = Record<string, unknown>;

/** An answer that is no success. */
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
/** What a busy service answers, and one that starts. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Rejects with Refused, or with an Error that says that nobody answers. `body`: a text is NDJSON. */
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

  /** Before attempt `attempt + 1`: as long as the service asks for, else twice as long each time. */
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
