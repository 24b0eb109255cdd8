// The search templates of this node, stored in search-templates.json of the data folder
// (entry-file.ts):
//   {"templates": {"<id>": {"lang": "mustache", "source": "…", "options": {…}}}}
import type {
  DamagedEntry,
  JsonObject,
  NamedScripts,
  SearchTemplates,
  StoredScript,
} from '../../backend/index.js';
import { EntryFile, type EntryStore } from '../../base/entry-file.js';
import { checkPrintable } from '../../base/names.js';
import { QuarryError } from '../../errors.js';
import { parseTemplate } from '../../query/template/parse.js';
import { renderTemplate } from '../../query/template/render.js';
import { jsonText } from '../catalog/json-text.js';
import { Serial } from '../shards/serial.js';

/** Templates of at most 64 KiB each: all are kept in memory, and each change writes all of them. */
const MAX_TEMPLATES = 10_000;
const SECTION = 'templates';

export class LocalSearchTemplates implements SearchTemplates {
  readonly #file: EntryFile<typeof SECTION, StoredScript>;
  readonly #serial = new Serial();

  constructor(path: string | EntryStore) {
    this.#file = new EntryFile(path, {
      list: 'list of search templates',
      remedy: 'store the templates again',
      format: 1,
      sections: { [SECTION]: 'stored script' },
      read: (_section, _id, stored) => readStored(stored),
      print: (script) => script as unknown as JsonObject,
    });
  }

  load(): Promise<void> {
    return this.#file.load();
  }
  damaged(): readonly DamagedEntry[] {
    return this.#file.damaged();
  }

  async put(id: string, script: StoredScript): Promise<void> {
    checkPrintable(id, 'id of a stored script');
    parseTemplate(script.source);
    return this.#serial.run(async () => {
      const file = this.#file;
      const change = { section: SECTION, name: id, entry: script } as const;
      if (file.after([change])[SECTION].size <= MAX_TEMPLATES) return file.change([change]);
      throw new QuarryError(
        'illegal_argument_exception',
        `there are [${MAX_TEMPLATES}] stored scripts, the maximum; delete some of them`,
      );
    });
  }

  get(id: string): StoredScript | undefined {
    this.#file.refuseDamaged(SECTION, id);
    return this.#file.all[SECTION].get(id);
  }

  all(): NamedScripts {
    this.#file.refuseDamagedFile();
    const stored = [...this.#file.all[SECTION]].map(([id, script]) => ({ id, script }));
    return stored.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async restore(saved: NamedScripts): Promise<void> {
    for (const { script } of saved) parseTemplate(script.source);
    return this.#serial.run(async () => {
      if (saved.length === 0) return;
      const file = this.#file;
      const present = [...file.all[SECTION].keys(), ...file.damagedEntries(SECTION).keys()];
      await file.change([
        ...present.map((name) => ({ section: SECTION, name, entry: undefined }) as const),
        ...saved.map(({ id, script }) => ({ section: SECTION, name: id, entry: script }) as const),
      ]);
    });
  }

  remove(id: string): Promise<void> {
    return this.#serial.run(async () => {
      this.#file.refuseDamagedFile();
      if (this.#file.has(SECTION, id)) {
        return this.#file.change([{ section: SECTION, name: id, entry: undefined }]);
      }
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
    const script = this.get(id);
    if (script !== undefined) return script;
    throw new QuarryError(
      'resource_not_found_exception',
      `unable to find script [${id}] in cluster state`,
    );
  }
}

function readStored(stored: JsonObject): StoredScript {
  const { source } = stored;
  if (typeof source !== 'string') throw new Error('[source] is no text');
  return stored as unknown as StoredScript;
}
