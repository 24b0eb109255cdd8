// Documents of a depth that every program on their way can walk.

/** Objects and lists inside each other; the service maps no more than twenty. */
const MAX_DEPTH = 40;

/** The document itself, or without what lies deeper; `onCut` hears of that. Its own calls go no deeper than that either. */
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
