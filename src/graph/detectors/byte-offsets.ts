// Places in a text as offsets into its UTF-8 bytes, which every client counts alike.

/** `starts`: ascending, in UTF-16 units. One pass over the text. */
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
