// What one tool is: a name, what a model reads of it, schemas, and the call that it makes.
import type { Call } from './call.js';
import { DEFAULT_CHARS } from './clip.js';
import type { Pins, Subject } from './pins.js';
import { object, type Schema, text, whole } from './schema.js';
import type { Schemas } from './schemas.js';

export interface Context {
  readonly call: Call;
  readonly pins: Pins;
  /** Of servers with the same pins. */
  readonly schemas: Schemas;
  /** Told of faults of this side. */
  readonly onError: (error: Error) => void;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
}

export interface Outcome {
  /** As the output schema says. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** The same facts in few words. */
  readonly text: string;
  /** Of texts that were cut. */
  readonly links?: readonly ResourceLink[];
}

export interface Operation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whose name its first argument is. */
  readonly subject: Subject;
  /** Members of the input beside the subject; `?`: optional. */
  readonly input: Readonly<Record<string, Schema>>;
  readonly output: Schema;
  readonly effect: 'reads' | 'writes' | 'removes';
  /** Twice is as good as once. */
  readonly idempotent: boolean;
  readonly run: (context: Context, name: string, args: Arguments) => Promise<Outcome>;
}

export const PAGING: Readonly<Record<string, Schema>> = {
  'max_chars?': whole(
    200,
    200_000,
    'Letters that all entries together may take; 16000 by default.',
  ),
  'cursor?': text('next_cursor of the answer before, to go on behind it.'),
};

export const NEXT_CURSOR: Schema = text('Send it as cursor for what follows.');

/** What PAGING says of max_chars. */
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

/** The input schema; a subject that is pinned is no argument. */
export function inputOf({ subject, input }: Operation, isPinned: boolean): Schema {
  return object({ ...(isPinned ? {} : { [subject]: SUBJECTS[subject] }), ...input });
}

/** Members of `names` that were given. */
export function pick(args: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
  );
}

/** Without members that are undefined or null. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}
