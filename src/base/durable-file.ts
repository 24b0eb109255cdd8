// Atomic, durable replacement of files: write to a temporary file, sync, rename, sync the folder.
// Files whose corruption must be detected end with a line that holds the SHA-256 of the preceding
// text.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Json, JsonObject } from '../backend/index.js';
import { parseExact, printExact } from './exact-json.js';

/** Suffix of temporary files. */
export const UNFINISHED = '.tmp';

export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}${UNFINISHED}`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes creations, renames and removals of files in the folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates the folder and its missing parents, and syncs them. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(first);
  // mkdir may return another spelling of the path; the walk then ends at the root.
  for (let at = path; at !== above && dirname(at) !== at; at = dirname(at)) {
    await syncFolder(dirname(at));
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Converts between a value and the text of its file. */
export interface FileCodec {
  readonly encode: (value: JsonObject) => string;
  /** Throws an error that describes what is wrong with the text. */
  readonly decode: (text: string) => JsonObject;
  /** Older format numbers that it can also read. */
  readonly formats?: readonly number[];
}

/** JSON, followed by a line with the checksum of the preceding text. */
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

/** Rejects with a description of the damage; ENOENT is passed through. */
export async function readChecked(path: string): Promise<Json> {
  return CHECKED.decode(await readFile(path, 'utf8'));
}

/** Whether the error is a file system error with one of the codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
