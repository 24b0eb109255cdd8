// Replaces code by blanks, so that `[[x]]` in an example is no link. All offsets stay the same, and
// the time is linear in the text: a construct without an end reaches to the end of the text, as
// CommonMark has it for fences.

/** The openings of tags and comments, and the closing of each. */
const OPENING = /<(pre|code)\b|<!--/gi;
const CLOSING: Readonly<Record<string, RegExp>> = {
  pre: /<\/pre>/gi,
  code: /<\/code>/gi,
  '': /-->/g,
};

export function maskCode(text: string): string {
  if (!text.includes('`') && !text.includes('~~~') && !text.includes('<')) return text;
  const spans = [...fences(text)];
  const outside = blank(text, spans);
  return blank(outside, [...tagged(outside), ...inlineCode(outside)]);
}

type Span = readonly [start: number, end: number];

/** Line breaks are kept: they end sentences and lists. */
function blank(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function* fences(text: string): Generator<Span> {
  let open: { readonly mark: string; readonly start: number } | undefined;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline + 1;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(at, Math.min(end, at + 80)))?.[1];
    if (mark !== undefined && open === undefined) open = { mark, start: at };
    else if (mark !== undefined && open !== undefined && closes(mark, open.mark)) {
      yield [open.start, end];
      open = undefined;
    }
    at = end;
  }
  if (open !== undefined) yield [open.start, text.length];
}

function closes(mark: string, opened: string): boolean {
  return mark[0] === opened[0] && mark.length >= opened.length;
}

function* tagged(text: string): Generator<Span> {
  const lastEnd = text.lastIndexOf('>');
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    // A tag without an end is none, and neither is any tag after it.
    if (name !== '' && lastEnd < OPENING.lastIndex) continue;
    const inside = name === '' ? OPENING.lastIndex : text.indexOf('>', OPENING.lastIndex) + 1;
    const end = endBehind(text, CLOSING[name] as RegExp, inside);
    yield [match.index, end];
    OPENING.lastIndex = end;
  }
}

/**
 * The offset after the first match of `closing` at or after `from`; without a match, the end of the
 * text.
 */
function endBehind(text: string, closing: RegExp, from: number): number {
  closing.lastIndex = from;
  const found = closing.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

/** A run of backticks up to the next run of the same length. */
function* inlineCode(text: string): Generator<Span> {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({
    length: run.length,
    index,
  }));
  const places = new Map<number, number[]>();
  for (const [i, { length }] of runs.entries()) {
    const list = places.get(length) ?? [];
    places.set(length, list);
    list.push(i);
  }
  const next = new Map<number, number>();
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i];
    const list = run === undefined ? undefined : places.get(run.length);
    if (run === undefined || list === undefined) continue;
    let at = next.get(run.length) ?? 0;
    while ((list[at] ?? runs.length) <= i) at++;
    next.set(run.length, at);
    const closing = list[at];
    const close = closing === undefined ? undefined : runs[closing];
    if (closing === undefined || close === undefined) continue;
    yield [run.index, close.index + close.length];
    i = closing;
  }
}
