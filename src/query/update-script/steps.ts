// The cost of calls in update scripts, in steps: a call that reads a whole string, list or map
// costs in proportion to its length.

const CHARACTERS_PER_STEP = 32;
/** Tokens of a script that count as one step; they make about four operations. */
const TOKENS_OF_STEP = 8;
/** Comparisons of a sort that count as one step. */
const COMPARISONS_OF_STEP = 8;

const OF_TEXTS_AT_ONCE: ReadonlySet<string> = new Set(['length', 'isEmpty', 'substring']);
const OF_LISTS_AT_ONCE: ReadonlySet<string> = new Set(['size', 'isEmpty', 'get', 'set']);
const OF_MAPS_AT_ONCE: ReadonlySet<string> = new Set([
  'get',
  'getOrDefault',
  'containsKey',
  'put',
  'putIfAbsent',
  'remove',
]);

export function stepsOfText(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_STEP);
}

/** The cost of a long statement, condition or lambda in addition to its one step. */
export function stepsOfTokens(tokens: number): number {
  return Math.floor(tokens / TOKENS_OF_STEP);
}

function stepsOfSort(items: number): number {
  return Math.max(items, Math.ceil((items * Math.log2(items + 1)) / COMPARISONS_OF_STEP));
}

/** The cost of a call; computed before the call. */
export function stepsOfCall(on: unknown, name: string, args: readonly unknown[]): number {
  let steps = 1;
  for (const argument of args)
    if (typeof argument === 'string') steps += stepsOfText(argument.length);
  if (typeof on === 'string')
    return OF_TEXTS_AT_ONCE.has(name) ? steps : steps + stepsOfText(on.length);
  if (Array.isArray(on)) {
    if (name === 'sort') return steps + stepsOfSort(on.length);
    const atOnce = OF_LISTS_AT_ONCE.has(name) || (name === 'add' && args.length === 1);
    return atOnce ? steps : steps + on.length;
  }
  if (typeof on !== 'object' || on === null || OF_MAPS_AT_ONCE.has(name)) return steps;
  return steps + Object.keys(on).length;
}
