// Converts positions in a string to offsets into its UTF-8 bytes, which mean the same to clients in
// every language.

/** `starts`: ascending, in UTF-16 units. Takes one pass over the text. */
export function byteOffsets(text: string, starts: ArrayLike<number>): Uint32Array {
  const offsets = new Uint32Array(starts);
  if (Buffer.byteLength(text) === text.length) return offsets;
  let at = 0;
  let bytes = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? 0;
    if (start > at) bytes += Buffer.byteLength(text.slice(at, start));
    at = Math.max(at, start);
    offsets[i] = bytes;
  }
  return offsets;
}
