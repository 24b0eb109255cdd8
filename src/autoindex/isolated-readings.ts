// The side of the worker thread: runs one reader at a time and hands out its records in batches, no faster than they are
// asked for.
import type { MessagePort } from 'node:worker_threads';
import type { Reader } from './formats/reader.js';
import type { FromWorker, SourceAbout, ToWorker } from './isolation-messages.js';
import type { Sniffed } from './sniff.js';
import { BrokenFile, type ByteSource, type FileRecord, fileSource } from './source.js';

/** A batch ends at any of these: so many records, about so many letters, so long since it was begun. */
const BATCH_RECORDS = 200;
const BATCH_LETTERS = 1 << 19;
const BATCH_MS = 500;

type Start = Extract<ToWorker, { kind: 'read' | 'tables' }>;
type Chunk = Extract<ToWorker, { kind: 'chunk' }>;

/** Answers what comes in on `port` until it is closed. `readerOf` finds the reader of a format. */
export function serveReadings(port: MessagePort, readerOf: (sniffed: Sniffed) => Reader): void {
  const readings = new Readings(port, readerOf);
  port.on('message', (message: ToWorker) => readings.take(message));
}

class Readings {
  readonly #port: MessagePort;
  readonly #readerOf: (sniffed: Sniffed) => Reader;
  #iterator: AsyncIterator<FileRecord> | undefined;
  #streams = 0;
  readonly #waiting = new Map<number, (chunk: Chunk) => void>();

  constructor(port: MessagePort, readerOf: (sniffed: Sniffed) => Reader) {
    this.#port = port;
    this.#readerOf = readerOf;
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'read':
        this.#begin(message);
        break;
      case 'tables':
        void this.#listTables(message);
        break;
      case 'more':
        void this.#batch(message.reading);
        break;
      case 'stop':
        // A reader that waits for a chunk is left where it is: none comes.
        void this.#iterator?.return?.(undefined);
        this.#iterator = undefined;
        this.#waiting.clear();
        break;
      case 'chunk':
        this.#waiting.get(message.stream)?.(message);
        break;
    }
  }

  #begin({ reading, source, sniffed }: Start): void {
    const { read } = this.#readerOf(sniffed);
    this.#iterator = read(this.#sourceOf(reading, source), sniffed)[Symbol.asyncIterator]();
    void this.#batch(reading);
  }

  async #listTables({ reading, source, sniffed }: Start): Promise<void> {
    let tables: readonly string[] = [];
    let problem: string | undefined;
    try {
      tables =
        (await this.#readerOf(sniffed).tables?.(this.#sourceOf(reading, source), sniffed)) ?? [];
    } catch (error) {
      problem = problemOf(error);
    }
    this.#send({ kind: 'tables', reading, tables, problem });
  }

  async #batch(reading: number): Promise<void> {
    const records: FileRecord[] = [];
    const start = performance.now();
    let letters = 0;
    let end = false;
    let problem: string | undefined;
    try {
      while (records.length < BATCH_RECORDS && letters < BATCH_LETTERS) {
        const step = await this.#iterator?.next();
        end = step === undefined || step.done === true;
        if (step === undefined || step.done === true) break;
        records.push(step.value);
        letters += lettersOf(step.value.doc);
        if (performance.now() - start > BATCH_MS) break;
      }
    } catch (error) {
      end = true;
      problem = problemOf(error);
    }
    this.#send({ kind: 'records', reading, records, end, problem });
  }

  #sourceOf(reading: number, { path, size, absolute }: SourceAbout): ByteSource {
    if (absolute !== undefined) return fileSource(path, absolute, size);
    return { path, size, chunks: () => this.#chunks(reading) };
  }

  async *#chunks(reading: number): AsyncIterable<Uint8Array> {
    this.#streams += 1;
    const stream = this.#streams;
    for (;;) {
      const chunk = await new Promise<Chunk>((resolve) => {
        this.#waiting.set(stream, resolve);
        this.#send({ kind: 'need', reading, stream });
      });
      this.#waiting.delete(stream);
      if (chunk.problem !== undefined) throw new BrokenFile(chunk.problem);
      if (chunk.bytes === undefined) return;
      yield chunk.bytes;
    }
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** About how much memory the values hold; texts are what is large. */
function lettersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let letters = 0;
  for (const member of Object.values(value)) letters += 8 + lettersOf(member);
  return letters;
}
