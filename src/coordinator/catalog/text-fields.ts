// The text and keyword fields of an index by their full names, and where the source has their
// values.
import type { Json, JsonObject } from '../../backend/index.js';
import { patternMatcher } from '../../base/wildcard.js';

export interface MappedField {
  /** Of an alias: the name of the field that it stands for. */
  readonly name: string;
  readonly type: string;
  /** Paths of the source: its own, that of the field it belongs to, those that are copied to it. */
  readonly paths: readonly string[];
  /** The nested object around it. */
  readonly nested: string | undefined;
  readonly isIndexed: boolean;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'keyword']);

export function hasText({ type }: MappedField): boolean {
  return TEXT_TYPES.has(type);
}

export class TextFields {
  readonly #fields = new Map<string, MappedField>();
  readonly #copied = new Map<string, string[]>();
  readonly #aliases = new Map<string, string>();

  constructor(mappings: JsonObject) {
    this.#properties(mappings, '', undefined);
  }

  /** A field of any type; undefined: the index does not map it. */
  get(name: string): MappedField | undefined {
    const field = this.#fields.get(this.#aliases.get(name) ?? name);
    const copied = field === undefined ? undefined : this.#copied.get(field.name);
    return field === undefined || copied === undefined
      ? field
      : { ...field, paths: [...field.paths, ...copied] };
  }

  /** The indexed text and keyword fields outside nested objects whose name matches any pattern. */
  matching(patterns: readonly string[]): readonly MappedField[] {
    const matchers = patterns.map(patternMatcher);
    const names = [...this.#fields.keys(), ...this.#aliases.keys()];
    const found = new Map<string, MappedField>();
    for (const name of names) {
      if (!matchers.some((matches) => matches(name))) continue;
      const field = this.get(name);
      if (field === undefined || !field.isIndexed || field.nested !== undefined) continue;
      if (hasText(field)) found.set(field.name, field);
    }
    return [...found.values()];
  }

  #properties(node: JsonObject, prefix: string, nested: string | undefined): void {
    for (const [name, definition] of membersOf(node['properties'])) {
      this.#field(definition, `${prefix}${name}`, nested);
    }
  }

  #field(definition: JsonObject, name: string, nested: string | undefined): void {
    const { type, path, enabled } = definition;
    if (type === 'alias') {
      this.#aliases.set(name, String(path));
      return;
    }
    if (definition['properties'] !== undefined || type === 'object' || type === 'nested') {
      const isOff = enabled === false || enabled === 'false';
      if (!isOff) this.#properties(definition, `${name}.`, type === 'nested' ? name : nested);
      return;
    }
    const add = (full: string, { type: kind, index }: JsonObject): void => {
      const isIndexed = index !== false && index !== 'false';
      this.#fields.set(full, { name: full, type: String(kind), paths: [name], nested, isIndexed });
    };
    add(name, definition);
    for (const [part, more] of membersOf(definition['fields'])) add(`${name}.${part}`, more);
    for (const target of listOf(definition['copy_to'])) {
      const known = this.#copied.get(target);
      if (known === undefined) this.#copied.set(target, [name]);
      else known.push(name);
    }
  }
}

function membersOf(value: Json | undefined): readonly [string, JsonObject][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value) as [string, JsonObject][];
}

function listOf(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
