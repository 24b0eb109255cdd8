// The detections of this process: one at a time per brain, with the progress of each and the result
// of the last one.

import { asText } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import {
  type DetectAnswer,
  type DetectProgress,
  type DetectRequest,
  detect,
  newProgress,
} from './detect.js';
import type { GraphDeps } from './graph.js';

export interface DetectionState extends DetectProgress {
  readonly brain: string;
  readonly running: boolean;
  readonly started_at: number;
  /** Result of the detection that ended last. */
  readonly result?: DetectAnswer;
  readonly error?: string;
}

interface DetectionRecord {
  readonly progress: DetectProgress;
  readonly startedAt: number;
  result?: DetectAnswer;
  error?: string;
}

/** Brains whose last detection is kept. */
const REMEMBERED = 100;

export class Detections {
  readonly #kept = new Map<string, DetectionRecord>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();

  /** Throws a conflict (409) while a detection of the brain is running. */
  start(deps: GraphDeps, brain: string, request: DetectRequest): Promise<DetectAnswer> {
    const there = this.#kept.get(brain);
    if (there !== undefined && isRunning(there.progress)) {
      throw new QuarryError(
        'version_conflict_engine_exception',
        `a detection of brain [${brain}] is running, ask GET /_graph/${brain}/detect how far it is`,
      );
    }
    const kept: DetectionRecord = { progress: newProgress(), startedAt: deps.nowMs() };
    this.#remember(brain, kept);
    const done = this.#run(deps, brain, request, kept);
    const ended = done.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return done;
  }

  /** Aborts the running detections at their next document and waits for them. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  /**
   * Undefined: no detection of the brain was started in this process, or its record was dropped.
   */
  stateOf(brain: string): DetectionState | undefined {
    const kept = this.#kept.get(brain);
    if (kept === undefined) return undefined;
    const { progress, startedAt, result, error } = kept;
    return {
      brain,
      running: isRunning(progress),
      ...progress,
      started_at: startedAt,
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
    };
  }

  forget(brain: string): void {
    this.#kept.delete(brain);
  }

  async #run(
    deps: GraphDeps,
    brain: string,
    request: DetectRequest,
    kept: DetectionRecord,
  ): Promise<DetectAnswer> {
    try {
      kept.result = await detect(deps, brain, request, kept.progress, this.#stop.signal);
      return kept.result;
    } catch (error) {
      kept.progress.phase = 'failed';
      kept.error = error instanceof Error ? error.message : asText(error);
      throw error;
    }
  }

  #remember(brain: string, kept: DetectionRecord): void {
    this.#kept.delete(brain);
    this.#kept.set(brain, kept);
    for (const [name, { progress }] of this.#kept) {
      if (this.#kept.size <= REMEMBERED) return;
      if (!isRunning(progress)) this.#kept.delete(name);
    }
  }
}

function isRunning({ phase }: DetectProgress): boolean {
  return phase !== 'done' && phase !== 'failed';
}
