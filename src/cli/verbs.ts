// The commands that are defined as data, and how one of them is run.
import { ConfigError } from '../config/load.js';
import { BENCH } from './bench.js';
import { clientOf, type Environment, readClientFlags } from './client.js';
import { completionVerb } from './completion.js';
import { DOCTOR } from './doctor.js';
import { EGO, LINK } from './ego.js';
import { EVAL } from './eval.js';
import { RECALL, REMEMBER } from './recall.js';
import { SEARCH } from './search.js';
import { EXPORT, IMPORT } from './transfer.js';
import { flagsOf, switchesOf, type Verb, type VerbContext, verbHelp } from './verb.js';

export const VERBS: readonly Verb[] = [
  SEARCH,
  RECALL,
  REMEMBER,
  EGO,
  LINK,
  EXPORT,
  IMPORT,
  EVAL,
  BENCH,
  DOCTOR,
  completionVerb(() => VERBS),
];

export interface Surroundings extends Pick<VerbContext, 'print' | 'write' | 'progress' | 'nowMs'> {
  readonly environment: Environment;
}

/** Returns the exit code; undefined if there is no such verb. */
export async function runVerb(
  name: string | undefined,
  args: readonly string[],
  around: Surroundings,
): Promise<number | undefined> {
  const verb = VERBS.find((one) => one.name === name);
  if (verb === undefined) return undefined;
  if (args.includes('--help') || args.includes('-h')) {
    for (const line of verbHelp(verb).trimEnd().split('\n')) around.print(line);
    return 0;
  }
  const read = (): ReturnType<typeof readClientFlags> =>
    readClientFlags(verb.name, args, Object.keys(flagsOf(verb)), Object.keys(switchesOf(verb)));
  try {
    const flags = read();
    return await verb.run({
      ...flags,
      ...around,
      json: flags.switches.has('json'),
      client: () => clientOf(flags.values, around.environment),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}; see quarry ${verb.name} --help`);
  }
}
