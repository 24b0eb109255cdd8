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
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === BACKSLASH) i++;
      else if (c === QUOTE) quoted = false;
    } else if (c === QUOTE) quoted = true;
    else if (c === OPEN_OBJECT || c === OPEN_LIST) {
      if (++depth > most) return true;
    } else if (c === CLOSE_OBJECT || c === CLOSE_LIST) depth--;
  }
  return false;
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
