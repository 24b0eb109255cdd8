// The commands of `quarry`: one process, no fork. Exit codes: 0 stopped in order, 1 failed, 2 misused.
import { ConfigError } from '../config/load.js';
import { serviceVersion } from '../main.js';
import { readArguments } from './arguments.js';
import { readAutoindexArguments, runAutoindex } from './autoindex.js';
import { backup } from './backup.js';
import { check, readCheckArguments } from './check.js';
import { printConfig } from './config.js';
import { evaluate, readEvalArguments } from './eval.js';
import { helpText } from './help.js';
import { keys } from './keys.js';
import { printMap, readMapArguments } from './map.js';
import { restore } from './restore.js';
import { serve } from './serve.js';
import type { Output } from './snapshot-client.js';
import { runVerb } from './verbs.js';

const OUTPUT: Output = {
  print: (line) => process.stdout.write(`${line}\n`),
  progress: process.stderr.isTTY ? (line) => process.stderr.write(`\r\x1b[K${line}`) : undefined,
};

async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  const code = await runVerb(command, rest, {
    ...OUTPUT,
    write: (bytes) => new Promise((done) => process.stdout.write(bytes, () => done())),
    environment: process.env,
    nowMs: Date.now,
  });
  if (code !== undefined) return code;
  if (command === 'keys' && !rest.includes('--help')) {
    await keys(rest, OUTPUT.print, Date.now());
    return 0;
  }
  if (command === 'mcp' && !rest.includes('--help')) {
    // Alone here: a service that starts does not load the protocol.
    const { mcp } = await import('./mcp.js');
    await mcp(rest);
    return 0;
  }
  if (command === 'config' && !rest.includes('--help')) {
    printConfig(rest, OUTPUT.print);
    return 0;
  }
  if (command === 'eval' && !rest.includes('--help')) {
    await evaluate(readEvalArguments(rest), (text) => process.stdout.write(`${text}\n`));
    return 0;
  }
  if ((command === 'backup' || command === 'restore') && !rest.includes('--help')) {
    await (command === 'backup' ? backup : restore)(rest, OUTPUT);
    return 0;
  }
  if (command === 'check' && !rest.includes('--help')) {
    return check(readCheckArguments(rest), {
      out: (text) => process.stdout.write(`${text}\n`),
      ...(process.stderr.isTTY
        ? { progress: (text) => process.stderr.write(`\r\u001b[K${text}`) }
        : {}),
    });
  }
  if (command === 'autoindex' && !rest.includes('--help')) {
    return runAutoindex(readAutoindexArguments(rest, process.env), OUTPUT);
  }
  if (command === 'map' && !rest.includes('--help')) {
    await printMap(readMapArguments(rest, process.env), OUTPUT.print);
    return 0;
  }
  const line = readArguments(args);
  if (line.command === 'help') process.stdout.write(helpText());
  else if (line.command === 'version') process.stdout.write(`${serviceVersion()}\n`);
  else await serve(line);
  return 0;
}

/** Ends the process. */
export function runCommand(args: readonly string[]): void {
  run(args).then(
    (code) => process.exit(code),
    (error: unknown) => {
      const misused = error instanceof ConfigError;
      process.stderr.write(`quarry: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(misused ? 2 : 1);
    },
  );
}
