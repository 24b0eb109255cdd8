// Named entries, kept in memory and in one small file of the data folder:
//   {"format": 1, "<section>": {"<name>": {…}}, …}, by default followed by a checksum
// (durable-file.ts). A change first prepares the new file and checks that the changed entries can
// be read back, then durably replaces the file, and then swaps the entries in memory, which cannot
// fail. When the file is loaded, an unreadable entry is marked as damaged and keeps its name and
// stored text; an unreadable file is marked as damaged as a whole and is not replaced. Both are
// reported, and neither prevents the start.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DamagedEntry, Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { CHECKED, type FileCodec, isCode, writeDurably } from './durable-file.js';
import { parseExact, printExact } from './exact-json.js';
import { asText } from './json-text.js';

export interface EntryFormat<S extends string, T> {
  /** Name of the file in messages, such as [list of templates]. */
  readonly list: string;
  /** What the operator should do if the file is lost, such as [make the templates again]. */
  readonly remedy: string;
  readonly format: number;
  /** Names of entry kinds in messages, by section of the file. */
  readonly sections: Readonly<Record<S, string>>;
  /** Throws an error that describes what is wrong with the entry. */
  readonly read: (section: S, name: string, stored: JsonObject) => T;
  readonly print: (entry: T) => JsonObject;
  readonly codec?: FileCodec;
}

/** Where the text of the entries is stored, if not in a file. */
export interface EntryStore {
  /** In messages. */
  readonly name: string;
  /** Undefined: nothing is stored yet. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export type Entries<S extends string, T> = Readonly<Record<S, ReadonlyMap<string, T>>>;

export interface EntryChange<S extends string, T> {
  readonly section: S;
  readonly name: string;
  /** Undefined removes the entry. */
  readonly entry: T | undefined;
}

interface Damage {
  readonly reason: string;
  readonly stored: Json;
}

/** The result of a change; `text` is the content of the new file. */
interface PreparedChange<S extends string, T> {
  readonly all: Entries<S, T>;
  readonly damaged: Entries<S, Damage>;
  readonly text: string;
}

export class EntryFile<S extends string, T> {
  readonly #path: string;
  readonly #store: EntryStore;
  readonly #format: EntryFormat<S, T>;
  #all: Entries<S, T>;
  #damaged: Entries<S, Damage>;
  /** Why the file cannot be read; undefined if it can. */
  #fileDamage: string | undefined;

  constructor(at: string | EntryStore, format: EntryFormat<S, T>) {
    this.#store = typeof at === 'string' ? fileStore(at) : at;
    this.#path = this.#store.name;
    this.#format = format;
    this.#all = this.#sections(() => new Map());
    this.#damaged = this.#sections(() => new Map());
  }

  /** The readable entries. */
  get all(): Entries<S, T> {
    return this.#all;
  }

  /** A missing file means no entries. May be called again after a change by another process. */
  async load(): Promise<void> {
    try {
      const text = await this.#store.read();
      if (text !== undefined) this.#read(text);
    } catch (error) {
      this.#fileDamage = (error as Error).message;
    }
  }

  damaged(): readonly DamagedEntry[] {
    const { sections } = this.#format;
    const entries = Object.entries<ReadonlyMap<string, Damage>>(this.#damaged).flatMap(
      ([section, damaged]) =>
        [...damaged].map(([name, { reason }]) => ({ kind: sections[section as S], name, reason })),
    );
    if (this.#fileDamage === undefined) return entries;
    return [{ kind: 'file', name: basename(this.#path), reason: this.#fileReason() }, ...entries];
  }
  /** The damaged entries of a section, as stored. */
  damagedEntries(section: S): ReadonlyMap<string, { readonly stored: Json }> {
    return this.#damaged[section];
  }

  /** Throws corrupt_index_exception if the file cannot be read. */
  refuseDamagedFile(): void {
    if (this.#fileDamage === undefined) return;
    throw new QuarryError('corrupt_index_exception', this.#fileReason());
  }
  /** The same, also if the entry of that name is damaged. */
  refuseDamaged(section: S, name: string): void {
    this.refuseDamagedFile();
    const damage = this.#damaged[section].get(name);
    if (damage !== undefined) throw new QuarryError('corrupt_index_exception', damage.reason);
  }
  /** Whether an entry has that name, readable or not. */
  has(section: S, name: string): boolean {
    return this.#all[section].has(name) || this.#damaged[section].has(name);
  }

  /** The entries after the changes, which are not applied. */
  after(changes: readonly EntryChange<S, T>[]): Entries<S, T> {
    return changed(this.#all, changes, ({ entry }) => entry);
  }

  /** Applies the changes. The caller must not run two changes at the same time. */
  async change(changes: readonly EntryChange<S, T>[]): Promise<void> {
    const prepared = this.#prepare(changes);
    try {
      await this.#store.write(prepared.text);
    } catch (error) {
      if (error instanceof QuarryError) throw error;
      const why = (error as Error).message;
      throw new QuarryError('store_exception', `[${this.#path}] could not be written: ${why}`);
    }
    this.#all = prepared.all;
    this.#damaged = prepared.damaged;
  }

  #prepare(changes: readonly EntryChange<S, T>[]): PreparedChange<S, T> {
    this.refuseDamagedFile();
    for (const change of changes) this.#checkReadable(change);
    const all = this.after(changes);
    const damaged = changed(this.#damaged, changes, () => undefined);
    const { format, print, codec = CHECKED } = this.#format;
    const sections = this.#sections((section) =>
      Object.fromEntries([
        ...[...damaged[section]].map(([name, { stored }]) => [name, stored] as const),
        ...[...all[section]].map(([name, entry]) => [name, print(entry)] as const),
      ]),
    );
    return { all, damaged, text: codec.encode({ format, ...sections }) };
  }

  /** Checks that the entry, read back from its printed form, is the same. */
  #checkReadable({ section, name, entry }: EntryChange<S, T>): void {
    if (entry === undefined) return;
    const { read, print } = this.#format;
    const text = printExact(print(entry));
    const again = printExact(print(read(section, name, parseExact(text) as JsonObject)));
    if (again === text) return;
    throw new Error(`[${name}] would be read as [${again}] instead of [${text}]`);
  }

  #read(text: string): void {
    const { format, codec = CHECKED, list } = this.#format;
    const file = codec.decode(text);
    if (file['format'] !== format && codec.formats?.includes(Number(file['format'])) !== true) {
      throw new Error(`format [${asText(file['format'])}], expected [${format}]`);
    }
    const all = this.#sections(() => new Map<string, T>());
    const damaged = this.#sections(() => new Map<string, Damage>());
    for (const section of this.#names()) {
      const members = file[section];
      if (!isObject(members)) throw new Error(`it has no object [${section}]`);
      for (const [name, stored] of Object.entries(members)) {
        try {
          if (!isObject(stored)) throw new Error('it is no object');
          all[section].set(name, this.#format.read(section, name, stored));
        } catch (error) {
          const what = `${this.#format.sections[section]} [${name}]`;
          const why = `[${this.#path}] ${what} cannot be read (${(error as Error).message})`;
          const reason = `${why}: put it again, or delete it; the rest of the ${list} serves`;
          damaged[section].set(name, { reason, stored });
        }
      }
    }
    this.#all = all;
    this.#damaged = damaged;
  }

  #fileReason(): string {
    const { list, remedy } = this.#format;
    return (
      `[${this.#path}] cannot be read as the ${list} (${this.#fileDamage ?? ''}): repair it, or move it away, ` +
      `start again and ${remedy}`
    );
  }

  #names(): readonly S[] {
    return Object.keys(this.#format.sections) as S[];
  }
  #sections<V>(make: (section: S) => V): Record<S, V> {
    return Object.fromEntries(this.#names().map((name) => [name, make(name)])) as Record<S, V>;
  }
}

function fileStore(path: string): EntryStore {
  return {
    name: path,
    write: (text) => writeDurably(path, text),
    async read() {
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
  };
}

function changed<S extends string, T, V>(
  all: Entries<S, V>,
  changes: readonly EntryChange<S, T>[],
  entryOf: (change: EntryChange<S, T>) => V | undefined,
): Entries<S, V> {
  const result: Record<S, ReadonlyMap<string, V>> = { ...all };
  for (const section of new Set(changes.map((change) => change.section))) {
    const map = new Map(all[section]);
    for (const change of changes) {
      if (change.section !== section) continue;
      const entry = entryOf(change);
      if (entry === undefined) map.delete(change.name);
      else map.set(change.name, entry);
    }
    result[section] = map;
  }
  return result;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
