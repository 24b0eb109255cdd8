// Values of header fields, for every folder.

/** Without the blanks and tabs around it, which alone may stand there (RFC 9110, 5.5): other white space is of the value. */
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
