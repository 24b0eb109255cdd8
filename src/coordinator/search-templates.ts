// The search templates of this node, in memory and in one small file of the data folder, checksum included (durable-file.ts):
//   {"format": 1, "templates": {"<id>": {"lang": "mustache", "source": "…", "options": {…}}}}
// A change is on stable storage before it is seen.
import type { Json, JsonObject, NamedScripts, SearchTemplates, StoredScript } from '../backend.js';
import { isCode, readChecked, writeChecked } from '../durable-file.js';
import { QuarryError } from '../errors.js';
import { parseTemplate } from '../query/template/parse.js';
import { renderTemplate } from '../query/template/render.js';
import { jsonText } from './json-text.js';
import { Serial } from './serial.js';

const FORMAT = 1;
/** Of 64 KiB each at most: they stay in memory, and each change writes them all. */
const MAX_TEMPLATES = 10_000;

type Stored = ReadonlyMap<string, StoredScript>;

export class LocalSearchTemplates implements SearchTemplates {
  readonly #path: string;
  readonly #serial = new Serial();
  #all: Stored = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  /** No file means no templates. corrupt_index_exception names a damaged one. */
  async load(): Promise<void> {
    try {
      this.#all = readFile(await readChecked(this.#path));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw new QuarryError(
        'corrupt_index_exception',
        `[${this.#path}] cannot be read as the list of search templates (${(error as Error).message}): repair it, or ` +
          'move it away and store the templates again',
      );
    }
  }

  async put(id: string, script: StoredScript): Promise<void> {
    parseTemplate(script.source);
    return this.#serial.run(async () => {
      const all = new Map(this.#all).set(id, script);
      if (all.size <= MAX_TEMPLATES) return this.#replace(all);
      throw new QuarryError(
        'illegal_argument_exception',
        `there are [${MAX_TEMPLATES}] stored scripts, as many as may be; delete some of them`,
      );
    });
  }

  get(id: string): StoredScript | undefined {
    return this.#all.get(id);
  }

  all(): NamedScripts {
    return [...this.#all.keys()].sort().map((id) => ({ id, script: this.#found(id) }));
  }

  async restore(saved: NamedScripts): Promise<void> {
    for (const { script } of saved) parseTemplate(script.source);
    return this.#serial.run(async () => {
      if (saved.length > 0)
        await this.#replace(new Map(saved.map(({ id, script }) => [id, script])));
    });
  }

  remove(id: string): Promise<void> {
    return this.#serial.run(async () => {
      const all = new Map(this.#all);
      if (all.delete(id)) return this.#replace(all);
      throw new QuarryError(
        'resource_not_found_exception',
        `stored script [${id}] does not exist and cannot be deleted`,
      );
    });
  }

  render(template: Parameters<SearchTemplates['render']>[0], params: JsonObject): string {
    const source = 'id' in template ? this.#found(template.id).source : template.source;
    return renderTemplate(parseTemplate(source), params, jsonText);
  }

  #found(id: string): StoredScript {
    const script = this.#all.get(id);
    if (script !== undefined) return script;
    throw new QuarryError(
      'resource_not_found_exception',
      `unable to find script [${id}] in cluster state`,
    );
  }

  async #replace(all: Stored): Promise<void> {
    try {
      const templates = Object.fromEntries(all);
      await writeChecked(this.#path, { format: FORMAT, templates });
    } catch (error) {
      const why = (error as Error).message;
      throw new QuarryError('store_exception', `[${this.#path}] could not be written: ${why}`);
    }
    this.#all = all;
  }
}

function readFile(read: Json): Stored {
  const { format, templates } = read as JsonObject;
  if (format !== FORMAT) throw new Error(`format [${String(format)}], expected [${FORMAT}]`);
  if (typeof templates !== 'object' || templates === null) {
    throw new Error('it has no object [templates]');
  }
  return new Map(Object.entries(templates as unknown as Readonly<Record<string, StoredScript>>));
}
