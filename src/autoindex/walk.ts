// Lists the files of a folder in a fixed order, and what is skipped with the reason. Symbolic links
// are never followed, so that there are no cycles.
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

export interface FileFound {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  /**
   * Size, modification and change time, and inode number: an equal stamp means unchanged content
   * and permissions.
   */
  readonly stamp: string;
  readonly modified: number;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
  /** It could not be read, so that its content is unknown. */
  readonly unread?: true;
}

export interface WalkedFolder {
  readonly files: readonly FileFound[];
  readonly skipped: readonly SkippedFile[];
  /** Absolute paths of the folders that were read; changes are watched there. */
  readonly folders: readonly string[];
}

/** Folders with generated content. */
const JUNK_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.gradle',
  '.idea',
  '.cache',
  '.Trash',
  '__MACOSX',
]);
const JUNK_FILES: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
const UNFINISHED = /(?:~|\.swp|\.swo|\.part|\.crdownload|\.tmp)$/;
const DATABASE_AUXILIARY = /\.\w+-(?:wal|shm|journal)$/;
const IGNORE_FILES = ['.gitignore', '.quarryignore'];
/** A larger rule file is ignored. */
const MAX_RULES_BYTES = 1 << 20;

/** The rules of one folder, for paths below it. */
interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** What a walk has found so far. */
interface WalkResult {
  readonly files: FileFound[];
  readonly skipped: SkippedFile[];
  readonly folders: string[];
  /** Real paths of folders that belong to autoindex. */
  readonly own: ReadonlySet<string>;
}

/**
 * Rejects when `root` cannot be read. Unreadable entries below it are skipped, and so are the
 * folders in `own`.
 */
export async function walk(root: string, own: readonly string[] = []): Promise<WalkedFolder> {
  const start = await realpath(root);
  const real = await Promise.all(own.map((path) => realpath(path).catch(() => path)));
  const found: WalkResult = { files: [], skipped: [], folders: [], own: new Set(real) };
  const stats = await lstat(start);
  if (stats.isDirectory()) await walkFolder(start, '', [], found);
  else {
    found.folders.push(dirname(start));
    addFile(start, basename(start), stats, found);
  }
  return found;
}

async function walkFolder(
  absolute: string,
  path: string,
  above: readonly Rules[],
  found: WalkResult,
): Promise<void> {
  let entries: Dirent[];
  try {
    entries = await readdir(absolute, { withFileTypes: true });
  } catch (error) {
    if (path === '') throw error;
    found.skipped.push(unreadable(path, error));
    return;
  }
  const own = found.own.has(absolute)
    ? 'what autoindex remembers of its runs'
    : serverData(entries);
  if (own !== undefined) {
    found.skipped.push({ path, reason: own });
    return;
  }
  found.folders.push(absolute);
  const rules = [...above, ...(await readRules(absolute, path, entries))];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    const reason = objection(entry, below, rules);
    if (reason !== undefined) {
      found.skipped.push({ path: below, reason });
    } else if (entry.isDirectory()) {
      await walkFolder(join(absolute, entry.name), below, rules, found);
    } else {
      await lookAt(join(absolute, entry.name), below, found);
    }
  }
}

async function lookAt(absolute: string, path: string, found: WalkResult): Promise<void> {
  try {
    addFile(absolute, path, await lstat(absolute), found);
  } catch (error) {
    found.skipped.push(unreadable(path, error));
  }
}

/** Recognizes the data folder of a server by two of its files. */
function serverData(entries: readonly Dirent[]): string | undefined {
  const names = entries.map(({ name }) => name);
  return names.includes('NODE') && names.includes('node.lock')
    ? 'the data folder of a server'
    : undefined;
}

function unreadable(path: string, error: unknown): SkippedFile {
  return { path, reason: `cannot be read: ${(error as Error).message}`, unread: true };
}

function addFile(absolute: string, path: string, stats: Stats, found: WalkResult): void {
  if (stats.size === 0) {
    found.skipped.push({ path, reason: 'empty' });
    return;
  }
  const stamp = `${stats.size}-${stats.mtimeMs}-${stats.ctimeMs}-${stats.ino}`;
  found.files.push({ path, absolute, size: stats.size, stamp, modified: stats.mtimeMs });
}

function objection(entry: Dirent, path: string, rules: readonly Rules[]): string | undefined {
  const { name } = entry;
  if (entry.isSymbolicLink()) return 'a symbolic link, which is not followed';
  if (entry.isDirectory() && JUNK_FOLDERS.has(name)) return 'a folder that tools make';
  if (JUNK_FILES.has(name) || IGNORE_FILES.includes(name)) return 'no content of its own';
  if (UNFINISHED.test(name)) return 'an unfinished or saved copy';
  if (DATABASE_AUXILIARY.test(name)) return 'an auxiliary file of a database';
  if (!entry.isDirectory() && !entry.isFile()) return 'neither a file nor a folder';
  return isIgnored(path, entry.isDirectory(), rules) ? 'an ignore rule' : undefined;
}

/** The innermost folder with a matching rule decides. */
function isIgnored(path: string, folder: boolean, rules: readonly Rules[]): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i];
    if (rule === undefined) continue;
    const inside = rule.folder === '' ? path : path.slice(rule.folder.length + 1);
    const { ignored, unignored } = rule.matcher.test(folder ? `${inside}/` : inside);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

async function readRules(
  absolute: string,
  folder: string,
  entries: readonly Dirent[],
): Promise<readonly Rules[]> {
  const names = IGNORE_FILES.filter((name) => entries.some((e) => e.name === name && e.isFile()));
  if (names.length === 0) return [];
  const matcher = ignore({ allowRelativePaths: true });
  for (const name of names) {
    const file = join(absolute, name);
    const stats = await lstat(file).catch(() => undefined);
    if (stats === undefined || stats.size > MAX_RULES_BYTES) continue;
    matcher.add(await readFile(file, 'utf8').catch(() => ''));
  }
  return [{ folder, matcher }];
}
