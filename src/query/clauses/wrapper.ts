// `wrapper`: a query as base64 of its JSON. The parser replaces it with that query.
import { isSafeNumber, parse } from 'lossless-json';
import type { Json } from '../../backend/index.js';
import { exactInteger } from '../../base/json-text.js';
import { Params } from '../params.js';
import { malformed } from '../values.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the base64 of a wrapper clause. */
export function wrappedText(body: Json): string {
  const params = Params.of('wrapper', body);
  const text = params.text('query');
  params.finish();
  if (text !== undefined && text !== '') return text;
  throw malformed('[wrapper] query string should not be empty');
}

/** Decodes base64 and parses the JSON. */
export function unwrap(text: string): Json {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text.replace(/\s+/g, ''))) {
    throw malformed('[wrapper] [query] must be JSON encoded as base64');
  }
  try {
    return parse(decoder.decode(Buffer.from(text, 'base64')), undefined, toNumber) as Json;
  } catch (error) {
    const why = error instanceof RangeError ? 'nested too deep' : (error as Error).message;
    throw malformed(`[wrapper] [query] must be JSON encoded as base64: ${why}`);
  }
}

/** Whole numbers outside the safe range of a double become bigints. */
function toNumber(spelling: string): number | bigint {
  return /^-?\d+$/.test(spelling) && !isSafeNumber(spelling)
    ? exactInteger(spelling)
    : Number(spelling);
}
