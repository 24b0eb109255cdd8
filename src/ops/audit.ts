// The audit log: one JSON line for every request, whatever its outcome, and for every index name
// that a key was denied. It holds the caller, the route and the index, but never bodies, parameters
// or keys. SIGHUP reopens the file, so that it can be rotated.
import { type FileHandle, open } from 'node:fs/promises';
import { plainJson } from '../base/json-text.js';
import type { Logger } from './logger.js';

export interface AuditEntry {
  /** `connection`: a connection beyond the limit, rejected before anything was read from it. */
  readonly event: 'request' | 'index_refused' | 'connection';
  /**
   * `allowed`: the request reached its route, whatever the result. `denied`: the key is missing,
   * invalid or lacks a privilege. `refused`: rejected for another reason before it reached a route.
   * `client_gone`: the client disconnected before the answer; `status` is then that of the finished
   * work, absent if the request was incomplete.
   */
  readonly outcome: 'allowed' | 'denied' | 'refused' | 'client_gone';
  /** The key; undefined if no valid key was sent. */
  readonly key?: { readonly id: string; readonly name: string } | undefined;
  readonly method?: string;
  /** The path pattern of the route. */
  readonly route?: string | undefined;
  /** Index name or expression, namespace or brain. */
  readonly index?: string | undefined;
  /**
   * Distinct names of permitted indexes in the body, and the number of further ones that were left
   * out.
   */
  readonly indices?: readonly string[];
  readonly indices_left_out?: number;
  readonly status?: number;
  readonly address?: string | undefined;
  readonly request_id?: string;
  readonly opaque_id?: string | undefined;
}

export interface AuditLog {
  write(entry: AuditEntry): void;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Used if no file is configured. */
export const NO_AUDIT: AuditLog = {
  write: () => {},
  reopen: async () => {},
  close: async () => {},
};

/**
 * Maximum number of lines that wait for a slow disk. Further ones are dropped; the next written
 * line reports their number.
 */
const MOST_WAITING = 10_000;

export interface FileAuditOptions {
  readonly path: string;
  readonly nowMs: () => number;
  readonly onError: (error: Error) => void;
}

export class FileAudit implements AuditLog {
  readonly #options: FileAuditOptions;
  #file: FileHandle;
  #waiting: string[] = [];
  #lost = 0;
  /** Serialises writes and reopenings. */
  #work: Promise<void> = Promise.resolve();
  #writing = false;

  private constructor(options: FileAuditOptions, file: FileHandle) {
    this.#options = options;
    this.#file = file;
  }

  /** Rejects if the file cannot be opened for writing. */
  static async open(options: FileAuditOptions): Promise<FileAudit> {
    return new FileAudit(options, await openFile(options.path));
  }

  write(entry: AuditEntry): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    const time = new Date(this.#options.nowMs()).toISOString();
    const lost = this.#lost === 0 ? {} : { lost_before: this.#lost };
    this.#lost = 0;
    this.#waiting.push(`${plainJson({ time, ...entry, ...lost })}\n`);
    if (this.#writing) return;
    this.#writing = true;
    void this.#then(() => this.#drain());
  }

  reopen(): Promise<void> {
    return this.#then(async () => {
      const next = await openFile(this.#options.path);
      const before = this.#file;
      this.#file = next;
      await before.close();
    });
  }

  async close(): Promise<void> {
    await this.#then(() => this.#file.close());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const lines = this.#waiting.splice(0);
        await this.#file.appendFile(lines.join(''));
      }
    } finally {
      this.#writing = false;
    }
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#options.onError(error as Error);
    });
    return this.#work;
  }
}

/** An empty `path` means no audit log. */
export async function startAudit(path: string, logger: Logger): Promise<AuditLog> {
  if (path === '') return NO_AUDIT;
  return FileAudit.open({
    path,
    nowMs: Date.now,
    onError: (error) => logger.error({ err: error }, 'lines of the audit log are lost'),
  });
}

function openFile(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600);
}
