// The JSON values of a file: one in each line, or one that is the whole file.
import { readFileSync, statSync } from 'node:fs';
import type { Json } from '../../backend/index.js';
import { parseExact } from '../../base/exact-json.js';
import { linesOf } from './lines.js';

/** A string of Node holds little more. */
const MAX_WHOLE_BYTES = 500 * 1024 * 1024;

export async function* jsonValues(file: string): AsyncIterable<Json> {
  let isFirst = true;
  for await (const { bytes, start } of linesOf(file, 0)) {
    try {
      yield parseExact(bytes.toString('utf8'));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (!isFirst) throw new Error(`${file}: the line at byte ${start} is no JSON`);
      yield wholeValue(file);
      return;
    }
    isFirst = false;
  }
}

function wholeValue(file: string): Json {
  const { size } = statSync(file);
  if (size > MAX_WHOLE_BYTES) {
    throw new Error(
      `${file} has ${size} bytes and is not one value in each line: write it so, for example with jq -c`,
    );
  }
  try {
    return parseExact(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`${file} is no JSON`);
  }
}
