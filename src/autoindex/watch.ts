// Keeps on: a run, then another whenever something in the folders of the last one has changed. Folders are watched one by one,
// as the walk found them, so that what is ignored wakes nobody.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename } from 'node:path';

export interface FollowOptions {
  /** A run; resolves to the folders that it read. */
  readonly run: () => Promise<readonly string[]>;
  /** What is wrong, in words; the runs go on. */
  readonly onTrouble: (message: string) => void;
  readonly signal: AbortSignal;
  /** So long nothing may change before a run begins, so that a file that is being written is read once. */
  readonly settleMs?: number;
  /** So long a run waits at most for that. */
  readonly longestMs?: number;
  /** Between runs where not everything can be watched, and after one that has failed. */
  readonly pollMs?: number;
}

const SETTLE_MS = 300;
const LONGEST_MS = 5000;
const POLL_MS = 30_000;

/** Until the signal. Rejects when the first run does: what is wrong then is no passing trouble. */
export async function follow(options: FollowOptions): Promise<void> {
  const { run, onTrouble, signal } = options;
  const { settleMs = SETTLE_MS, longestMs = LONGEST_MS, pollMs = POLL_MS } = options;
  const bell = new ChangeSignal(signal);
  const folders = new WatchedFolders(() => bell.ring(), onTrouble);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      let isWhole = false;
      // What changes from now on rings for the next run.
      bell.reset();
      try {
        // A folder that is watched from now on may have changed before.
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

/** Rings when something has changed, and for good when it is all over. */
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

  /** For a ring, or so long. */
  async wait(ms: number | undefined): Promise<void> {
    if (this.#rung || this.#signal.aborted) return;
    await this.#pause(ms);
  }

  /** Until nothing has rung for `ms`, or for `longest` in all. */
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

/** A watcher for each folder. */
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

  /** True when some are watched that were not. */
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
    // The same name may be another folder by now.
    const identity = identityOf(path);
    const before = this.#watchers.get(path);
    if (before?.identity === identity) return false;
    if (before !== undefined) this.#drop(path);
    try {
      const watcher = watch(path, (_, name) => {
        // What is said of the folder itself is that it is gone, and the watcher with it.
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

  /** `only`: not one that has come in its place. */
  #drop(path: string, only?: FSWatcher): void {
    const watched = this.#watchers.get(path);
    if (watched === undefined || (only !== undefined && watched.watcher !== only)) return;
    watched.watcher.close();
    this.#watchers.delete(path);
  }
}

/** Numbers of folders are given again: the time of their making tells them apart. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino}-${stats.birthtimeMs}`;
}
