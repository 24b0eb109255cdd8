// Removes trailing characters in linear time. The regular expression `/[.,]+$/` takes quadratic
// time, because it restarts at each such character.

/** Removes all trailing characters that `chars` contains. */
export function trimEndOf(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
