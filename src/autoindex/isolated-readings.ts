// The worker side of isolation.ts: runs one reader at a time and sends its records in batches on
// request.
import { readlinkSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { shallow } from './depth.js';
import type { Reader } from './formats/reader.js';
import type { FromWorker, IsolatedRecord, SourceAbout, ToWorker } from './isolation-messages.js';
import { type SniffResult, sniffHead } from './sniff.js';
import { BrokenFile, type ByteSource, type FileRecord, fileSource } from './source.js';

/**
 * A batch ends when any of these is reached: records, approximate characters, milliseconds since
 * its start.
 */
const BATCH_RECORDS = 200;
const BATCH_CHARACTERS = 1 << 19;
const BATCH_MS = 500;

type Start = Extract<ToWorker, { kind: 'read' | 'tables' }>;
type Chunk = Extract<ToWorker, { kind: 'chunk' }>;

/** Serves the messages on `port` until it is closed. `readerOf` finds the reader of a format. */
export function serveReadings(port: MessagePort, readerOf: (sniffed: SniffResult) => Reader): void {
  const readings = new Readings(port, readerOf);
  port.on('message', (message: ToWorker) => readings.take(message));
  port.postMessage({ kind: 'ready', thread: threadPath() } satisfies FromWorker);
}

class Readings {
  readonly #port: MessagePort;
  readonly #readerOf: (sniffed: SniffResult) => Reader;
  #iterator: AsyncIterator<FileRecord> | undefined;
  #streams = 0;
  readonly #waiting = new Map<number, (chunk: Chunk) => void>();

  constructor(port: MessagePort, readerOf: (sniffed: SniffResult) => Reader) {
    this.#port = port;
    this.#readerOf = readerOf;
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'sniff':
        this.#send({
          kind: 'sniffed',
          reading: message.reading,
          found: sniffHead(message.head, message.path),
        });
        break;
      case 'read':
        void this.#begin(message);
        break;
      case 'tables':
        void this.#listTables(message);
        break;
      case 'more':
        void this.#batch(message.reading);
        break;
      case 'stop':
        // A reader that waits for a chunk is abandoned, because no chunk will arrive.
        void this.#iterator?.return?.(undefined);
        this.#iterator = undefined;
        this.#waiting.clear();
        break;
      case 'chunk':
        this.#waiting.get(message.stream)?.(message);
        break;
    }
  }

  async #begin({ reading, source, sniffed }: Start): Promise<void> {
    try {
      const reader = await this.#readerFor(reading, sniffed);
      const records = reader.read(this.#sourceOf(reading, source), sniffed);
      this.#iterator = records[Symbol.asyncIterator]();
    } catch (error) {
      const problem = problemOf(error);
      this.#send({ kind: 'records', reading, records: [], end: true, problem });
      return;
    }
    void this.#batch(reading);
  }

  /** The reader, after its library is loaded, which is reported to the main thread. */
  async #readerFor(reading: number, sniffed: SniffResult): Promise<Reader> {
    const reader = this.#readerOf(sniffed);
    await reader.load();
    this.#send({ kind: 'loaded', reading });
    return reader;
  }

  async #listTables({ reading, source, sniffed }: Start): Promise<void> {
    let tables: readonly string[] = [];
    let problem: string | undefined;
    try {
      const reader = await this.#readerFor(reading, sniffed);
      tables = (await reader.tables?.(this.#sourceOf(reading, source), sniffed)) ?? [];
    } catch (error) {
      problem = problemOf(error);
    }
    this.#send({ kind: 'tables', reading, tables, problem });
  }

  async #batch(reading: number): Promise<void> {
    const records: IsolatedRecord[] = [];
    const start = performance.now();
    let characters = 0;
    let end = false;
    let problem: string | undefined;
    try {
      while (records.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) {
        const step = await this.#iterator?.next();
        end = step === undefined || step.done === true;
        if (step === undefined || step.done === true) break;
        const record = isolatedRecord(step.value);
        records.push(record);
        characters += record.json.length;
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

/**
 * A message for the report: the errors of libraries and of the runtime do not describe the file.
 */
function problemOf(error: unknown): string {
  if (error instanceof BrokenFile) return error.message;
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  if (error instanceof RangeError) {
    return /call stack/.test(message)
      ? 'it is nested too deeply to be read'
      : 'it holds more than its reader can';
  }
  return `it cannot be read: ${message.slice(0, 200)}`;
}

function isolatedRecord({ at, doc }: FileRecord): IsolatedRecord {
  let isCut = false;
  const whole = shallow(doc, () => {
    isCut = true;
  });
  // The member `file` is reserved for the description of the file.
  const json = JSON.stringify(Object.hasOwn(whole, 'file') ? { ...whole, file: undefined } : whole);
  return { at, json, isCut };
}

function threadPath(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}`;
  } catch {
    return undefined;
  }
}
