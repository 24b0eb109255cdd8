// Answers of golden cases: "[any]" stands for any value, "[any number]" and "[any string]" for any
// of their kind, "[about 0.5]" for a number within 1e-5.

/** `expected` with its placeholders replaced by what was answered, where that fits. */
export function fill(expected: unknown, actual: unknown): unknown {
  if (typeof expected === 'string') return fillText(expected, actual);
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? actual : [];
    return expected.map((item, i) => fill(item, items[i]));
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  const members = (typeof actual === 'object' && actual !== null ? actual : {}) as object;
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      fill(value, Object.entries(members).find(([name]) => name === key)?.[1]),
    ]),
  );
}

function fillText(expected: string, actual: unknown): unknown {
  const about = /^\[about (.+)\]$/.exec(expected);
  const fits =
    (expected === '[any]' && actual !== undefined) ||
    (expected === '[any number]' && typeof actual === 'number') ||
    (expected === '[any string]' && typeof actual === 'string') ||
    (about !== null && Math.abs(Number(about[1]) - Number(actual ?? Number.NaN)) <= 1e-5);
  return fits ? actual : expected;
}
