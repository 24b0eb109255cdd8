// Search templates: mustache with what Elasticsearch adds to it. The package cuts the text into tags; here they become a
// checked tree, so that a template is refused before it is stored.
import Mustache from 'mustache';
import { illegal } from '../values.js';

/** Bytes of a template, as Elasticsearch has it. */
export const MAX_TEMPLATE_BYTES = 65_535;
/** Sections in sections. */
const MAX_DEPTH = 50;

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  /** `{{name}}`; raw: `{{{name}}}`, which is not escaped. */
  | { readonly kind: 'value'; readonly path: Path; readonly raw: boolean }
  | { readonly kind: 'section'; readonly path: Path; readonly inside: Nodes }
  /** `{{^name}}`: where there is nothing of the name. */
  | { readonly kind: 'inverted'; readonly path: Path; readonly inside: Nodes }
  | { readonly kind: 'json'; readonly path: Path }
  | { readonly kind: 'join'; readonly path: Path; readonly delimiter: string }
  | { readonly kind: 'url'; readonly inside: Nodes };

export type Nodes = readonly TemplateNode[];

/** Names on the way to a value; none: `{{.}}`, the value of the section. */
export type Path = readonly string[];

/** A tag of the package: kind, what stands in it, where, and what is inside. */
type Tag = readonly [kind: string, value: string, from: number, to: number, inside?: unknown];

/** illegal_argument_exception says what is wrong with it. */
export function parseTemplate(source: string): Nodes {
  const bytes = Buffer.byteLength(source);
  if (bytes > MAX_TEMPLATE_BYTES) {
    throw illegal(
      `exceeded max allowed template size in bytes [${MAX_TEMPLATE_BYTES}] with size [${bytes}]`,
    );
  }
  let tags: readonly Tag[];
  try {
    // A writer of its own, whose cache goes with it: templates come from anybody.
    tags = new Mustache.Writer().parse(source) as unknown as readonly Tag[];
  } catch (error) {
    throw illegal(`compile error in template: ${(error as Error).message}`);
  }
  return readTags(tags, 0);
}

function readTags(tags: readonly Tag[], depth: number): Nodes {
  if (depth > MAX_DEPTH) {
    throw illegal(`compile error in template: sections are nested deeper than ${MAX_DEPTH} levels`);
  }
  return tags.flatMap((tag) => readTag(tag, depth));
}

function readTag([kind, value, , , inside]: Tag, depth: number): Nodes {
  const tags = (Array.isArray(inside) ? inside : []) as readonly Tag[];
  switch (kind) {
    case 'text':
      return [{ kind, text: value }];
    case 'name':
      return [{ kind: 'value', path: pathOf(value), raw: false }];
    case '&':
      return [{ kind: 'value', path: pathOf(value), raw: true }];
    case '#':
      return [readFunction(value, tags, depth) ?? readSection('section', value, tags, depth)];
    case '^':
      return [readSection('inverted', value, tags, depth)];
    case '>':
      throw illegal(
        `compile error in template: partials [{{> ${value}}}] are not supported, write the text of [${value}] in its place`,
      );
    default:
      // A comment, or a change of delimiters.
      return [];
  }
}

function readSection(
  kind: 'section' | 'inverted',
  name: string,
  tags: readonly Tag[],
  depth: number,
): TemplateNode {
  return { kind, path: pathOf(name), inside: readTags(tags, depth + 1) };
}

const JOIN = /^join(?:\s+delimiter='(.*)')?$/i;

/** Sections that Elasticsearch reads as functions: undefined for any other. */
function readFunction(name: string, tags: readonly Tag[], depth: number): TemplateNode | undefined {
  if (/^tojson$/i.test(name)) return { kind: 'json', path: onlyName('toJson', tags) };
  if (/^url$/i.test(name)) return { kind: 'url', inside: readTags(tags, depth + 1) };
  const join = JOIN.exec(name);
  if (join === null) return undefined;
  return { kind: 'join', path: onlyName('join', tags), delimiter: join[1] ?? ',' };
}

function onlyName(what: string, tags: readonly Tag[]): Path {
  const text = tags.map(([kind, value]) => (kind === 'text' ? value : undefined));
  if (tags.length === 0 || text.includes(undefined) || text.join('').trim() === '') {
    throw illegal(
      `compile error in template: Mustache function [${what}] must contain one and only one identifier`,
    );
  }
  return pathOf(text.join('').trim());
}

function pathOf(name: string): Path {
  return name === '.' ? [] : name.split('.');
}
