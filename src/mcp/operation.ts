// The definition of a tool: name, description for the model, schemas, and the call that it makes.
import type { Call } from './call.js';
import { DEFAULT_CHARS } from './clip.js';
import type { Pins, Subject } from './pins.js';
import { object, type Schema, text, whole } from './schema.js';
import type { Schemas } from './schemas.js';

export interface Context {
  readonly call: Call;
  readonly pins: Pins;
  /** Shared by servers with the same pins. */
  readonly schemas: Schemas;
  /** Called with internal errors. */
  readonly onError: (error: Error) => void;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
}

export interface Outcome {
  /** The result according to the output schema. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** The same information as short text. */
  readonly text: string;
  /** Links to the full versions of truncated texts. */
  readonly links?: readonly ResourceLink[];
}

export interface Operation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The kind of name that the first argument is. */
  readonly subject: Subject;
  /** Members of the input in addition to the subject; those ending in `?` are optional. */
  readonly input: Readonly<Record<string, Schema>>;
  readonly output: Schema;
  readonly effect: 'reads' | 'writes' | 'removes';
  /** Whether repeating the call has no further effect. */
  readonly idempotent: boolean;
  readonly run: (context: Context, name: string, args: Arguments) => Promise<Outcome>;
}

export const PAGING: Readonly<Record<string, Schema>> = {
  'max_chars?': whole(
    200,
    200_000,
    'Characters that all entries together may take; 16000 by default.',
  ),
  'cursor?': text('next_cursor of the answer before, to go on behind it.'),
};

export const NEXT_CURSOR: Schema = text('Send it as cursor for what follows.');

/** The value of max_chars, or its default. */
export function maxCharsOf(args: Arguments): number {
  return (args['max_chars'] as number | undefined) ?? DEFAULT_CHARS;
}

export const NOT_SHOWN: Schema = {
  type: 'object',
  description: 'How many entries the answer leaves out, by reason.',
};

const SUBJECTS: Readonly<Record<Subject, Schema>> = {
  index: text('An index, several between commas, or a pattern such as logs-*.'),
  namespace: text('Whose memories: lower case letters, digits, dots, dashes and underscores.'),
  brain: text('The graph of links; the one of a namespace has its name.'),
};

/** The input schema; a pinned subject is not an argument. */
export function inputOf({ subject, input }: Operation, isPinned: boolean): Schema {
  return object({ ...(isPinned ? {} : { [subject]: SUBJECTS[subject] }), ...input });
}

/** The members named in `names` that were given. */
export function pick(args: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
  );
}

/** Drops members that are undefined or null. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}
