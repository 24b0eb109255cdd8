// The parts of a JSON text as slices, so that documents and aggregations pass as the cluster wrote
// them. The text must be valid JSON, as answers of the cluster are.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, SPACE] = [0x2c, 0x20];

/** The members of an object, by name; the value of a repeated name is the last one. */
export function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_OBJECT) {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    // Over the colon.
    const from = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const to = endOfValue(text, from);
    members.set(name, text.slice(from, to));
    at = behindComma(text, to);
  }
  return members;
}

/** The items of a list. */
export function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_LIST) {
    const to = endOfValue(text, at);
    items.push(text.slice(at, to));
    at = behindComma(text, to);
  }
  return items;
}

function behindComma(text: string, at: number): number {
  const next = skipSpace(text, at);
  return text.charCodeAt(next) === COMMA ? skipSpace(text, next + 1) : next;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** `from` is at the opening quote. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return endOfScalar(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function endOfScalar(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST) return at;
  }
  return text.length;
}
