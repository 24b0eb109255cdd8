// The definition of a command as data: flags, help and action. Help and completion are generated
// from it.
import type { Client, ClientFlags, Environment } from './client.js';

export interface VerbContext extends ClientFlags {
  /** Returns a client of the service that the flags name. */
  readonly client: () => Client;
  readonly json: boolean;
  readonly print: (line: string) => void;
  /** Writes bytes unchanged. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Undefined if the output is not a terminal. */
  readonly progress: ((line: string) => void) | undefined;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

export interface Verb {
  readonly name: string;
  /** The usage text after `quarry NAME`. */
  readonly usage: string;
  readonly about: string;
  /** Flags with a value, and their descriptions. */
  readonly flags: Readonly<Record<string, string>>;
  /** Flags without a value, and their descriptions. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Examples, without the leading `quarry `. */
  readonly examples: readonly string[];
  /** False if the command does not use a service. */
  readonly remote?: false;
  /** Returns the exit code: 0, or 1 if it found something wrong. */
  readonly run: (context: VerbContext) => Promise<number>;
}

export const REMOTE_FLAGS: Readonly<Record<string, string>> = {
  url: 'address of the service (QUARRY_URL, http://127.0.0.1:9200)',
  'api-key': 'key for it (QUARRY_API_KEY)',
};

export const JSON_SWITCH = { json: 'the answer as JSON' } as const;

export function flagsOf({ flags, remote }: Verb): Readonly<Record<string, string>> {
  return remote === false ? flags : { ...flags, ...REMOTE_FLAGS };
}

export function switchesOf({ switches = {} }: Verb): Readonly<Record<string, string>> {
  return { ...switches, ...JSON_SWITCH };
}

export function verbHelp(verb: Verb): string {
  const row = ([flag, about]: readonly [string, string]): string =>
    `  --${flag.padEnd(16)} ${about}`;
  return [
    `Usage: quarry ${verb.name} ${verb.usage}`,
    '',
    verb.about,
    '',
    ...Object.entries(flagsOf(verb)).map(row),
    ...Object.entries(switchesOf(verb)).map(row),
    '',
    'Examples:',
    ...verb.examples.map((example) => `  quarry ${example}`),
    '',
    'Exit codes: 0 done, 1 failed, 2 misused.',
    '',
  ].join('\n');
}
