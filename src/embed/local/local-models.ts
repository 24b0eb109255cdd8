// Embeds texts with the models of the data folder, each in a process of its own that starts with the
// first text and ends when it has had none for a while.
import type { TextResult } from '../answer-reader.js';
import { ServiceFailure } from '../ask-service.js';
import { type LocalModel, localIdentity } from './local-model.js';
import { modelProblem } from './model-source.js';
import type { ProbeModel, StoredModel } from './model-store.js';
import { ModelFailure, type ModelLimits, ModelWorker } from './model-worker.js';

export interface LocalModelSettings {
  /** The folder in which onnxruntime-node is looked for. */
  readonly runtimeDir: string;
  readonly threads: number;
  /** Read at each use, because a reload can change them. */
  readonly timeoutMs: () => number;
  readonly memoryBytes: () => number;
}

/** Processes of models at one time. */
const MAX_WORKERS = 4;
const IDLE_MS = 5 * 60_000;
/** After a failure, a model is not started again for this long, doubled with each further one. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;

interface Slot {
  worker?: ModelWorker;
  busy: number;
  usedAt: number;
  failures: number;
  /** Not started before this time. */
  restUntil: number;
  lastFailure: string;
  idle?: NodeJS.Timeout;
}

export class LocalModels {
  readonly #find: (model: LocalModel) => StoredModel | undefined;
  readonly #settings: LocalModelSettings;
  /** By identity. */
  readonly #slots = new Map<string, Slot>();

  /** `find` returns the stored model, if it is still the same one. */
  constructor(find: (model: LocalModel) => StoredModel | undefined, settings: LocalModelSettings) {
    this.#find = find;
    this.#settings = settings;
  }

  /**
   * One result for each text: a vector of unit length, or why there is none. Must not be called for
   * a model before its last call has ended. Rejects with ServiceFailure.
   */
  async embed(model: LocalModel, texts: readonly string[]): Promise<readonly TextResult[]> {
    const slot = this.#slotOf(model);
    slot.busy += 1;
    clearTimeout(slot.idle);
    try {
      // One that ended between two calls, by the system or a person, is no fault of the model.
      if (slot.worker?.hasEnded === true) delete slot.worker;
      slot.worker ??= await this.#start(model, slot);
      const results = await slot.worker.embed(texts, limitsOf(this.#settings));
      checkResults(results, texts.length, model.dims);
      slot.failures = 0;
      return results;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      this.#fail(slot, error.message);
      throw new ServiceFailure('service', `${describeModel(model)} ${error.message}`);
    } finally {
      slot.busy -= 1;
      slot.usedAt = performance.now();
      if (slot.worker !== undefined) {
        slot.idle = setTimeout(() => endOf(slot), IDLE_MS);
        slot.idle.unref();
      }
    }
  }

  /** Kills all processes; calls that wait are rejected. */
  close(): void {
    for (const slot of this.#slots.values()) endOf(slot);
    this.#slots.clear();
  }

  #slotOf(model: LocalModel): Slot {
    const identity = localIdentity(model);
    let slot = this.#slots.get(identity);
    if (slot === undefined) {
      slot = { busy: 0, usedAt: 0, failures: 0, restUntil: 0, lastFailure: '' };
      this.#slots.set(identity, slot);
    }
    const rest = slot.restUntil - performance.now();
    if (rest <= 0) return slot;
    throw new ServiceFailure(
      'service',
      `${describeModel(model)} ${slot.lastFailure}; it is started again in ${Math.ceil(rest / 1000)} s`,
    );
  }

  async #start(model: LocalModel, slot: Slot): Promise<ModelWorker> {
    const stored = this.#find(model);
    if (stored === undefined) throw new ModelFailure('was removed');
    this.#makeRoom();
    const { folder, manifest } = stored;
    const { runtimeDir, threads } = this.#settings;
    const limits = limitsOf(this.#settings);
    const worker = new ModelWorker(folder);
    slot.worker = worker;
    const files = {
      model: manifest.model,
      vocabulary: manifest.vocabulary,
      tokenizer: manifest.tokenizer,
      maxTokens: manifest.maxTokens,
    };
    const dims = await worker.load({ kind: 'load', folder, files, runtimeDir, threads }, limits);
    if (dims === model.dims) return worker;
    throw new ModelFailure(`makes vectors of ${dims} dimensions, not of ${model.dims}`);
  }

  /** Ends the process that was idle for longest where there are as many as there may be. */
  #makeRoom(): void {
    const running = [...this.#slots.values()].filter(({ worker }) => worker !== undefined);
    if (running.length < MAX_WORKERS) return;
    const [oldest] = running.filter(({ busy }) => busy === 0).sort((a, b) => a.usedAt - b.usedAt);
    if (oldest === undefined) {
      throw new ModelFailure(`waits for ${MAX_WORKERS} other models that are at work, retry later`);
    }
    endOf(oldest);
  }

  #fail(slot: Slot, why: string): void {
    endOf(slot);
    slot.failures += 1;
    slot.lastFailure = why;
    const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (slot.failures - 1));
    slot.restUntil = performance.now() + rest;
  }
}

/** Loads a model in a process of its own, which ends afterwards. */
export function probeModel(settings: LocalModelSettings): ProbeModel {
  const { runtimeDir, threads } = settings;
  const limits = limitsOf(settings);
  return async (folder, files) => {
    const worker = new ModelWorker(folder);
    try {
      return await worker.load({ kind: 'load', folder, files, runtimeDir, threads }, limits);
    } catch (error) {
      if (error instanceof ModelFailure) throw modelProblem(`the model ${error.message}`);
      throw error;
    } finally {
      worker.end();
    }
  };
}

export function describeModel({ name }: LocalModel): string {
  return `the local model [${name}]`;
}

function limitsOf({ timeoutMs, memoryBytes }: LocalModelSettings): ModelLimits {
  return { timeoutMs: timeoutMs(), memoryBytes: memoryBytes() };
}

function endOf(slot: Slot): void {
  clearTimeout(slot.idle);
  slot.worker?.end();
  delete slot.worker;
}

/** What a broken process sends is not trusted. */
function checkResults(
  results: readonly (Float32Array<ArrayBuffer> | string)[],
  texts: number,
  dims: number,
): void {
  const fits = (one: unknown): boolean =>
    typeof one === 'string' || (one instanceof Float32Array && one.length === dims);
  if (Array.isArray(results) && results.length === texts && results.every(fits)) return;
  throw new ModelFailure('gave vectors that cannot be');
}
