// The templates of this node, stored in templates.json of the data folder (entry-file.ts):
// {"index": {"<name>": {…}}, "component": {…}, "legacy": {…}}.
import type { Json, JsonObject, TemplateKind } from '../../backend/index.js';
import { type Entries, EntryFile, type EntryStore } from '../../base/entry-file.js';
import { CALLED, type TemplateBody } from './template-bodies.js';

export type Templates = Entries<TemplateKind, TemplateBody>;
export type TemplateFile = EntryFile<TemplateKind, TemplateBody>;

export function templateFile(path: string | EntryStore): TemplateFile {
  return new EntryFile(path, {
    list: 'list of templates',
    remedy: 'make the templates again',
    format: 1,
    sections: CALLED,
    read: (_kind, _name, stored) => checkShape(stored),
    print: (body) => body as JsonObject,
  });
}

const isText = (value: Json): boolean => typeof value === 'string';
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: Json): boolean => typeof value === 'number';
const isFlag = (value: Json): boolean => typeof value === 'boolean';
const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SHAPES: Readonly<Record<keyof TemplateBody, (value: Json) => boolean>> = {
  index_patterns: isTexts,
  template: isObject,
  composed_of: isTexts,
  ignore_missing_component_templates: isTexts,
  priority: isNumber,
  order: isNumber,
  settings: isObject,
  mappings: isObject,
  aliases: isObject,
  version: isNumber,
  allow_auto_create: isFlag,
  deprecated: isFlag,
  _meta: isObject,
};

/**
 * Checks only what every use of a template relies on. The template was checked by the rules of its
 * time when it was put; whether it still yields a valid index is found out at the creation of one.
 */
function checkShape(stored: JsonObject): TemplateBody {
  for (const [key, fits] of Object.entries(SHAPES)) {
    const value = stored[key];
    if (value !== undefined && !fits(value)) throw new Error(`[${key}] is malformed`);
  }
  return stored;
}
