// The audit log: a line of JSON for every request, however it ended, and for every name of an index that a key was refused. Who,
// what and which index; never bodies, parameters or keys. SIGHUP opens the file anew, so that it can be moved away.
import { type FileHandle, open } from 'node:fs/promises';
import { plainJson } from '../base/json-text.js';
import type { Logger } from './logger.js';

export interface AuditEntry {
  /** `connection`: one beyond the limit, before anything was read from it. */
  readonly event: 'request' | 'index_refused' | 'connection';
  /**
   * `allowed`: its route was asked, whatever came of it. `denied`: no key, or one that may not. `refused`: before a route was asked.
   * `client_gone`: its client hung up before the answer; `status` is what the work came to, absent where the request was not whole.
   */
  readonly outcome: 'allowed' | 'denied' | 'refused' | 'client_gone';
  /** Of the key, undefined: none was shown that is good. */
  readonly key?: { readonly id: string; readonly name: string } | undefined;
  readonly method?: string;
  /** The route's pattern. */
  readonly route?: string | undefined;
  /** Name or expression of indexes, namespace or brain. */
  readonly index?: string | undefined;
  /** Names of indexes out of the body that were allowed, each once; how many there were beside these. */
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

/** Without a file. */
export const NO_AUDIT: AuditLog = {
  write: () => {},
  reopen: async () => {},
  close: async () => {},
};

/** Lines that wait for a disk that does not take them; more are lost, and counted in the next line that is written. */
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
  /** Writes and reopenings, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #writing = false;

  private constructor(options: FileAuditOptions, file: FileHandle) {
    this.#options = options;
    this.#file = file;
  }

  /** Rejects when the file cannot be written to. */
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

/** `path` empty: none. */
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
