// Parses search templates: mustache with Elasticsearch's extensions. Tags are parsed to a checked
// tree, so that an invalid template is rejected before it is stored.
import { illegal } from '../values.js';
import { readTags, type Tag, TemplateSyntaxError } from './tags.js';

/** Elasticsearch's limit, in bytes. */
export const MAX_TEMPLATE_BYTES = 65_535;
/** Nesting levels of sections. */
const MAX_DEPTH = 50;

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  /** `{{name}}`; raw: `{{{name}}}`, which is not escaped. */
  | { readonly kind: 'value'; readonly path: Path; readonly raw: boolean }
  | { readonly kind: 'section'; readonly path: Path; readonly inside: Nodes }
  /** `{{^name}}`: shown if the name has no value. */
  | { readonly kind: 'inverted'; readonly path: Path; readonly inside: Nodes }
  | { readonly kind: 'json'; readonly path: Path }
  | { readonly kind: 'join'; readonly path: Path; readonly delimiter: string }
  | { readonly kind: 'url'; readonly inside: Nodes };

export type Nodes = readonly TemplateNode[];

/** The names that lead to a value; empty for `{{.}}`, the value of the section. */
export type Path = readonly string[];

/** Throws illegal_argument_exception with the reason. */
export function parseTemplate(source: string): Nodes {
  const bytes = Buffer.byteLength(source);
  if (bytes > MAX_TEMPLATE_BYTES) {
    throw illegal(
      `exceeded max allowed template size in bytes [${MAX_TEMPLATE_BYTES}] with size [${bytes}]`,
    );
  }
  return nodesOf(tagsOf(source), 0);
}

function tagsOf(source: string): readonly Tag[] {
  try {
    return readTags(source);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw illegal(`compile error in template: ${error.message}`);
  }
}

function nodesOf(tags: readonly Tag[], depth: number): Nodes {
  if (depth > MAX_DEPTH) {
    throw illegal(`compile error in template: sections are nested deeper than ${MAX_DEPTH} levels`);
  }
  return tags.map((tag) => nodeOf(tag, depth));
}

function nodeOf(tag: Tag, depth: number): TemplateNode {
  switch (tag.kind) {
    case 'text':
      return tag;
    case 'value':
    case 'raw':
      return { kind: 'value', path: pathOf(tag.name), raw: tag.kind === 'raw' };
    case 'section':
      return readFunction(tag.name, tag.inside, depth) ?? sectionOf(tag, depth);
    case 'inverted':
      return sectionOf(tag, depth);
    case 'partial':
      throw illegal(
        `compile error in template: partials [{{> ${tag.name}}}] are not supported, write the text of [${tag.name}] in its place`,
      );
  }
}

function sectionOf(
  { kind, name, inside }: Extract<Tag, { readonly inside: readonly Tag[] }>,
  depth: number,
): TemplateNode {
  return { kind, path: pathOf(name), inside: nodesOf(inside, depth + 1) };
}

const JOIN = /^join(?:\s+delimiter='(.*)')?$/i;

/**
 * Returns the node of a section that Elasticsearch treats as a function; undefined for any other.
 */
function readFunction(name: string, tags: readonly Tag[], depth: number): TemplateNode | undefined {
  if (/^tojson$/i.test(name)) return { kind: 'json', path: onlyName('toJson', tags) };
  if (/^url$/i.test(name)) return { kind: 'url', inside: nodesOf(tags, depth + 1) };
  const join = JOIN.exec(name);
  if (join === null) return undefined;
  return { kind: 'join', path: onlyName('join', tags), delimiter: join[1] ?? ',' };
}

function onlyName(what: string, tags: readonly Tag[]): Path {
  const text = tags.map((tag) => (tag.kind === 'text' ? tag.text : undefined));
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
