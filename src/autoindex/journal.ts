// What has been done, a line for each step, so that a run that was killed goes on and a second one does nothing.
//   {"quarry":"autoindex","version":1,"root":…,"url":…,"prefix":…}   the first line
//   {"dataset":{…}}     an index that holds files of this folder
//   {"begun":path}      documents of the file may be in the service from now on
//   {"done":{…}}        the file is in it, whole, or cannot be read
//   {"gone":path}       nothing of it is left
//   {"mapped":uuid}     the map of the data, in the index of that uuid, says what the lines above say
// The last line may be cut: it is dropped. What cannot be read at all is begun anew: ids follow from paths.
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeDurably } from '../base/durable-file.js';
import type { Fields } from './infer.js';

export interface Dataset {
  readonly name: string;
  readonly index: string;
  /** Of the index, which may have been dropped and made anew. */
  readonly uuid: string;
  readonly family: Family;
  readonly fields: Fields;
}

/** What can lie in one index together. */
export type Family = 'documents' | 'code' | 'mail' | 'logs' | 'records';

export interface DoneFile {
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
  readonly format: string;
  /** Names of the datasets that hold documents of it. */
  readonly datasets: readonly string[];
  readonly records: number;
  /** Why it could not be read, or not to its end, or not all of it. */
  readonly problem?: string;
  /** There is nothing in it to read, for the reason that `problem` says. */
  readonly isNothing?: true;
}

export interface Identity {
  readonly root: string;
  readonly url: string;
  readonly prefix: string;
}

interface Line {
  readonly dataset?: Dataset;
  readonly begun?: string;
  readonly done?: DoneFile;
  readonly gone?: string;
  readonly mapped?: string;
}

export class Journal {
  readonly datasets = new Map<string, Dataset>();
  readonly done = new Map<string, DoneFile>();
  /** Begun and not done: the service may hold some of it. */
  readonly begun = new Set<string>();
  /** The index that holds the map as of now. */
  mapped: string | undefined;
  readonly #path: string;
  readonly #head: string;
  #file: number | undefined;
  /** There is no file yet, or nothing in it. */
  #isNew = false;
  #isCut = false;

  constructor(path: string, identity: Identity) {
    this.#path = path;
    this.#head = JSON.stringify({ quarry: 'autoindex', version: 1, ...identity });
    this.#read();
  }

  /** In the order of what they say; durable when `sync`. */
  write(lines: readonly Line[], sync = false): void {
    const file = this.#open();
    for (const line of lines) this.#apply(line);
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (sync) fdatasyncSync(file);
  }

  /** Of an index that is no longer there: its files are new again. */
  forget(name: string): void {
    this.datasets.delete(name);
    this.mapped = undefined;
    for (const [path, file] of this.done) {
      if (file.datasets.includes(name)) {
        this.done.delete(path);
        // Others may hold something of it.
        this.begun.add(path);
      }
    }
  }

  /** The same state in fewer lines. */
  async rewrite(): Promise<void> {
    this.close();
    mkdirSync(dirname(this.#path), { recursive: true });
    const lines: Line[] = [
      ...[...this.datasets.values()].map((dataset) => ({ dataset })),
      ...[...this.begun].map((path) => ({ begun: path })),
      ...[...this.done.values()].map((done) => ({ done })),
      ...(this.mapped === undefined ? [] : [{ mapped: this.mapped }]),
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeDurably(this.#path, `${this.#head}\n${text}`);
    this.#isNew = false;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    if (this.#file !== undefined) return this.#file;
    mkdirSync(dirname(this.#path), { recursive: true });
    this.#file = openSync(this.#path, this.#isNew ? 'w' : 'a', 0o600);
    if (this.#isNew) writeSync(this.#file, `${this.#head}\n`);
    if (this.#isCut) writeSync(this.#file, '\n');
    this.#isCut = false;
    this.#isNew = false;
    return this.#file;
  }

  #read(): void {
    let text = '';
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    // Not even the first line: nothing was done yet.
    if (!text.includes('\n')) {
      this.#isNew = true;
      return;
    }
    const [head, ...lines] = text.split('\n');
    if (head !== this.#head) {
      throw new Error(
        `the journal ${this.#path} is of another folder, service or prefix: remove it to begin anew`,
      );
    }
    // What follows the last end of a line was cut: the line that is written next must not go on with it.
    const cut = lines.pop();
    for (const line of lines) this.#apply(parseLine(line));
    this.#isCut = cut !== '';
  }

  #apply({ dataset, begun, done, gone, mapped }: Line): void {
    this.mapped = mapped;
    if (dataset !== undefined) this.datasets.set(dataset.name, dataset);
    if (begun !== undefined) {
      this.begun.add(begun);
      this.done.delete(begun);
    }
    if (done !== undefined) {
      this.done.set(done.path, done);
      this.begun.delete(done.path);
    }
    if (gone !== undefined) {
      this.done.delete(gone);
      this.begun.delete(gone);
    }
  }
}

function parseLine(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
}
