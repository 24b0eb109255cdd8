// Named entries that are kept in memory and in one small file of the data folder:
//   {"format": 1, "<section>": {"<name>": {…}}, …}, by default with a checksum behind it (durable-file.ts)
// A change has three steps: prepare prints the file and reads back what is new, as the next start will, and may refuse;
// one durable record replaces the file; swap shows it, and cannot fail. At the start an entry that cannot be read is damaged
// and keeps its name and its text, a file that cannot be read is damaged as a whole and is not replaced: either is reported,
// neither stops the start.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DamagedEntry, Json, JsonObject } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { CHECKED, type FileCodec, isCode, writeDurably } from './durable-file.js';
import { parseExact, printExact } from './exact-json.js';
import { asText } from './json-text.js';

export interface EntryFormat<S extends string, T> {
  /** How messages call the file: [list of templates]. */
  readonly list: string;
  /** What its owner does when the file is lost: [make the templates again]. */
  readonly remedy: string;
  readonly format: number;
  /** How messages call an entry, by the member of the file that holds those of its kind. */
  readonly sections: Readonly<Record<S, string>>;
  /** Throws what is wrong with it. */
  readonly read: (section: S, name: string, stored: JsonObject) => T;
  readonly print: (entry: T) => JsonObject;
  readonly codec?: FileCodec;
}

export type Entries<S extends string, T> = Readonly<Record<S, ReadonlyMap<string, T>>>;

export interface EntryChange<S extends string, T> {
  readonly section: S;
  readonly name: string;
  /** Undefined: it goes. */
  readonly entry: T | undefined;
}

interface Damage {
  readonly reason: string;
  readonly stored: Json;
}

/** What a change comes to; `text` is the whole file. */
interface PreparedChange<S extends string, T> {
  readonly all: Entries<S, T>;
  readonly damaged: Entries<S, Damage>;
  readonly text: string;
}

export class EntryFile<S extends string, T> {
  readonly #path: string;
  readonly #format: EntryFormat<S, T>;
  #all: Entries<S, T>;
  #damaged: Entries<S, Damage>;
  /** Why the file cannot be read. */
  #fileDamage: string | undefined;

  constructor(path: string, format: EntryFormat<S, T>) {
    this.#path = path;
    this.#format = format;
    this.#all = this.#sections(() => new Map());
    this.#damaged = this.#sections(() => new Map());
  }

  /** Those that can be read. */
  get all(): Entries<S, T> {
    return this.#all;
  }

  /** No file means no entries. */
  async load(): Promise<void> {
    try {
      this.#read(await readFile(this.#path, 'utf8'));
    } catch (error) {
      if (!isCode(error, 'ENOENT')) this.#fileDamage = (error as Error).message;
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
  /** The entry as it is stored, of one that cannot be read. */
  damagedEntries(section: S): ReadonlyMap<string, { readonly stored: Json }> {
    return this.#damaged[section];
  }

  /** corrupt_index_exception when the file cannot be read. */
  refuseDamagedFile(): void {
    if (this.#fileDamage === undefined) return;
    throw new QuarryError('corrupt_index_exception', this.#fileReason());
  }
  /** The same when the entry of that name cannot be. */
  refuseDamaged(section: S, name: string): void {
    this.refuseDamagedFile();
    const damage = this.#damaged[section].get(name);
    if (damage !== undefined) throw new QuarryError('corrupt_index_exception', damage.reason);
  }
  /** Some entry has that name, readable or not. */
  has(section: S, name: string): boolean {
    return this.#all[section].has(name) || this.#damaged[section].has(name);
  }

  /** The entries as they would be. */
  after(changes: readonly EntryChange<S, T>[]): Entries<S, T> {
    return changed(this.#all, changes, ({ entry }) => entry);
  }

  /** One change at a time: the caller sees to that. */
  async change(changes: readonly EntryChange<S, T>[]): Promise<void> {
    const prepared = this.#prepare(changes);
    try {
      await writeDurably(this.#path, prepared.text);
    } catch (error) {
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

  /** What is written now must be what a start reads. */
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
