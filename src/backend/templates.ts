// What new indexes start with, by their names.
import type { JsonObject } from './json.js';

/** Index templates, their components, and those of the older kind (`_template`). */
export type TemplateKind = 'index' | 'component' | 'legacy';
export interface NamedTemplate {
  readonly name: string;
  readonly body: JsonObject;
}

export type SavedTemplates = Readonly<Record<TemplateKind, readonly NamedTemplate[]>>;

/** What new indexes start with, by their names. */
export interface IndexTemplates {
  /** `create`: refused when there is one of that name. */
  put(kind: TemplateKind, name: string, body: JsonObject, create: boolean): Promise<void>;
  /** Those that the names or patterns mean, in name order. */
  get(kind: TemplateKind, names: readonly string[]): readonly NamedTemplate[];
  /**
   * All of a node that has been saved, in one step. Index templates and components become those that are given, where there
   * are any of their kind; those of the older kind are added, or replace one of their name.
   */
  restore(saved: SavedTemplates): Promise<void>;
  /** Rejects when a name that is no pattern is not there, or a component is in use. */
  remove(kind: TemplateKind, names: readonly string[]): Promise<void>;
  /** `{template, overlapping}` of an index template that is there, or of `body` in its place. */
  simulate(name: string | undefined, body: JsonObject | undefined): Promise<JsonObject>;
  /** The same of an index that would be created now, as if `body` were a template, too. */
  simulateIndex(index: string, body: JsonObject | undefined): Promise<JsonObject>;
}
