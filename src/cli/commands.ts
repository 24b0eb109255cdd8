// The `quarry` command: one process, no fork. Exit codes: 0 stopped in order, 1 failed, 2 misused.
import { ConfigError } from '../config/load.js';
import { commandTable, helpText } from './help.js';
import { printError, printLine, printProgress } from './terminal.js';
import { runVerb } from './verbs.js';
import { programVersion } from './version.js';

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

/** Ends the process. */
export function runCommand(args: readonly string[]): void {
  // The reader of what is printed has gone (`quarry ... | head`), or its disk is full. The service logs elsewhere, and goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (args[0] !== 'serve') process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  process.stderr.on('error', () => {});
  run(args).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const misused = error instanceof ConfigError;
      printError(`quarry: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(misused ? 2 : 1);
    },
  );
}
