// Prints text to a terminal. Stored texts, file names and answers of a service may contain control
// characters that would control it.

/**
 * Control characters except tab, and the characters that reorder displayed text (UAX 9: embeddings,
 * overrides, isolates).
 */
const STEERING = /(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Escapes every such character: `\x1b` below the blank, `\u009b` above. The output of
 * JSON.stringify contains none of the first kind, so it remains JSON with the same content.
 */
export function printable(text: string): string {
  return text.replaceAll(STEERING, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return character < ' ' ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Prints exactly one line to stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Prints a message of one or several lines to stderr. */
export function printError(text: string): void {
  for (const line of text.split('\n')) process.stderr.write(`${printable(line)}\n`);
}

/** Replaces the last line of stderr; undefined if that is not a terminal. */
export const printProgress: ((text: string) => void) | undefined = process.stderr.isTTY
  ? (text) => {
      process.stderr.write(`\r\x1b[K${printable(text)}`);
    }
  : undefined;
