// Buffers that may be moved to another thread.

/** `bytes` itself when it is all of its memory, else a copy: small Buffers share a slab, which must not be moved. */
export function ownedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const whole =
    buffer instanceof ArrayBuffer &&
    bytes.byteOffset === 0 &&
    bytes.byteLength === buffer.byteLength;
  return whole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
