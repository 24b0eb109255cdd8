// Search templates, stored or inline, and their rendering.
import type { JsonObject } from './json.js';

export interface StoredScript {
  readonly lang: 'mustache';
  readonly source: string;
  readonly options?: Readonly<Record<string, string>>;
}

export type NamedScripts = readonly { readonly id: string; readonly script: StoredScript }[];

export interface SearchTemplates {
  /** Validates the template first: illegal_argument_exception with the reason. */
  put(id: string, script: StoredScript): Promise<void>;
  get(id: string): StoredScript | undefined;
  /** All templates, sorted by id. */
  all(): NamedScripts;
  /** Restores the templates of a snapshot. If there are any, they replace all existing ones. */
  restore(saved: NamedScripts): Promise<void>;
  /** resource_not_found_exception if there is no such template. */
  remove(id: string): Promise<void>;
  /** Renders a template, given by id or source, with parameters. */
  render(
    template: { readonly id: string } | { readonly source: string },
    params: JsonObject,
  ): string;
}
