// Tells plans of about the same work from others, by what is cheap to read of their bytes.

const HEADER_BYTES = 64;
const WINDOW_AT = 40;
const NODE_BYTES = 8;
/** The opcode of the first query: behind the headers of the plan and of its first leg. */
const ROOT_AT = HEADER_BYTES + NODE_BYTES;

/**
 * A hash of the nodes at the top of the plan, of the root of its first query, and of the magnitudes
 * of their lengths and of the page. Plans of the same shape differ in their values.
 */
export function planShape(plan: Uint8Array): number {
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  let shape = magnitude(view.getUint32(WINDOW_AT, true));
  if (plan.length >= ROOT_AT + NODE_BYTES) shape = mixed(shape, view.getUint16(ROOT_AT, true));
  for (let at = HEADER_BYTES; at + NODE_BYTES <= plan.length; ) {
    const length = view.getUint32(at + 4, true);
    shape = mixed(mixed(shape, view.getUint16(at, true)), magnitude(length));
    at += NODE_BYTES + length;
  }
  return shape;
}

/** A hash of the shape and of another number. */
export function mixed(shape: number, value: number): number {
  const sum = Math.imul(shape ^ value, 0x9e3779b1);
  return sum ^ (sum >>> 15);
}

/** Number of binary digits. */
export function magnitude(value: number): number {
  return 32 - Math.clz32(value);
}
