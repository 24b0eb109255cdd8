// The process of one sentence model, as the service sees it: one question at a time. It is killed
// when it answers too late or takes too much memory; the death of the process is an error of the
// question alone.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FromModel, ToModel } from './model-messages.js';

export interface ModelLimits {
  readonly timeoutMs: number;
  /** Of the resident memory of the process. */
  readonly memoryBytes: number;
}

/** Why a model gave no answer; continues the phrase "the local model [name]". */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}

/** The import specifier of the built entry point, which is the same for sources and build. */
const SCRIPT = '#model-process';
const HEAP_MEGABYTES = 512;
/** Interval at which time and memory of a process at work are checked. */
const CHECK_MS = 100;
/** `resident` in /proc/PID/statm is in pages of this size on the systems that are supported. */
const PAGE_BYTES = 4096;
/** Nothing else of the environment, above all no key, reaches the process. */
const ENVIRONMENT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

export class ModelWorker {
  readonly #child: ChildProcess;
  #ended: string | undefined;
  #onEnd: (() => void) | undefined;

  constructor(folder: string) {
    this.#child = fork(createRequire(import.meta.url).resolve(SCRIPT), [], {
      cwd: folder,
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.once('exit', (code, signal) => this.#end(`ended by ${signal ?? `code ${code}`}`));
    this.#child.once('error', ({ message }) => this.#end(`could not be started: ${message}`));
  }

  /** The process has ended, perhaps between two questions. */
  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Loads the model; the length of its vectors. Rejects with ModelFailure. */
  async load(question: Extract<ToModel, { kind: 'load' }>, limits: ModelLimits): Promise<number> {
    const answer = await this.#ask(question, limits);
    if (answer.kind === 'loaded') return answer.dims;
    throw new ModelFailure('gave no answer that is understood');
  }

  /** One result for each text. Rejects with ModelFailure. */
  async embed(
    texts: readonly string[],
    limits: ModelLimits,
  ): Promise<Extract<FromModel, { kind: 'embedded' }>['results']> {
    const answer = await this.#ask({ kind: 'embed', texts }, limits);
    if (answer.kind === 'embedded') return answer.results;
    throw new ModelFailure('gave no answer that is understood');
  }

  /** Kills the process; a question that waits is rejected. */
  end(): void {
    this.#child.kill('SIGKILL');
    this.#end('was ended');
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#onEnd?.();
  }

  #ask(question: ToModel, { timeoutMs, memoryBytes }: ModelLimits): Promise<FromModel> {
    if (this.#onEnd !== undefined) throw new Error('a model is asked one question at a time');
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + timeoutMs;
      const settle = (): void => {
        clearInterval(timer);
        this.#child.off('message', onMessage);
        this.#onEnd = undefined;
      };
      const onEnd = (): void => {
        settle();
        reject(new ModelFailure(this.#ended));
      };
      const onMessage = (answer: FromModel): void => {
        settle();
        if (answer.kind === 'failed') reject(new ModelFailure(answer.why));
        else resolve(answer);
      };
      const check = (): void => {
        if (performance.now() > deadline) this.#kill(`gave no answer within ${timeoutMs} ms`);
        else if (residentBytes(this.#child.pid) > memoryBytes) {
          this.#kill(`took more memory than [inference.local_memory_bytes] of ${memoryBytes}`);
        }
      };
      const timer = setInterval(check, CHECK_MS);
      this.#onEnd = onEnd;
      this.#child.on('message', onMessage);
      if (this.#ended !== undefined) onEnd();
      // A process that is gone reports its end itself.
      else this.#child.send(question, () => {});
    });
  }

  #kill(why: string): void {
    this.#ended ??= why;
    this.end();
  }
}

/** 0 where the system does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1];
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
