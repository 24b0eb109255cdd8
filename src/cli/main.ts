#!/usr/bin/env node
// The entry point of the `quarry` command: checks the limit of file descriptors and runs
// commands.ts.
import { descriptorLimit } from '../base/descriptors.js';

/** Descriptors of an idle service (threads, log, listener) and some files of data. */
const LEAST_DESCRIPTORS = 80;

const limit = descriptorLimit();
if (limit < LEAST_DESCRIPTORS) {
  process.stderr.write(
    `quarry: this process may open ${limit} files and connections, it needs at least ${LEAST_DESCRIPTORS}: raise the limit (ulimit -n)\n`,
  );
  process.exit(1);
}
const { runCommand } = await import('./commands.js');
runCommand(process.argv.slice(2));
