// Blanks in place of code, so that `[[x]]` in an example is no link. Everything keeps its place, and one pass is enough
// whatever the text: what is opened and never closed reaches to the end, as CommonMark has it for fences.

const TAGS = /<(pre|code)\b[^>]*>|<!--/gi;

export function maskCode(text: string): string {
  if (!text.includes('`') && !text.includes('~~~') && !text.includes('<')) return text;
  const spans = [...fences(text)];
  const outside = blank(text, spans);
  return blank(outside, [...tagged(outside), ...inlineCode(outside)]);
}

type Span = readonly [start: number, end: number];

/** Line breaks stay: they end sentences and lists. */
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
  TAGS.lastIndex = 0;
  for (let match = TAGS.exec(text); match !== null; match = TAGS.exec(text)) {
    const closing = match[1] === undefined ? '-->' : `</${match[1]}>`;
    const close = indexOfAnyCase(text, closing, TAGS.lastIndex);
    const end = close < 0 ? text.length : close + closing.length;
    yield [match.index, end];
    TAGS.lastIndex = end;
  }
}

function indexOfAnyCase(text: string, closing: string, from: number): number {
  const found = new RegExp(closing, 'gi');
  found.lastIndex = from;
  return found.exec(text)?.index ?? -1;
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
