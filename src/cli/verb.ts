// What a command of the command line is: its flags, its help, and what it does. Parsing, help, completion
// and the table of docs/command-line.md are made of these rows.
import type { Client, Environment } from './client.js';
import type { Flags } from './flags.js';

/** Where a command prints. */
export interface Output {
  readonly print: (line: string) => void;
  /** Replaces the line of progress; undefined where the error output is no terminal. */
  readonly progress: ((line: string) => void) | undefined;
}

export interface VerbContext extends Flags, Output {
  /** Sends requests to the service that the flags name. */
  readonly client: () => Client;
  readonly json: boolean;
  /** Bytes as they are. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly environment: Environment;
  readonly nowMs: () => number;
}

export interface Verb {
  readonly name: string;
  /** Behind `quarry NAME`, one for each form. */
  readonly usage: readonly string[];
  readonly about: string;
  /** Flags with a value, and what they say. */
  readonly flags: Readonly<Record<string, string>>;
  /** Flags that stand alone. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Behind `quarry `. */
  readonly examples: readonly string[];
  /** False: it sends no requests to a service. */
  readonly remote?: false;
  /** True: the keys of the configuration are flags of it, too. */
  readonly configured?: true;
  /** False: its answer has no form in JSON. */
  readonly json?: false;
  /** The exit code: 0, or 1 for what it found wrong. */
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
