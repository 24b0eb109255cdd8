// The nesting of a JSON text, measured before a recursive function sees its value.

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Whether objects and lists are nested deeper than `most` levels. The text may be invalid JSON. */
export function isNestedDeeper(text: string, most: number): boolean {
  if (countOf(text, '[', most) + countOf(text, '{', most) <= most) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfString(text, i);
    else if (c === OPEN_OBJECT || c === OPEN_LIST) {
      if (++depth > most) return true;
    } else if (c === CLOSE_OBJECT || c === CLOSE_LIST) depth--;
  }
  return false;
}

/** Where the string that begins at `start` ends. Most of a text is in strings, which are skipped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** How often `character` occurs; counting stops above `most`. */
function countOf(text: string, character: string, most: number): number {
  let count = 0;
  for (
    let at = text.indexOf(character);
    at >= 0 && count <= most;
    at = text.indexOf(character, at + 1)
  )
    count++;
  return count;
}
