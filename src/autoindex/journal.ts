// The journal of completed steps, one line each, so that a run that was killed is continued and a
// repeated run does nothing.
//   {"quarry":"autoindex","version":1,"root":…,"url":…,"prefix":…}   the first line
//   {"dataset":{…}}     an index that holds files of this folder
//   {"begun":path}      documents of the file may be in the service from now on
//   {"done":{…}}        the file is completely stored, or cannot be read
//   {"gone":path}       no document of the file is left
//   {"mapped":uuid}     the catalog in the index of that uuid agrees with the lines above
// A truncated last line is dropped. After the loss of the journal a run starts from the beginning
// and writes the same documents, because ids are derived from paths.
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeDurably } from '../base/durable-file.js';
import type { Fields } from './infer.js';

export interface Dataset {
  readonly name: string;
  readonly index: string;
  /** Uuid of the index, which may have been dropped and created again. */
  readonly uuid: string;
  readonly family: Family;
  readonly fields: Fields;
  /** The inference endpoint of its semantic field; absent for the built-in embedder. */
  readonly inferenceId?: string;
}

/** Kinds of content; each kind has indexes of its own. */
export type Family = 'documents' | 'code' | 'mail' | 'logs' | 'records';

export interface DoneFile {
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
  readonly format: string;
  /** Names of the datasets that contain documents of the file. */
  readonly datasets: readonly string[];
  readonly records: number;
  /** Why the file could not be read, or was read only in part. */
  readonly problem?: string;
  /** The file has no readable content, for the reason in `problem`. */
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
  /** Files that were begun and are not done: the service may contain some of their documents. */
  readonly begun = new Set<string>();
  /** Uuid of the index that holds the current catalog; undefined if the catalog is outdated. */
  mapped: string | undefined;
  readonly #path: string;
  readonly #head: string;
  #file: number | undefined;
  /** There is no journal file yet, or it has no complete line. */
  #isNew = false;
  #isCut = false;

  constructor(path: string, identity: Identity) {
    this.#path = path;
    this.#head = JSON.stringify({ quarry: 'autoindex', version: 1, ...identity });
    this.#read();
  }

  /** Appends and applies the lines in their order; durable when `sync` is set. */
  write(lines: readonly Line[], sync = false): void {
    const file = this.#open();
    for (const line of lines) this.#apply(line);
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (sync) fdatasyncSync(file);
  }

  /** Forgets a dataset whose index no longer exists: its files count as new. */
  forget(name: string): void {
    this.datasets.delete(name);
    this.mapped = undefined;
    for (const [path, file] of this.done) {
      if (file.datasets.includes(name)) {
        this.done.delete(path);
        // Other indexes may contain documents of the file.
        this.begun.add(path);
      }
    }
  }

  /** Rewrites the same state with fewer lines. */
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
    // Without a complete first line nothing was done yet.
    if (!text.includes('\n')) {
      this.#isNew = true;
      return;
    }
    const [head, ...lines] = text.split('\n');
    if (head !== this.#head) {
      throw new Error(
        `the journal ${this.#path} is of another folder, service or prefix: remove it to start over`,
      );
    }
    // The text after the last line end is truncated; the next line that is written must not
    // continue it.
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
