// Limits the nesting of documents, so that every program that processes them can do so recursively.

/** Maximum nesting of objects and lists; the service maps at most twenty levels. */
const MAX_DEPTH = 40;

/**
 * The document itself, or a copy without what is nested deeper, for which `onCut` is called. The
 * recursion of this function has the same limit.
 */
export function shallow(doc: Record<string, unknown>, onCut: () => void): Record<string, unknown> {
  if (!isDeeper(doc, MAX_DEPTH)) return doc;
  onCut();
  return cut(doc, MAX_DEPTH) as Record<string, unknown>;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isDeeper(member, levels - 1)) return true;
  return false;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((element) => cut(element, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cut(member, levels - 1)]),
  );
}
