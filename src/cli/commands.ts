// The commands of `quarry`, each in this process. Exit codes: 0 success, 1 failure, 2 invalid
// arguments. Each command is loaded when it is called, so that clients do not load the service.
import { ConfigError } from '../config/load.js';
import { readArguments } from './arguments.js';
import { commandHelp, helpText } from './help.js';
import type { Output } from './snapshot-client.js';
import { printError, printLine, printProgress } from './terminal.js';
import { runVerb } from './verbs.js';
import { programVersion } from './version.js';

const OUTPUT: Output = { print: printLine, progress: printProgress };

type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  keys: async (args) => {
    const { keys } = await import('./keys.js');
    await keys(args, OUTPUT.print, Date.now());
    return 0;
  },
  mcp: async (args) => {
    const { mcp } = await import('./mcp.js');
    await mcp(args);
    return 0;
  },
  config: async (args) => {
    const { printConfig } = await import('./config.js');
    printConfig(args, OUTPUT.print);
    return 0;
  },
  backup: async (args) => {
    const { backup } = await import('./backup.js');
    await backup(args, OUTPUT);
    return 0;
  },
  restore: async (args) => {
    const { restore } = await import('./restore.js');
    await restore(args, OUTPUT);
    return 0;
  },
  check: async (args) => {
    const { check, readCheckArguments } = await import('./check.js');
    return check(readCheckArguments(args), {
      out: printLine,
      ...(printProgress === undefined ? {} : { progress: printProgress }),
    });
  },
  autoindex: async (args) => {
    const { readAutoindexArguments, runAutoindex } = await import('./autoindex.js');
    return runAutoindex(readAutoindexArguments(args, process.env), OUTPUT);
  },
  map: async (args) => {
    const { printMap, readMapArguments } = await import('./map.js');
    await printMap(readMapArguments(args, process.env), OUTPUT.print);
    return 0;
  },
};

async function run(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const code = await runVerb(name, rest, {
    ...OUTPUT,
    write: (bytes) => new Promise((done) => process.stdout.write(bytes, () => done())),
    environment: process.env,
    nowMs: Date.now,
  });
  if (code !== undefined) return code;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    if (!rest.includes('--help') && !rest.includes('-h')) return command(rest);
    process.stdout.write(commandHelp(name));
    return 0;
  }
  const line = readArguments(args);
  if (line.command === 'help') process.stdout.write(helpText());
  else if (line.command === 'version') process.stdout.write(`${programVersion()}\n`);
  else {
    const { serve } = await import('./serve.js');
    await serve(line);
  }
  return 0;
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
      const misused = error instanceof ConfigError;
      printError(`quarry: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(misused ? 2 : 1);
    },
  );
}
