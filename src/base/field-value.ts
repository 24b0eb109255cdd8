// Values of HTTP header fields.

/**
 * Removes surrounding blanks and tabs, the only optional white space of a field value (RFC 9110,
 * section 5.5).
 */
export function trimFieldValue(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
