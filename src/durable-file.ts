// Files that are whole or not there: written beside, synced, renamed, and the folder synced after it. Text that must not
// change unnoticed carries the SHA-256 of what stands before it in a last line.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse, stringify } from 'lossless-json';
import type { Json } from './backend.js';

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
  for (let at = path; at !== above; at = dirname(at)) await syncFolder(dirname(at));
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function writeChecked(path: string, value: unknown): Promise<void> {
  const text = `${stringify(value)}\n`;
  await writeDurably(path, `${text}${sha256(text)}\n`);
}

/** Rejects with what is wrong; ENOENT passes through. */
export async function readChecked(path: string): Promise<Json> {
  const text = await readFile(path, 'utf8');
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  if (end === 0 || sha256(text.slice(0, end)) !== text.slice(end, -1)) {
    throw new Error('it does not match its checksum');
  }
  const json = text.slice(0, end);
  // A record of ten thousand indexes is megabytes, which the platform reads ten times faster.
  return LONG_NUMBER.test(json)
    ? (parse(json, undefined, readNumber) as Json)
    : (JSON.parse(json) as Json);
}

/** What JSON.parse may round. */
const LONG_NUMBER = /\d{16}/;

/** As written: whole numbers beyond 2^53 keep their digits. */
function readNumber(spelling: string): number | bigint {
  const value = Number(spelling);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(spelling)
    ? BigInt(spelling)
    : value;
}

/** True for an error of the file system with that code. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
