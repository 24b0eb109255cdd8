// Reads files in a worker thread that is terminated when it hangs, is too slow or uses too much
// memory: the file is then reported, and the next file gets a new worker. There is one worker for
// all files and one reading at a time.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { FromWorker, IsolatedRecord, ToWorker } from './isolation-messages.js';
import { ReadingTime, type TimeLimits } from './reading-time.js';
import type { SniffResult } from './sniff.js';
import { BrokenFile, type ByteSource } from './source.js';

export interface IsolationLimits extends TimeLimits {
  /** Limit of the JavaScript heap. Readers limit the bytes outside of the heap themselves. */
  readonly heapMegabytes: number;
}

// Tables with rows of three characters, which are the slowest, take 1.6 s for 1 MiB.
const LIMITS: IsolationLimits = {
  heapMegabytes: 512,
  fileMs: 2000,
  bytesPerSecond: 512 << 10,
  silentMs: 60_000,
};
/** Interval at which the time of the worker is checked. */
const CHECK_MS = 100;
/** The import specifier of the built worker, which is the same for sources and build. */
const SCRIPT = '#autoindex-worker';

type Answer = Extract<FromWorker, { kind: 'records' | 'tables' | 'sniffed' }>;
type Question = Extract<ToWorker, { kind: 'read' | 'tables' | 'more' | 'sniff' }>;

export class Isolation {
  readonly #limits: IsolationLimits;
  readonly #script: string;
  #worker: Worker | undefined;
  #readings = 0;
  readonly #time: ReadingTime;

  /** `script`: a worker that serves readings; tests pass their own. */
  constructor(limits: IsolationLimits = LIMITS, script?: string) {
    this.#limits = limits;
    this.#time = new ReadingTime(limits);
    this.#script = script ?? createRequire(import.meta.url).resolve(SCRIPT);
  }

  /** The following calls are for a file of `bytes` bytes, whose time begins. */
  begin(bytes: number): void {
    this.#time.begin(bytes);
  }

  /** Runs sniffHead() in the worker. */
  async sniff(head: Uint8Array, path: string): Promise<SniffResult | string> {
    const question: Question = { kind: 'sniff', reading: this.#next(), head, path };
    const answer = await this.#ask(question);
    if (answer.kind !== 'sniffed')
      throw new Error('a worker returned another kind of answer than requested');
    return answer.found;
  }

  /** Runs the reader's `read` in the worker. Stops it when the iteration ends early. */
  async *read(source: ByteSource, sniffed: SniffResult): AsyncIterable<IsolatedRecord> {
    const streams = new Streams(source);
    const reading = this.#next();
    let ended = false;
    try {
      let question: Question = { kind: 'read', reading, source: aboutOf(source), sniffed };
      while (!ended) {
        const answer: Answer = await this.#ask(question, streams);
        if (answer.kind !== 'records')
          throw new Error('a worker returned another kind of answer than requested');
        ended = answer.end;
        yield* answer.records;
        if (answer.problem !== undefined) throw new BrokenFile(answer.problem);
        question = { kind: 'more', reading };
      }
    } finally {
      if (!ended) this.#worker?.postMessage({ kind: 'stop', reading } satisfies ToWorker);
      await streams.close();
    }
  }

  /** Runs the reader's `tables` in the worker. */
  async tables(source: ByteSource, sniffed: SniffResult): Promise<readonly string[]> {
    const streams = new Streams(source);
    const reading = this.#next();
    try {
      const question: Question = { kind: 'tables', reading, source: aboutOf(source), sniffed };
      const answer = await this.#ask(question, streams);
      if (answer.kind !== 'tables')
        throw new Error('a worker returned another kind of answer than requested');
      if (answer.problem !== undefined) throw new BrokenFile(answer.problem);
      return answer.tables;
    } finally {
      await streams.close();
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #next(): number {
    this.#readings += 1;
    return this.#readings;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMegabytes },
      execArgv: [],
      // The output of libraries is discarded.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    // The worker may also end between two calls: the next call starts a new one.
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', forget).once('exit', forget);
    return worker;
  }

  /** Rejects with BrokenFile when the worker was terminated or has ended. */
  #ask(question: Question, streams?: Streams): Promise<Answer> {
    const isNew = this.#worker === undefined;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { heapMegabytes } = this.#limits;
    return new Promise((resolve, reject) => {
      const time = this.#time;
      const timer = setInterval(() => {
        const problem = time.problem();
        if (problem !== undefined) fail(problem);
      }, CHECK_MS);
      const settle = (): void => {
        clearInterval(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const fail = (problem: string): void => {
        settle();
        if (this.#worker === worker) this.#worker = undefined;
        void worker.terminate();
        reject(new BrokenFile(problem));
      };
      const onMessage = (message: FromWorker): void => {
        if (message.kind !== 'ready' && message.reading !== question.reading) return;
        switch (message.kind) {
          case 'ready':
            time.runsIn(message.thread);
            time.work();
            break;
          case 'loaded':
            time.work();
            break;
          case 'need':
            time.sign();
            void streams?.send(message.stream, worker);
            break;
          default:
            time.sign();
            settle();
            resolve(message);
        }
      };
      const onError = (error: NodeJS.ErrnoException): void => {
        const full = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        fail(full ? `needs more than ${heapMegabytes} MiB of memory to be read` : error.message);
      };
      const onExit = (): void => fail('its reader ended');
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      if (isNew || question.kind === 'read' || question.kind === 'tables') time.load();
      else time.work();
      worker.postMessage(question);
    });
  }
}

function aboutOf({ path, size, absolute }: ByteSource): {
  path: string;
  size: number;
  absolute: string | undefined;
} {
  return { path, size, absolute };
}

/**
 * Chunks for a worker that cannot read the source itself: one stream for each start from the
 * beginning.
 */
class Streams {
  readonly #source: ByteSource;
  readonly #open = new Map<number, AsyncIterator<Uint8Array>>();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async send(stream: number, worker: Worker): Promise<void> {
    let bytes: Uint8Array | undefined;
    let problem: string | undefined;
    try {
      const iterator = this.#open.get(stream) ?? this.#source.chunks()[Symbol.asyncIterator]();
      this.#open.set(stream, iterator);
      const step = await iterator.next();
      // A copy of the chunk: transferring the buffer of a view would detach all views of that
      // buffer.
      if (step.done !== true) bytes = new Uint8Array(step.value);
    } catch (error) {
      problem = (error as Error).message;
    }
    const chunk: ToWorker = { kind: 'chunk', stream, bytes, problem };
    worker.postMessage(chunk, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
  }

  async close(): Promise<void> {
    for (const iterator of this.#open.values()) await iterator.return?.(undefined);
    this.#open.clear();
  }
}
