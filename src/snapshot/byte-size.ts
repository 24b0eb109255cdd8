// Parses byte sizes of settings: "40mb", "1.5gb", "512b".
import { asText } from '../base/json-text.js';
import { illegal } from './refusals.js';

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 2 ** 10,
  mb: 2 ** 20,
  gb: 2 ** 30,
  tb: 2 ** 40,
  pb: 2 ** 50,
};

/** Returns bytes; 0 for the values 0 and -1, which mean no limit. */
export function byteSize(value: unknown, name: string): number {
  const text = asText(value).trim().toLowerCase();
  if (text === '0' || text === '-1') return 0;
  const match = /^(\d+(?:\.\d+)?)(b|kb|mb|gb|tb|pb)$/.exec(text);
  const bytes = Math.floor(Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? Number.NaN));
  if (Number.isSafeInteger(bytes)) return bytes;
  throw illegal(
    `failed to parse setting [${name}] with value [${asText(value)}] as a size in bytes: unit is missing or unrecognized`,
  );
}
