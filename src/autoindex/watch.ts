// Repeats runs: one at the start, then one whenever something changes in the folders of the last
// run. Folders are watched one by one, so that changes in ignored folders start no run.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename } from 'node:path';

export interface FollowOptions {
  /** A run; resolves to the folders that it read. */
  readonly run: () => Promise<readonly string[]>;
  /** Called with a message about an error; runs continue. */
  readonly onTrouble: (message: string) => void;
  readonly signal: AbortSignal;
  /**
   * Milliseconds without a change before a run begins, so that a file that is being written is read
   * once.
   */
  readonly settleMs?: number;
  /** Maximum time that a run waits for that, in milliseconds. */
  readonly longestMs?: number;
  /** Milliseconds between runs where not everything can be watched, and after a failed run. */
  readonly pollMs?: number;
}

const SETTLE_MS = 300;
const LONGEST_MS = 5000;
const POLL_MS = 30_000;

/** Runs until the signal. Rejects when the first run fails, because that error is not temporary. */
export async function follow(options: FollowOptions): Promise<void> {
  const { run, onTrouble, signal } = options;
  const { settleMs = SETTLE_MS, longestMs = LONGEST_MS, pollMs = POLL_MS } = options;
  const bell = new ChangeSignal(signal);
  const folders = new WatchedFolders(() => bell.ring(), onTrouble);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      let isWhole = false;
      // Changes from now on trigger the next run.
      bell.reset();
      try {
        // A folder may have changed before its watcher was added.
        if (folders.update(await Promise.race([run(), bell.aborted]))) bell.ring();
        isWhole = folders.isWhole;
      } catch (error) {
        if (isFirst) throw error;
        if (!signal.aborted) onTrouble((error as Error).message);
      }
      await bell.wait(isWhole ? undefined : pollMs);
      await bell.quiet(settleMs, longestMs);
    }
  } finally {
    folders.close();
  }
}

/** Signals changes to the waiting loop, and ends all waiting when aborted. */
class ChangeSignal {
  readonly aborted: Promise<readonly string[]>;
  readonly #signal: AbortSignal;
  #rung = false;
  #last = 0;
  #waiting: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.aborted = new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve([]);
        this.#waiting?.();
      });
    });
  }

  reset(): void {
    this.#rung = false;
  }

  ring(): void {
    this.#rung = true;
    this.#last = performance.now();
    this.#waiting?.();
  }

  /** Waits for a change, at most `ms` milliseconds. */
  async wait(ms: number | undefined): Promise<void> {
    if (this.#rung || this.#signal.aborted) return;
    await this.#pause(ms);
  }

  /** Waits until there was no change for `ms`, at most `longest` milliseconds. */
  async quiet(ms: number, longest: number): Promise<void> {
    const end = performance.now() + longest;
    for (;;) {
      const now = performance.now();
      const left = Math.min(this.#last + ms, end) - now;
      if (left <= 0 || this.#signal.aborted) return;
      await this.#pause(left);
    }
  }

  #pause(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => this.#waiting?.(), ms);
      this.#waiting = () => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve();
      };
    });
  }
}

interface WatchedFolder {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/** One watcher per folder. */
class WatchedFolders {
  /** False where the system allows no more watchers. */
  isWhole = true;
  readonly #onChange: () => void;
  readonly #onTrouble: (message: string) => void;
  readonly #watchers = new Map<string, WatchedFolder>();

  constructor(onChange: () => void, onTrouble: (message: string) => void) {
    this.#onChange = onChange;
    this.#onTrouble = onTrouble;
  }

  /** True if watchers were added. */
  update(folders: readonly string[]): boolean {
    const wanted = new Set(folders);
    for (const path of [...this.#watchers.keys()]) if (!wanted.has(path)) this.#drop(path);
    let isNew = false;
    for (const path of wanted) if (this.#add(path)) isNew = true;
    return isNew;
  }

  close(): void {
    for (const path of [...this.#watchers.keys()]) this.#drop(path);
  }

  #add(path: string): boolean {
    // The path may refer to another folder by now.
    const identity = identityOf(path);
    const before = this.#watchers.get(path);
    if (before?.identity === identity) return false;
    if (before !== undefined) this.#drop(path);
    try {
      const watcher = watch(path, (_, name) => {
        // An event for the folder itself means that it is gone, and its watcher with it.
        if (name === basename(path)) this.#drop(path, watcher);
        this.#onChange();
      });
      watcher.on('error', () => this.#drop(path, watcher));
      this.#watchers.set(path, { identity, watcher });
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC' || code === 'EMFILE') this.#tooMany();
      return false;
    }
  }

  #tooMany(): void {
    if (!this.isWhole) return;
    this.isWhole = false;
    this.#onTrouble(
      'the system watches no more folders (raise fs.inotify.max_user_watches): looking every 30 s instead',
    );
  }

  /** `only`: drops this watcher and not its successor. */
  #drop(path: string, only?: FSWatcher): void {
    const watched = this.#watchers.get(path);
    if (watched === undefined || (only !== undefined && watched.watcher !== only)) return;
    watched.watcher.close();
    this.#watchers.delete(path);
  }
}

/** Inode numbers are reused: the time of creation distinguishes them. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino}-${stats.birthtimeMs}`;
}
