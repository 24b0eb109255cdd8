// Runs the `quarry` command in this process. Exit codes: 0 success, 1 failure, 2 invalid arguments.

import { programVersion } from '../base/package.js';
import { ConfigError } from '../config/load.js';
import { commandTable, helpText } from './help.js';
import { printError, printLine, printProgress } from './terminal.js';
import { runVerb } from './verbs.js';

async function run(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(rest.includes('--markdown') ? `${commandTable()}\n` : helpText());
    return 0;
  }
  if (['version', '--version', '-v'].includes(name)) {
    process.stdout.write(`${programVersion()}\n`);
    return 0;
  }
  return runVerb(name, rest, {
    print: printLine,
    progress: printProgress,
    write: (bytes) => new Promise((done) => process.stdout.write(bytes, () => done())),
    environment: process.env,
    nowMs: Date.now,
  });
}

/** What a command that fails prints, and its exit code. */
export function failureOf(error: unknown): { readonly message: string; readonly code: 1 | 2 } {
  const message = `quarry: ${error instanceof Error ? error.message : String(error)}`;
  return { message, code: error instanceof ConfigError ? 2 : 1 };
}

/** Runs the command and ends the process. */
export function runCommand(args: readonly string[]): void {
  // The reader of the output has closed it (`quarry ... | head`), or the disk is full. The service
  // does not need stdout and continues.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (args[0] !== 'serve') process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  process.stderr.on('error', () => {});
  run(args).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const { message, code } = failureOf(error);
      printError(message);
      process.exit(code);
    },
  );
}
