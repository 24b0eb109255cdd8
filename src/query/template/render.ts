// Renders a template with its parameters. Values are escaped as the inside of JSON strings, so that
// no parameter can end the string around it; only own members of parameters are read. Work and
// output are bounded.
import type { Json, JsonObject } from '../../backend/index.js';
import { quote } from '../../base/json-text.js';
import { isSpelledDouble } from '../../base/spelled-doubles.js';
import type { QuarryError } from '../../errors.js';
import { illegal, isArray, isObject } from '../values.js';
import type { Nodes, Path, TemplateNode } from './parse.js';

/** Characters of the output; Elasticsearch limits its bytes. */
const MAX_CHARACTERS = 1024 * 1024;
/** Nodes that are rendered: nested sections over lists take long even without output. */
const MAX_STEPS = 100_000;
/** Items of a joined list that count as one step. */
const ITEMS_OF_STEP = 8;

/** Innermost last. */
type Scopes = readonly Json[];

interface Rendering {
  readonly out: string[];
  readonly toText: (value: Json) => string;
  readonly budget: { characters: number; steps: number };
  readonly escaped: boolean;
}

/** `toText` returns the JSON of a value, with all digits. */
export function renderTemplate(
  nodes: Nodes,
  params: Json,
  toText: (value: Json) => string,
): string {
  const budget = { characters: MAX_CHARACTERS, steps: MAX_STEPS };
  const rendering = { out: [], toText, budget, escaped: true };
  renderAll(nodes, [params], rendering);
  return rendering.out.join('');
}

function renderAll(nodes: Nodes, scopes: Scopes, rendering: Rendering): void {
  for (const node of nodes) {
    step(rendering);
    renderOne(node, scopes, rendering);
  }
}

function step({ budget }: Pick<Rendering, 'budget'>, steps = 1): void {
  budget.steps -= steps;
  if (budget.steps >= 0) return;
  throw illegal(`the template takes more than ${MAX_STEPS} steps, give it shorter lists`);
}

function renderOne(node: TemplateNode, scopes: Scopes, rendering: Rendering): void {
  switch (node.kind) {
    case 'section':
      for (const item of itemsOf(lookUp(node.path, scopes))) {
        step(rendering);
        renderAll(node.inside, [...scopes, item], rendering);
      }
      break;
    case 'inverted':
      if (itemsOf(lookUp(node.path, scopes)).length === 0) {
        renderAll(node.inside, scopes, rendering);
      }
      break;
    case 'url': {
      const out: string[] = [];
      renderAll(node.inside, scopes, { ...rendering, out, escaped: false });
      write(formEncoded(out.join('')), rendering);
      break;
    }
    default:
      write(leafText(node, scopes, rendering), rendering);
  }
}

type Leaf = Exclude<TemplateNode, { readonly inside: Nodes }>;

function leafText(node: Leaf, scopes: Scopes, { toText, escaped, budget }: Rendering): string {
  if (node.kind === 'text') return node.text;
  const value = withFraction(node.path, scopes);
  if (node.kind === 'json' && (isArray(value) || isObject(value))) return toText(value);
  const text = new ValueText(budget);
  if (node.kind === 'join' && isArray(value)) text.addJoined(value, node.delimiter);
  else text.add(value);
  const raw = node.kind === 'json' || (node.kind === 'value' && node.raw) || !escaped;
  return raw ? text.text : quote(text.text).slice(1, -1);
}

function write(text: string, { out, budget }: Rendering): void {
  budget.characters -= text.length;
  if (budget.characters < 0) throw tooLong();
  out.push(text);
}

function tooLong(): QuarryError {
  return illegal(
    `the template makes more than [${MAX_CHARACTERS}] characters, give it fewer or shorter parameters`,
  );
}

/**
 * Looks up the first name from the innermost scope outwards, and the others inside the value found.
 */
function lookUp(path: Path, scopes: Scopes): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return scopes.at(-1);
  for (let at = scopes.length - 1; at >= 0; at--) {
    const found = member(scopes[at], first);
    if (found !== undefined) return rest.reduce<Json | undefined>(member, found);
  }
  return undefined;
}

/** Shows a whole number as a fraction if it was written as one. */
function withFraction(path: Path, scopes: Scopes): Json | undefined {
  const value = lookUp(path, scopes);
  const name = path.at(-1);
  if (typeof value !== 'number' || name === undefined || Math.abs(value) >= 1e7) return value;
  const before = path.slice(0, -1);
  const holder =
    before.length > 0
      ? lookUp(before, scopes)
      : scopes.findLast((scope) => member(scope, name) !== undefined);
  return isObject(holder) && isSpelledDouble(holder, name) ? `${value}.0` : value;
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (isArray(value)) return name === 'size' ? value.length : value[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Returns the items for which a section is rendered: none for null, false, an empty string and an
 * empty list. Zero counts as a value.
 */
function itemsOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null || value === false || value === '') return [];
  return isArray(value) ? value : [value];
}

/** Builds the text of a parameter within the remaining budget of the template. */
class ValueText {
  readonly #budget: Rendering['budget'];
  text = '';

  constructor(budget: Rendering['budget']) {
    this.#budget = budget;
  }

  /**
   * Formats lists and objects like Java; the outermost list becomes an object with its indexes as
   * keys, as in Elasticsearch.
   */
  add(value: Json | undefined): void {
    if (value === undefined || value === null) return;
    if (isObject(value) || isArray(value)) this.#addMembers(value);
    else this.#append(String(value));
  }

  addJoined(list: readonly Json[], delimiter: string): void {
    step({ budget: this.#budget }, Math.ceil(list.length / ITEMS_OF_STEP));
    for (const [at, item] of list.entries()) {
      if (at > 0) this.#append(delimiter);
      this.add(item);
    }
  }

  #addMembers(value: JsonObject | readonly Json[]): void {
    const members = Object.entries(value);
    for (const [at, [name, member]] of members.entries()) {
      this.#append(`${at > 0 ? ', ' : '{'}${name}=`);
      this.#addInner(member);
    }
    this.#append(members.length === 0 ? '{}' : '}');
  }

  /** Nested lists stay lists. */
  #addInner(value: Json): void {
    if (value === null) this.#append('null');
    else if (isArray(value)) {
      this.#append('[');
      for (const [at, item] of value.entries()) {
        if (at > 0) this.#append(', ');
        this.#addInner(item);
      }
      this.#append(']');
    } else this.add(value);
  }

  #append(text: string): void {
    if (this.text.length + text.length > this.#budget.characters) throw tooLong();
    this.text += text;
  }
}

/** Encodes like forms and Java's URLEncoder. */
function formEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
