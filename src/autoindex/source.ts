// What a reader of a format is given: bytes as a stream or as a whole within a limit, text in the encoding that was found,
// and lines of a length that memory can hold.
import { createReadStream } from 'node:fs';

/** A document of one file. `at`: its place in the file, stable as long as the file is. */
export interface FileRecord {
  readonly at: string;
  readonly doc: Record<string, unknown>;
}

/** Bytes to read from the start, as often as it is asked for. */
export interface ByteSource {
  /** Shown in reports, and where titles come from when the content has none. */
  readonly path: string;
  /** Of the bytes; an archive may promise a wrong one. */
  readonly size: number;
  /** Where the very bytes lie on the disk, for readers that jump; undefined for what an archive holds. */
  readonly absolute?: string;
  chunks(): AsyncIterable<Uint8Array>;
}

/** A file that cannot be read as what it claims to be: a line in the report. */
export class BrokenFile extends Error {}

/** No line, element or row may be longer. */
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

/** All bytes; BrokenFile beyond `limit`, whatever the size that was promised. */
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

/** Text in pieces; marks of byte order are dropped, bytes that fit no letter become U+FFFD. */
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

/** Lines without their ends, which are \n, \r\n or \r; BrokenFile for one that does not end. */
export async function* linesOf(source: ByteSource, encoding: string): AsyncIterable<string> {
  let rest = '';
  for await (const piece of textOf(source, encoding)) {
    const text = rest + piece;
    // A \r at the end may be half of \r\n.
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
