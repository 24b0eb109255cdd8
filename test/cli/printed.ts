// Runs a command within the test and returns the lines that it prints.
import type { Verb } from '../../src/cli/verb.ts';
import { contextOf } from '../../src/cli/verbs.ts';

export async function printed(
  verb: Verb,
  args: readonly string[],
  nowMs: () => number = Date.now,
): Promise<string[]> {
  const lines: string[] = [];
  const context = contextOf(verb, args, {
    // The terminal escapes line breaks within a line.
    print: (line) => lines.push(line.replaceAll('\n', '\\x0a')),
    progress: undefined,
    write: async () => {},
    environment: {},
    nowMs,
  });
  await verb.run(context);
  return lines;
}
