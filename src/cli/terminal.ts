// Text for a terminal. Stored texts, file names and answers of a service may hold control characters that would steer it.

/** Controls except tab, and the characters that reorder what is shown (UAX 9: embeddings, overrides, isolates). */
const STEERING = /(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text with every such character spelled out: `\x1b` below a blank, `\u009b` above. What JSON.stringify prints has
 * none of the first kind, so it stays JSON with the same content.
 */
export function printable(text: string): string {
  return text.replaceAll(STEERING, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return character < ' ' ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Exactly one line to the output of the program. */
export function printLine(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** A message, of one line or several, to the error output. */
export function printError(text: string): void {
  for (const line of text.split('\n')) process.stderr.write(`${printable(line)}\n`);
}

/** Replaces the last line of the error output; absent where that is no terminal. */
export const printProgress: ((text: string) => void) | undefined = process.stderr.isTTY
  ? (text) => {
      process.stderr.write(`\r\x1b[K${printable(text)}`);
    }
  : undefined;
