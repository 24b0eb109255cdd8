// The definition of a command as data: flags, help and action. Parsing, help, completion and the
// table of docs/command-line.md are derived from it.
import type { Client, Environment } from './client.js';
import type { Flags } from './flags.js';

/** The output of a command. */
export interface Output {
  readonly print: (line: string) => void;
  /** Replaces the line of progress; undefined if stderr is not a terminal. */
  readonly progress: ((line: string) => void) | undefined;
}

export interface VerbContext extends Flags, Output {
  /** Returns a client of the service that the flags name. */
  readonly client: () => Client;
  readonly json: boolean;
  /** Writes bytes unchanged. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

export interface Verb {
  readonly name: string;
  /** Usage texts after `quarry NAME`, one per form. */
  readonly usage: readonly string[];
  readonly about: string;
  /** Flags with a value, and their descriptions. */
  readonly flags: Readonly<Record<string, string>>;
  /** Flags without a value, and their descriptions. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Examples, without the leading `quarry `. */
  readonly examples: readonly string[];
  /** False if the command sends no requests to a service. */
  readonly remote?: false;
  /** True if the command accepts configuration keys as flags. */
  readonly configured?: true;
  /** False if the command has no JSON output. */
  readonly json?: false;
  /** Returns the exit code: 0, or 1 if it found something wrong. */
  readonly run: (context: VerbContext) => Promise<number>;
}

const REMOTE_FLAGS: Readonly<Record<string, string>> = {
  url: 'address of the service (QUARRY_URL, http://127.0.0.1:9200)',
  'api-key': 'key for it (QUARRY_API_KEY)',
};
const CONFIGURED_FLAGS = { config: 'a YAML file with keys of the configuration' } as const;
const JSON_SWITCH = { json: 'the answer as JSON' } as const;

export function flagsOf({ flags, remote, configured }: Verb): Readonly<Record<string, string>> {
  return {
    ...flags,
    ...(remote === false ? {} : REMOTE_FLAGS),
    ...(configured === true ? CONFIGURED_FLAGS : {}),
  };
}

export function switchesOf({ switches = {}, json }: Verb): Readonly<Record<string, string>> {
  return { ...switches, ...(json === false ? {} : JSON_SWITCH) };
}

export function verbHelp(verb: Verb): string {
  const row = ([flag, about]: readonly [string, string]): string =>
    `  --${flag.padEnd(16)} ${about}`;
  return [
    ...usageLines(verb),
    '',
    verb.about,
    '',
    ...Object.entries(flagsOf(verb)).map(row),
    ...Object.entries(switchesOf(verb)).map(row),
    ...(verb.configured === true
      ? ['  --KEY VALUE        keys of quarry config, see quarry --help']
      : []),
    '',
    'Examples:',
    ...verb.examples.map((example) => `  quarry ${example}`),
    '',
    EXIT_CODES,
    '',
  ].join('\n');
}

export const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 misused.';

function usageLines({ name, usage }: Verb): readonly string[] {
  return usage.map((form, i) =>
    `${i === 0 ? 'Usage: ' : '       '}quarry ${name} ${form}`.trimEnd(),
  );
}
