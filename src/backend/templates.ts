// Templates for new indexes, selected by index name.
import type { JsonObject } from './json.js';

/** Index templates, component templates, and legacy templates (`_template`). */
export type TemplateKind = 'index' | 'component' | 'legacy';
export interface NamedTemplate {
  readonly name: string;
  readonly body: JsonObject;
}

export type SavedTemplates = Readonly<Record<TemplateKind, readonly NamedTemplate[]>>;

/** Templates for new indexes, selected by index name. */
export interface IndexTemplates {
  /** With `create`, an existing template of that name is an error. */
  put(kind: TemplateKind, name: string, body: JsonObject, create: boolean): Promise<void>;
  /** The templates that match the names or patterns, sorted by name. */
  get(kind: TemplateKind, names: readonly string[]): readonly NamedTemplate[];
  /**
   * Restores all templates of a snapshot in one step. Index and component templates each replace
   * all existing ones, if the snapshot has any of that kind; legacy templates are added, or replace
   * those of the same name.
   */
  restore(saved: SavedTemplates): Promise<void>;
  /** Rejects if a concrete name does not exist, or if a component template is in use. */
  remove(kind: TemplateKind, names: readonly string[]): Promise<void>;
  /** `{template, overlapping}` of an existing index template, or of `body` in its place. */
  simulate(name: string | undefined, body: JsonObject | undefined): Promise<JsonObject>;
  /**
   * The same for an index of that name if it were created now, with `body` as an additional
   * template.
   */
  simulateIndex(index: string, body: JsonObject | undefined): Promise<JsonObject>;
}
