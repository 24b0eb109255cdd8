// The input of format readers: bytes as a stream or as a whole up to a limit, text in the detected
// encoding, and lines of limited length.
import { createReadStream } from 'node:fs';

/**
 * A document of a file. `at`: its position in the file, which is stable as long as the file does
 * not change.
 */
export interface FileRecord {
  readonly at: string;
  readonly doc: Record<string, unknown>;
}

/** Bytes that can be read repeatedly from the start. */
export interface ByteSource {
  /** Shown in reports, and used as the title if the content has none. */
  readonly path: string;
  /** Size in bytes; an archive may declare a wrong one. */
  readonly size: number;
  /**
   * Path of the same bytes on the disk, for readers that need random access; undefined for entries
   * of archives.
   */
  readonly absolute?: string;
  chunks(): AsyncIterable<Uint8Array>;
}

/** A file that cannot be read in its format: it becomes a line of the report. */
export class BrokenFile extends Error {}

/** Maximum size of a line, element or row. */
export const MAX_RECORD_BYTES = 16 << 20;

export function fileSource(path: string, absolute: string, size: number): ByteSource {
  return {
    path,
    size,
    absolute,
    chunks: () => createReadStream(absolute, { highWaterMark: 256 * 1024 }),
  };
}

/** The first bytes, at most `limit`. */
export async function headOf(source: ByteSource, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(parts).subarray(0, limit);
}

/** All bytes; throws BrokenFile beyond `limit`, whatever size was declared. */
export async function wholeOf(source: ByteSource, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    length += chunk.length;
    if (length > limit) {
      throw new BrokenFile(`larger than ${limit >> 20} MiB, the most that is read of such a file`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Text in pieces; byte order marks are dropped, and invalid bytes become U+FFFD. */
export async function* textOf(source: ByteSource, encoding: string): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source.chunks()) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export async function wholeText(
  source: ByteSource,
  encoding: string,
  limit: number,
): Promise<string> {
  return new TextDecoder(encoding).decode(await wholeOf(source, limit));
}

/**
 * Lines without their ends, which are \n, \r\n or \r; throws BrokenFile for a line that is too
 * long.
 */
export async function* linesOf(source: ByteSource, encoding: string): AsyncIterable<string> {
  let rest = '';
  for await (const piece of textOf(source, encoding)) {
    const text = rest + piece;
    // A \r at the end may be the first half of \r\n.
    const ready = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = ready.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(ready.length);
    if (rest.length > MAX_RECORD_BYTES) {
      throw new BrokenFile(`a line of more than ${MAX_RECORD_BYTES >> 20} MiB`);
    }
    yield* lines;
  }
  if (rest.endsWith('\r')) rest = rest.slice(0, -1);
  if (rest !== '') yield rest;
}
