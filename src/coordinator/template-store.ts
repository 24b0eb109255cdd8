// The templates of this node, in memory and in one small file of the data folder:
//   {"format": 1, "index": {"<name>": {…}}, "component": {…}, "legacy": {…}}, and a checksum (durable-file.ts)
// A change is on stable storage before it is seen.
import type { Json, JsonObject, TemplateKind } from '../backend.js';
import { isCode, readChecked, writeChecked } from '../durable-file.js';
import { QuarryError } from '../errors.js';
import type { TemplateBody } from './template-bodies.js';

const FORMAT = 1;
export type Templates = Readonly<Record<TemplateKind, ReadonlyMap<string, TemplateBody>>>;

export const NO_TEMPLATES: Templates = {
  index: new Map(),
  component: new Map(),
  legacy: new Map(),
};

export class TemplateStore {
  readonly #path: string;
  #all = NO_TEMPLATES;

  constructor(path: string) {
    this.#path = path;
  }

  get all(): Templates {
    return this.#all;
  }

  /** No file means no templates. corrupt_index_exception names a damaged one. */
  async load(): Promise<void> {
    try {
      this.#all = readTemplates(await readChecked(this.#path));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw new QuarryError(
        'corrupt_index_exception',
        `[${this.#path}] cannot be read as the list of templates (${(error as Error).message}): repair it, or move it ` +
          'away and make the templates again',
      );
    }
  }

  /** One change at a time: the caller sees to that. */
  async replace(all: Templates): Promise<void> {
    const kinds = Object.entries(all).map(([kind, map]) => [kind, Object.fromEntries(map)]);
    try {
      await writeChecked(this.#path, { format: FORMAT, ...Object.fromEntries(kinds) });
    } catch (error) {
      const why = (error as Error).message;
      throw new QuarryError('store_exception', `[${this.#path}] could not be written: ${why}`);
    }
    this.#all = all;
  }
}

function readTemplates(read: Json): Templates {
  const file = read as JsonObject;
  if (file['format'] !== FORMAT) {
    throw new Error(`format [${String(file['format'])}], expected [${FORMAT}]`);
  }
  const kind = (name: TemplateKind): ReadonlyMap<string, TemplateBody> => {
    const members = file[name];
    if (typeof members !== 'object' || members === null || Array.isArray(members)) {
      throw new Error(`it has no object [${name}]`);
    }
    return new Map(Object.entries(members as Readonly<Record<string, TemplateBody>>));
  };
  return { index: kind('index'), component: kind('component'), legacy: kind('legacy') };
}
