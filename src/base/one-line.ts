// Puts a JSON document on one line, as bulk bodies require.

/** Line breaks in JSON occur only between tokens, because strings escape them. */
export function onOneLine(source: Uint8Array): Uint8Array {
  if (!source.includes(10) && !source.includes(13)) return source;
  return source.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}
