// The files of the console as `bundle.ts` wrote them: one page, scripts and style sheets with a hash
// in their names. They are few and small, so that they are read once and kept.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PACKAGE_FOLDER } from '../base/package.js';

export interface ConsoleFile {
  readonly text: string;
  readonly contentType: string;
  /** True: the name contains a hash of the content. */
  readonly isImmutable: boolean;
}

/** Name of the page itself. */
export const PAGE_FILE = 'index.html';

/** Where the built console is. */
export const FILES_FOLDER = join(PACKAGE_FOLDER, 'dist', 'console');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** All files of the folder by name; empty if the console was not built. */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  for (const name of namesIn(folder)) {
    const contentType = TYPES[extname(name)];
    if (contentType === undefined) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    files.set(name, { text, contentType, isImmutable: name !== PAGE_FILE });
  }
  return files;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
