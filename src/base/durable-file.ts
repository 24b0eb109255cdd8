// Files that are whole or not there: written beside, synced, renamed, and the folder synced after it. Text that must not
// change unnoticed carries the SHA-256 of what stands before it in a last line.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Json, JsonObject } from '../backend/index.js';
import { parseExact, printExact } from './exact-json.js';

/** The end of names that hold what was not finished. */
export const UNFINISHED = '.tmp';

export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = `${path}${UNFINISHED}`;
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Makes names that were made, renamed or removed in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** With its parents, all of which are synced. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(first);
  // What mkdir names is spelled as the system has it: the root ends the walk where that is another spelling.
  for (let at = path; at !== above && dirname(at) !== at; at = dirname(at)) {
    await syncFolder(dirname(at));
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** How a value becomes the text of a file, and is read from it again. */
export interface FileCodec {
  readonly encode: (value: JsonObject) => string;
  /** Throws what is wrong with the text. */
  readonly decode: (text: string) => JsonObject;
  /** Earlier formats that it reads as well. */
  readonly formats?: readonly number[];
}

/** JSON, and the checksum of what stands before it in a last line. */
export const CHECKED: FileCodec = {
  encode(value) {
    const text = `${printExact(value)}\n`;
    return `${text}${sha256(text)}\n`;
  },
  decode(text) {
    const end = text.lastIndexOf('\n', text.length - 2) + 1;
    if (end === 0 || sha256(text.slice(0, end)) !== text.slice(end, -1)) {
      throw new Error('it does not match its checksum');
    }
    return parseExact(text.slice(0, end)) as JsonObject;
  },
};

export async function writeChecked(path: string, value: unknown): Promise<void> {
  await writeDurably(path, CHECKED.encode(value as JsonObject));
}

/** Rejects with what is wrong; ENOENT passes through. */
export async function readChecked(path: string): Promise<Json> {
  return CHECKED.decode(await readFile(path, 'utf8'));
}

/** True for an error of the file system with that code. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
