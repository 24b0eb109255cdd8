// The words before a reference that give its type: supersedes, contradicts, reverts, fixes,
// duplicates, depends on, obsoletes, updates. A negated cue is ignored.
import { REFERENCES, type Reference } from './detector.js';

interface Cue {
  readonly type: string;
  /** True for the passive: in "superseded by x" it is x that supersedes. */
  readonly reversed: boolean;
  readonly start: number;
}

const VERBS: readonly (readonly [pattern: string, type: string])[] = [
  ['supersede[sd]?|superseding|replace[sd]?|replacing', 'supersedes'],
  ['contradict(?:s|ed|ing)?|disagree(?:s|d)? with|conflict(?:s|ed)? with', 'contradicts'],
  ['revert(?:s|ed|ing)?', 'reverts'],
  ['fix(?:e[sd]|ing)?|close[sd]?|closing|resolve[sd]?|resolving', 'fixes'],
  ['duplicate[sd]?(?: of)?|dupe? of|same as', 'duplicates'],
  ['depend(?:s|ed|ing)? (?:up)?on|require[sd]?|blocked by', 'depends_on'],
  ['obsolete[sd]?|obsoleting', 'obsoletes'],
  ['update[sd]?|updating|amend(?:s|ed)?', 'updates'],
];
const FILLERS =
  'the|an?|earlier|previous|old|older|commit|issue|pull|request|pr|bug|ticket|rfc|note|decision|memory|document|doc|from|in';
const CUE = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${VERBS.map(([pattern]) => `(${pattern})`).join('|')})( by| in)?:?\\s+(?:(?:${FILLERS})[\\s:]+){0,3}[("'\\[<*_#]*$`,
  'iu',
);
const NEGATED = /(?:\b(?:not|never|cannot|without|no longer|neither|nor)|n['’]t)\b[\s\w]{0,12}$/i;
/** Text between two references of one list. */
const AND = /^\s*(?:(?:,|and|&|or|;|\+)\s*)+(?:(?:rfc|issue|pr|commit)s?\s*)?[("'[<#]*$/i;
/** Number of characters before a reference that are searched for a cue. */
const LOOK_BACK = 80;

/**
 * The references of one text, in the order of their positions, with the types that the words before
 * them give.
 */
export function withCues(prose: string, references: readonly Reference[]): readonly Reference[] {
  let last: { readonly end: number; readonly cue: Cue } | undefined;
  return references.map((reference) => {
    if (reference.type !== REFERENCES) return reference;
    const { start, end } = reference;
    const listed =
      last !== undefined && start >= last.end && AND.test(prose.slice(last.end, start));
    const cue = listed ? last?.cue : cueBefore(prose, start);
    last = cue === undefined ? undefined : { end, cue };
    if (cue === undefined) return reference;
    return {
      ...reference,
      type: cue.type,
      ...(cue.reversed ? { reversed: true as const } : {}),
      start: listed ? start : cue.start,
    };
  });
}

function cueBefore(prose: string, start: number): Cue | undefined {
  const from = Math.max(0, start - LOOK_BACK);
  const before = prose.slice(from, start);
  const sentence = Math.max(
    before.lastIndexOf('. '),
    before.lastIndexOf('\n'),
    before.lastIndexOf('; '),
  );
  const text = before.slice(sentence + 1);
  const match = CUE.exec(text);
  if (match === null || NEGATED.test(text.slice(0, match.index))) return undefined;
  const verb = VERBS.findIndex((_, i) => match[i + 1] !== undefined);
  const type = VERBS[verb]?.[1];
  if (type === undefined) return undefined;
  const passive = match[VERBS.length + 1] !== undefined && /ed$/i.test(match[verb + 1] ?? '');
  return { type, reversed: passive, start: from + sentence + 1 + match.index };
}
