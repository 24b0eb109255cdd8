// Decides whether a response is a fault (an internal error, a late response, the end of the
// process), and whether a request reproduces it when it runs alone.
import type { ApiRequest } from '../../test/tools/api-requests.ts';
import { type Answer, addressOf, type FuzzRequest } from './request.ts';
import type { Cost, Target } from './target.ts';

export type FaultKind = 'error' | 'stall' | 'end' | 'memory';

export interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
}

/**
 * The data when a request is sent: 'now' is the state that earlier requests left, 'rebuilt' only the
 * data of its case.
 */
export type Ground = 'now' | 'rebuilt';

export const LATE_MS = 1000;
/** A slower health response indicates that the machine is busy, and not the service itself. */
const BUSY_HEALTH_MS = 250;
/** Timeout of every request. */
export const PATIENCE_MS = 20_000;
/** Limit on the resident memory, in MiB. */
export const MEMORY_MIB = Number(process.env['FUZZ_MEMORY_MIB'] ?? 2048);

/**
 * Documented error types with these statuses: something is missing or not ready, or outside this
 * process.
 */
const DOCUMENTED: Readonly<Record<number, readonly string[]>> = {
  500: [
    'repository_exception',
    'repository_verification_exception',
    'snapshot_exception',
    'snapshot_restore_exception',
  ],
  502: ['inference_exception'],
  503: ['store_exception', 'node_not_ready_exception', 'concurrent_snapshot_execution_exception'],
};

export const INTERNAL =
  /internal_server_error|Cannot read propert|is not a function|is not iterable/;

/** Requests whose parameters allow them to wait. */
function asksToWait(request: FuzzRequest): boolean {
  const { body } = request;
  const text = `${addressOf(request)} ${body?.toString('latin1') ?? ''}`;
  return /wait_for|requests_per_second|timeout|rethrottle|_cluster\/health/.test(text);
}

/**
 * Judges a response (undefined: a timeout) that was received while other requests ran; a late one
 * may be caused by these.
 */
export function faultOf(request: FuzzRequest, answer: Answer | undefined): Fault | undefined {
  if (answer === undefined) {
    return asksToWait(request)
      ? undefined
      : { kind: 'stall', text: `no answer in ${PATIENCE_MS} ms` };
  }
  const { status, text, tookMs } = answer;
  if (status === 0) return { kind: 'error', text: 'the connection ended without an answer' };
  if (INTERNAL.test(text) || (status >= 500 && !isDocumented(status, text))) {
    return { kind: 'error', text: `${status} ${text.slice(0, 400)}` };
  }
  return tookMs > LATE_MS ? { kind: 'stall', text: `answered after ${ms(tookMs)}` } : undefined;
}

/**
 * Reads the type of the first root cause. A response without a body (HEAD), or whose body
 * `filter_path` removed, is judged by its status.
 */
function isDocumented(status: number, text: string): boolean {
  const type = /"?type"?\s*:\s*"?(\w+_\w+)/.exec(text)?.[1];
  const types = DOCUMENTED[status] ?? [];
  return type === undefined ? status > 500 && types.length > 0 : types.includes(type);
}

/**
 * Judges a late response of a request that ran alone: the service either works all that time, or
 * waits although the request does not ask it to.
 */
function stallOf(request: FuzzRequest, { answer, workMs, healthMs }: Cost): Fault | undefined {
  const tookMs = answer?.tookMs ?? PATIENCE_MS;
  const works = workMs > LATE_MS;
  const waits = !asksToWait(request) && healthMs < BUSY_HEALTH_MS;
  if (tookMs <= LATE_MS || !(works || waits)) return undefined;
  const text = `alone after ${ms(tookMs)}, of which the service worked ${ms(workMs)}, health within ${ms(healthMs)}`;
  return { kind: 'stall', text };
}

function ms(time: number): string {
  return `${Math.round(time)} ms`;
}

/** Sends requests alone to determine whether they reproduce a fault of one kind. */
export class Trial {
  readonly #target: Target;
  readonly #kind: FaultKind;
  readonly #given: readonly ApiRequest[];
  readonly #ground: Ground;

  constructor(target: Target, kind: FaultKind, given: readonly ApiRequest[], ground: Ground) {
    this.#target = target;
    this.#kind = kind;
    this.#given = given;
    this.#ground = ground;
  }

  async faultOf(request: FuzzRequest): Promise<Fault | undefined> {
    const target = this.#target;
    await this.#ready();
    const cost = await target.cost(request, PATIENCE_MS);
    if (!target.isAlive) return this.#ofKind({ kind: 'end', text: target.log.slice(-3000) });
    if (this.#kind === 'memory') return memoryFaultOf(target);
    if (this.#kind === 'stall') return stallOf(request, cost);
    return this.#ofKind(faultOf(request, cost.answer));
  }

  #ofKind(fault: Fault | undefined): Fault | undefined {
    return fault?.kind === this.#kind ? fault : undefined;
  }

  async #ready(): Promise<void> {
    const target = this.#target;
    const isWell = target.isAlive && this.#kind !== 'memory' && (await target.answersHealth());
    if (!isWell) await target.restart();
    if (this.#ground === 'rebuilt') await target.rebuild(this.#given);
  }
}

export function memoryFaultOf(target: Target): Fault | undefined {
  const peak = target.peakMemory;
  if (peak <= MEMORY_MIB) return undefined;
  return {
    kind: 'memory',
    text: `${Math.round(peak)} MiB were resident, the bound is ${MEMORY_MIB}`,
  };
}
