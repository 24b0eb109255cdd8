// Reads a file by lines, with the position behind each, so that reading goes on where it ended.
import { createReadStream } from 'node:fs';

export interface Line {
  readonly bytes: Buffer;
  /** Position of its first byte in the file. */
  readonly start: number;
  /** Position behind its line end. */
  readonly end: number;
}

/** The longest line; a document of Elasticsearch is at most 100 MiB. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

/** Blank lines are left out. Throws for a line that is too long. */
export async function* linesOf(file: string, from: number): AsyncIterable<Line> {
  let held: Buffer[] = [];
  let length = 0;
  let start = from;
  for await (const chunk of createReadStream(file, { start: from, highWaterMark: 1 << 20 })) {
    let bytes = chunk as Buffer;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10)) {
      const line = Buffer.concat([...held, bytes.subarray(0, at)]);
      const end = start + line.length + 1;
      if (!isBlank(line)) yield { bytes: line, start, end };
      start = end;
      held = [];
      length = 0;
      bytes = bytes.subarray(at + 1);
    }
    held.push(bytes);
    length += bytes.length;
    if (length > MAX_LINE_BYTES) {
      throw new Error(`${file}: the line at byte ${start} is longer than ${MAX_LINE_BYTES} bytes`);
    }
  }
  const line = Buffer.concat(held);
  if (!isBlank(line)) yield { bytes: line, start, end: start + line.length };
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte <= 0x20);
}
