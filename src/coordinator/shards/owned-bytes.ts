// Buffers that may be transferred to another thread.

/**
 * The same memory if `bytes` covers its whole buffer, otherwise a copy: small Buffers share a slab,
 * which must not be transferred.
 */
export function ownedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const whole =
    buffer instanceof ArrayBuffer &&
    bytes.byteOffset === 0 &&
    bytes.byteLength === buffer.byteLength;
  return whole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
