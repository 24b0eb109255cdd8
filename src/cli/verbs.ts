// All commands of `quarry`, in the order of its help, and how one of them is run.

import { didYouMean } from '../base/similar-names.js';
import { ConfigError } from '../config/load.js';
import { BENCH } from './bench.js';
import { clientOf } from './client.js';
import { completionVerb } from './completion.js';
import { DOCTOR } from './doctor.js';
import { EGO, LINK } from './ego.js';
import { EVAL } from './eval/eval.js';
import { readFlags } from './flags.js';
import { IMPORT } from './import.js';
import { AUDIT, CHANGES, EDIT, FORGET, MEMORIES, MEMORY, NAMESPACES } from './memories.js';
import {
  AUTOINDEX,
  BACKUP,
  CHECK,
  CONFIG,
  INIT,
  KEYS,
  MAP,
  MCP,
  MODELS,
  MOVE,
  RESTORE,
  SERVE,
  STANDBY,
} from './node-verbs.js';
import { OPEN } from './open.js';
import { RECALL, REMEMBER } from './recall.js';
import { SEARCH } from './search.js';
import { BULK, EXPORT } from './transfer.js';
import { type Verb, type VerbContext, verbHelp } from './verb.js';

export const VERBS: readonly Verb[] = [
  SERVE,
  OPEN,
  CONFIG,
  KEYS,
  MODELS,
  BACKUP,
  RESTORE,
  STANDBY,
  MOVE,
  CHECK,
  AUTOINDEX,
  MAP,
  MCP,
  INIT,
  SEARCH,
  RECALL,
  REMEMBER,
  BULK,
  MEMORIES,
  MEMORY,
  EDIT,
  FORGET,
  AUDIT,
  CHANGES,
  NAMESPACES,
  EGO,
  LINK,
  EXPORT,
  IMPORT,
  EVAL,
  BENCH,
  DOCTOR,
  completionVerb(() => VERBS),
];

export type Surroundings = Pick<
  VerbContext,
  'print' | 'progress' | 'write' | 'nowMs' | 'environment'
>;

/**
 * Runs a command and returns its exit code. Throws ConfigError for an unknown command or invalid
 * flags.
 */
export async function runVerb(
  name: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const verb = VERBS.find((one) => one.name === name);
  if (verb === undefined) {
    const names = VERBS.map((one) => one.name);
    const hint = didYouMean(name, names);
    const remedy = hint === '' ? `, there are ${names.join(', ')}, help and version` : hint;
    throw new ConfigError(`unknown command [${name}]${remedy}`);
  }
  if (args.includes('--help') || args.includes('-h')) {
    for (const line of verbHelp(verb).trimEnd().split('\n')) surroundings.print(line);
    return 0;
  }
  try {
    return await verb.run(contextOf(verb, args, surroundings));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}; see quarry ${verb.name} --help`);
  }
}

/** Makes the context of a command. Throws ConfigError like readFlags(). */
export function contextOf(
  verb: Verb,
  args: readonly string[],
  surroundings: Surroundings,
): VerbContext {
  const flags = readFlags(verb, args);
  return {
    ...flags,
    ...surroundings,
    json: flags.switches.has('json'),
    client: () => clientOf(flags.values, surroundings.environment),
  };
}
