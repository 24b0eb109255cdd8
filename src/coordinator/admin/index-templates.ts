// Index templates: stores them, finds the ones that match a name, and applies them to the body of a
// new index.
import type {
  IndexTemplates,
  Json,
  JsonObject,
  NamedTemplate,
  SavedTemplates,
  TemplateKind,
} from '../../backend/index.js';
import type { EntryChange } from '../../base/entry-file.js';
import { isPattern, patternMatcher } from '../../base/wildcard.js';
import { QuarryError } from '../../errors.js';
import { patternsOverlap } from '../catalog/pattern-overlap.js';
import { createSettings, nest } from '../catalog/settings.js';
import { Serial } from '../shards/serial.js';
import {
  type CheckFilter,
  invalidTemplate,
  readTemplate,
  type TemplateBody,
} from './template-bodies.js';
import { bodiesOf, type CheckIndex, checkTemplate, parts } from './template-check.js';
import { mergeBodies } from './template-merge.js';
import type { TemplateFile, Templates } from './template-store.js';

/** Prefix of the indexes that services own; templates do not apply to them. */
const OWN_NAMES = '.svc-';
/** Name of a template that is simulated without one. */
const UNNAMED = 'simulated';

type Entry = readonly [string, TemplateBody];
type Change = EntryChange<TemplateKind, TemplateBody>;
const KINDS: readonly TemplateKind[] = ['index', 'component', 'legacy'];

export class LocalTemplates implements IndexTemplates {
  readonly #file: TemplateFile;
  readonly #checkFilter: CheckFilter;
  readonly #checkIndex: CheckIndex;
  readonly #serial = new Serial();

  constructor(file: TemplateFile, checkFilter: CheckFilter, checkIndex: CheckIndex) {
    this.#file = file;
    this.#checkFilter = checkFilter;
    this.#checkIndex = checkIndex;
  }

  put(kind: TemplateKind, name: string, body: JsonObject, create: boolean): Promise<void> {
    return this.#serial.run(async () => {
      const file = this.#file;
      file.refuseDamagedFile();
      const template = readTemplate(kind, name, body, this.#checkFilter);
      if (create && file.has(kind, name)) {
        const what = kind === 'component' ? 'component template' : 'index template';
        throw illegal(`${what} [${name}] already exists`);
      }
      if (kind === 'index') checkComposable(name, template, file.all);
      const changes = [{ section: kind, name, entry: template }];
      await checkTemplate(kind, name, file.after(changes), this.#checkIndex);
      await file.change(changes);
    });
  }

  /** Matching a pattern, unreadable templates are left out; naming one is an error. */
  get(kind: TemplateKind, names: readonly string[]): readonly NamedTemplate[] {
    this.#file.refuseDamagedFile();
    for (const name of names) this.#file.refuseDamaged(kind, name);
    return this.#matching(kind, names).map(([name, body]) => ({ name, body: { ...body } }));
  }

  restore(saved: SavedTemplates): Promise<void> {
    return this.#serial.run(async () => {
      await this.#file.change(KINDS.flatMap((kind) => this.#restored(kind, saved)));
    });
  }

  /**
   * Restored templates of the legacy kind are added to the present ones; those of the other kinds
   * replace all present ones of their kind.
   */
  #restored(kind: TemplateKind, saved: SavedTemplates): readonly Change[] {
    const put = saved[kind].map(({ name, body }): Change => {
      return { section: kind, name, entry: readTemplate(kind, name, body, this.#checkFilter) };
    });
    if (kind === 'legacy' || put.length === 0) return put;
    const present = [...this.#file.all[kind].keys(), ...this.#file.damagedEntries(kind).keys()];
    return [...present.map((name) => ({ section: kind, name, entry: undefined })), ...put];
  }

  remove(kind: TemplateKind, names: readonly string[]): Promise<void> {
    return this.#serial.run(async () => {
      const file = this.#file;
      file.refuseDamagedFile();
      const missing = names.filter((name) => !isPattern(name) && !file.has(kind, name));
      if (missing.length > 0) throw notThere(kind, missing.join(','));
      const tests = names.map(patternMatcher);
      const all = [...file.all[kind].keys(), ...file.damagedEntries(kind).keys()];
      const gone = all.filter((name) => tests.some((test) => test(name)));
      if (kind === 'component') refuseUsed(gone, file.all);
      if (gone.length === 0) {
        if (names.includes('*')) return;
        throw notThere(kind, names.join(','));
      }
      await file.change(gone.map((name) => ({ section: kind, name, entry: undefined })));
    });
  }

  async simulate(name: string | undefined, body: JsonObject | undefined): Promise<JsonObject> {
    const all = await this.#with(name ?? UNNAMED, body);
    const one = all.index.get(name ?? UNNAMED);
    if (one === undefined)
      throw illegal(`unable to simulate template [${name}] that does not exist`);
    return {
      template: printed(bodiesOf(one, all)),
      overlapping: overlapping(name ?? UNNAMED, one, all),
    };
  }

  async simulateIndex(index: string, body: JsonObject | undefined): Promise<JsonObject> {
    const all = await this.#with(UNNAMED, body);
    const [first] = composablesOf(index, all);
    if (first !== undefined) {
      return {
        template: printed(bodiesOf(first[1], all), index),
        overlapping: overlapping(first[0], first[1], all),
      };
    }
    const legacy = legacyOf(index, all).map(([, one]) => parts(one));
    return legacy.length === 0 ? {} : { template: printed(legacy, index), overlapping: [] };
  }

  /**
   * The body of a new index: the matching templates, with the members of `body` taking precedence.
   */
  applied(index: string, body: JsonObject): JsonObject {
    if (index.startsWith(OWN_NAMES)) return body;
    const { all } = this.#file;
    this.#refuseDamaged(index);
    const [first] = composablesOf(index, all);
    const bodies =
      first === undefined
        ? legacyOf(index, all).map(([, one]) => parts(one))
        : bodiesOf(first[1], all);
    if (bodies.length === 0) return body;
    const template = mergeBodies(bodies);
    const aliases = named((template['aliases'] ?? {}) as JsonObject, index);
    return mergeBodies([{ ...template, aliases }, body]);
  }

  /**
   * Throws index_not_found_exception when a template forbids the automatic creation of that index.
   */
  checkAutoCreate(index: string): void {
    if (index.startsWith(OWN_NAMES)) return;
    const [first] = composablesOf(index, this.#file.all);
    if (first?.[1].allow_auto_create !== false) return;
    throw new QuarryError(
      'index_not_found_exception',
      `no such index [${index}] and composable template [${first[0]}] forbids index auto creation`,
      { extra: { index_uuid: '_na_', index } },
    );
  }

  /**
   * Throws if an unreadable template matches the name, because the index would be created without
   * it.
   */
  #refuseDamaged(index: string): void {
    this.#file.refuseDamagedFile();
    for (const kind of KINDS) {
      for (const [name, { stored }] of this.#file.damagedEntries(kind)) {
        if (reaches({ index_patterns: patternsOf(stored) }, index)) {
          this.#file.refuseDamaged(kind, name);
        }
      }
    }
  }

  #matching(kind: TemplateKind, names: readonly string[]): readonly Entry[] {
    const tests = names.map(patternMatcher);
    return [...this.#file.all[kind]]
      .filter(([name]) => tests.some((test) => test(name)))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The templates with one more, which gets the same checks as put() does. */
  async #with(name: string, body: JsonObject | undefined): Promise<Templates> {
    const { all } = this.#file;
    if (body === undefined) return all;
    const template = readTemplate('index', name, body, this.#checkFilter);
    checkComposable(name, template, all);
    const after = this.#file.after([{ section: 'index', name, entry: template }]);
    await checkTemplate('index', name, after, this.#checkIndex);
    return after;
  }
}

/** The patterns of an unreadable template, as far as they can be read. */
function patternsOf(stored: Json): readonly string[] {
  const patterns = (stored as { readonly index_patterns?: Json } | null)?.index_patterns;
  return Array.isArray(patterns) ? patterns.filter((one) => typeof one === 'string') : [];
}

function checkComposable(name: string, template: TemplateBody, all: Templates): void {
  const ignored = template.ignore_missing_component_templates ?? [];
  const missing = (template.composed_of ?? []).filter(
    (component) => !all.component.has(component) && !ignored.includes(component),
  );
  if (missing.length > 0) {
    throw invalidTemplate(
      name,
      `index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist`,
    );
  }
  const patterns = template.index_patterns ?? [];
  const priority = template.priority ?? 0;
  const rivals = [...all.index].filter(
    ([other, body]) =>
      other !== name &&
      (body.priority ?? 0) === priority &&
      overlap(patterns, body.index_patterns ?? []),
  );
  if (rivals.length === 0) return;
  const names = rivals.map(([other]) => other).sort();
  const shown = rivals.map(([other, body]) => `${other} => [${body.index_patterns?.join(', ')}]`);
  throw illegal(
    `index template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing templates ` +
      `[${names.join(', ')}] with patterns (${shown.sort().join(', ')}) that have the same priority [${priority}], multiple ` +
      'index templates may not match during index creation, please use a different priority',
  );
}

function refuseUsed(components: readonly string[], all: Templates): void {
  const used = components.filter((component) =>
    [...all.index.values()].some((body) => body.composed_of?.includes(component)),
  );
  if (used.length === 0) return;
  const users = [...all.index].filter(([, body]) =>
    body.composed_of?.some((component) => used.includes(component)),
  );
  throw illegal(
    `component templates [${used.join(', ')}] cannot be removed as they are still in use by index templates ` +
      `[${users.map(([user]) => user).join(', ')}]`,
  );
}

/**
 * The index templates that match a name, in descending priority. The pattern `*` does not match
 * hidden names.
 */
function composablesOf(index: string, all: Templates): readonly Entry[] {
  return [...all.index]
    .filter(([, body]) => reaches(body, index))
    .sort(([, a], [, b]) => (b.priority ?? 0) - (a.priority ?? 0));
}

/** The legacy templates that match a name, in ascending order. */
function legacyOf(index: string, all: Templates): readonly Entry[] {
  return [...all.legacy]
    .filter(([, body]) => reaches(body, index))
    .sort(([a, { order = 0 }], [b, other]) => order - (other.order ?? 0) || (a < b ? -1 : 1));
}

function reaches({ index_patterns = [] }: TemplateBody, index: string): boolean {
  return index_patterns.some(
    (pattern) => !(pattern === '*' && index.startsWith('.')) && patternMatcher(pattern)(index),
  );
}

function printed(bodies: readonly JsonObject[], index?: string): JsonObject {
  const { settings, mappings = {}, aliases } = mergeBodies(bodies);
  return {
    settings: nest(createSettings((settings ?? {}) as JsonObject)),
    mappings,
    aliases: index === undefined ? (aliases ?? {}) : named((aliases ?? {}) as JsonObject, index),
  };
}

/** `{index}` in the name of an alias stands for the name of the index. */
function named(aliases: JsonObject, index: string): JsonObject {
  return Object.fromEntries(
    Object.entries(aliases).map(([alias, body]) => [alias.replaceAll('{index}', index), body]),
  );
}

/** Templates whose patterns overlap those of `one`, whatever their priority. */
function overlapping(name: string, one: TemplateBody, all: Templates): readonly JsonObject[] {
  const rivals = (entries: Iterable<Entry>): readonly JsonObject[] =>
    [...entries]
      .filter(([, { index_patterns = [] }]) => overlap(one.index_patterns ?? [], index_patterns))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rival, { index_patterns = [] }]) => ({ name: rival, index_patterns }));
  const others = new Map(all.index);
  others.delete(name);
  return [...rivals(all.legacy), ...rivals(others)];
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => patternsOverlap(a, b)));
}

function notThere(kind: TemplateKind, names: string): QuarryError {
  if (kind === 'component') {
    return new QuarryError(
      'resource_not_found_exception',
      `component template matching [${names}] not found`,
    );
  }
  return new QuarryError('index_template_missing_exception', `index_template [${names}] missing`);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
