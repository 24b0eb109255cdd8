// Templates of searches: stored under a name, or sent along, and what parameters make of them.
import type { JsonObject } from './json.js';

export interface StoredScript {
  readonly lang: 'mustache';
  readonly source: string;
  readonly options?: Readonly<Record<string, string>>;
}

export type NamedScripts = readonly { readonly id: string; readonly script: StoredScript }[];

export interface SearchTemplates {
  /** Checked first: illegal_argument_exception says what is wrong with the template. */
  put(id: string, script: StoredScript): Promise<void>;
  get(id: string): StoredScript | undefined;
  /** In the order of their ids. */
  all(): NamedScripts;
  /** Those of a node that has been saved: they take the place of all that are there, if there are any. */
  restore(saved: NamedScripts): Promise<void>;
  /** resource_not_found_exception when there is none. */
  remove(id: string): Promise<void>;
  /** The text that a template, by its id or its source, makes of parameters. */
  render(
    template: { readonly id: string } | { readonly source: string },
    params: JsonObject,
  ): string;
}
