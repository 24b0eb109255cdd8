// The journal of an import, one line each, so that a run that was killed goes on where it was and a
// later run writes only what changed.
//   {"quarry":"import","version":1,…}              the first line: what is read, and where to
//   {"index":{…}}                                  an index that this import has created
//   {"at":[index, shard, sequence number]}         documents up to this number are stored
//   {"read":[file, bytes]}                         the beginning of a file that is stored
//   {"refused":{index, id, reason}}                a document that the service did not take
//   {"stored":[index, id]}                         one that it took after all
//   {"aliased":index}                              its aliases are there
//   {"restart":true}                               what was stored is gone from the service
// A truncated last line is dropped. What the lines after the last position had stored is written
// again, with the same ids and versions.
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface CreatedIndex {
  readonly name: string;
  /** Uuid at the source: an index that was dropped and created again has other numbers. */
  readonly uuid: string;
  /** Name and uuid at the service. */
  readonly target: string;
  readonly targetUuid: string;
  /** It was there before, and may hold documents of others. */
  readonly adopted?: true;
}

export interface RefusedDocument {
  readonly index: string;
  readonly id: string;
  readonly reason: string;
}

interface Line {
  readonly index?: CreatedIndex;
  readonly at?: readonly [index: string, shard: number, upTo: number];
  readonly read?: readonly [file: string, bytes: number];
  readonly refused?: RefusedDocument;
  readonly stored?: readonly [index: string, id: string];
  readonly aliased?: string;
  readonly restart?: true;
}

export class ImportJournal {
  readonly indexes = new Map<string, CreatedIndex>();
  readonly aliased = new Set<string>();
  /** By index and id. */
  readonly refused = new Map<string, RefusedDocument>();
  readonly #positions = new Map<string, number>();
  readonly #read = new Map<string, number>();
  readonly #path: string;
  readonly #head: string;
  #file: number | undefined;

  /** Throws if the file is the journal of another import. */
  constructor(path: string, identity: Readonly<Record<string, string>>) {
    this.#path = path;
    this.#head = JSON.stringify({ quarry: 'import', version: 1, ...identity });
    this.#load();
  }

  /** The number up to which the documents of a shard are stored; -1 for none. */
  position(index: string, shard: number): number {
    return this.#positions.get(keyOf(index, String(shard))) ?? -1;
  }
  /** Bytes of a file that are stored. */
  bytesOf(file: string): number {
    return this.#read.get(file) ?? 0;
  }
  refusedOf(index: string): readonly RefusedDocument[] {
    return [...this.refused.values()].filter((one) => one.index === index);
  }

  /** Appends and applies the lines in their order; durable when `sync` is set. */
  write(lines: readonly Line[], sync = false): void {
    if (lines.length === 0) return;
    this.#file ??= this.#open();
    writeSync(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const line of lines) this.#apply(line);
    if (sync) fdatasyncSync(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true });
    const file = openSync(this.#path, this.#isEmpty ? 'w' : 'a', 0o600);
    // The line end ends a line that a killed run has begun.
    writeSync(file, this.#isEmpty ? `${this.#head}\n` : '\n');
    return file;
  }

  #isEmpty = true;

  #load(): void {
    let text = '';
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const end = text.lastIndexOf('\n');
    if (end < 0) return;
    const [head, ...lines] = text.slice(0, end).split('\n');
    if (head !== this.#head) {
      throw new Error(`the journal ${this.#path} is of another import: remove it to start over`);
    }
    this.#isEmpty = false;
    for (const line of lines) this.#apply(parseLine(line));
  }

  #apply({ index, at, read, refused, stored, aliased, restart }: Line): void {
    if (restart === true) {
      for (const map of [this.indexes, this.#positions, this.#read, this.refused]) map.clear();
      this.aliased.clear();
    }
    if (index !== undefined) this.#replaceIndex(index);
    if (at !== undefined) this.#positions.set(keyOf(at[0], String(at[1])), at[2]);
    if (read !== undefined) this.#read.set(read[0], read[1]);
    if (refused !== undefined) this.refused.set(keyOf(refused.index, refused.id), refused);
    if (stored !== undefined) this.refused.delete(keyOf(...stored));
    if (aliased !== undefined) this.aliased.add(aliased);
  }

  /** An index that is created again has none of its documents yet. */
  #replaceIndex(index: CreatedIndex): void {
    this.indexes.set(index.name, index);
    this.aliased.delete(index.name);
    const prefix = keyOf(index.name, '');
    for (const map of [this.#positions, this.refused]) {
      for (const key of map.keys()) if (key.startsWith(prefix)) map.delete(key);
    }
  }
}

function keyOf(index: string, rest: string): string {
  return `${index}\0${rest}`;
}

function parseLine(line: string): Line {
  try {
    return Object(JSON.parse(line)) as Line;
  } catch {
    return {};
  }
}
