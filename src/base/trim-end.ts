// The end of a text without certain characters. The expression that says so (`/[.,]+$/`) takes quadratic time: it starts
// anew at each of them.

/** `chars`: each one is taken off, as often as it stands at the end. */
export function trimEndOf(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
