// Clients that search, and one that writes, until one of them gets an answer that is a fault or the
// time is over.
import { setTimeout as pause } from 'node:timers/promises';
import { Choice } from '../choice.ts';
import { type Fault, INTERNAL } from '../faults.ts';
import { type Answer, addressOf, type FuzzRequest } from '../request.ts';
import type { Target } from '../target.ts';
import { ALIASES, INDEXES, MAPPING, type Members } from './documents.ts';
import { bulkRequest, indexRequests, jsonRequest, SearchRequests } from './requests.ts';
import { reportIn } from './sanitizer.ts';

/** With sanitizers beside other work, a search may take seconds. */
const PATIENCE_MS = 60_000;
/** The end of the process is noticed shortly after that of its connections. */
const END_MS = 1000;
const FIRST_BULKS = 6;
const FIRST_DOCUMENTS = 500;
const WRITE_PAUSE_MS = 200;
/** Requests that may have ended the process. */
const RECENT = 24;

export interface LoadFault {
  readonly fault: Fault;
  /** Latest first; one of them, or several together, led to the fault. */
  readonly requests: readonly FuzzRequest[];
}

/** A fault of the answer, or undefined. Refusals are expected, and 503 with a reason. */
export function searchFaultOf(answer: Answer | undefined): Fault | undefined {
  if (answer === undefined) return { kind: 'stall', text: `no answer in ${PATIENCE_MS} ms` };
  const { status, text } = answer;
  if (status === 0) return { kind: 'error', text: 'the connection ended without an answer' };
  const isRefusal = status < 500 || (status === 503 && text.includes('"reason"'));
  return isRefusal && !INTERNAL.test(text)
    ? undefined
    : { kind: 'error', text: `${status} ${text.slice(0, 800)}` };
}

/** Sends a request alone: the fault that it leads to. The service is started again if it is needed. */
export async function faultAlone(target: Target, request: FuzzRequest): Promise<Fault | undefined> {
  if (!target.isAlive) await target.restart();
  return judge(target, await target.send(request, PATIENCE_MS));
}

async function judge(target: Target, answer: Answer | undefined): Promise<Fault | undefined> {
  if (answer?.status === 0) await pause(END_MS);
  return target.isAlive ? searchFaultOf(answer) : { kind: 'end', text: reportIn(target.log) };
}

/** Makes the indexes and their first documents. */
export async function fill(target: Target, seed: number): Promise<void> {
  for (const [name, settings] of Object.entries(INDEXES)) {
    const body = { settings, mappings: MAPPING };
    await expected(target, jsonRequest('PUT', `/${name}`, body));
  }
  await expected(target, jsonRequest('POST', '/_aliases', ALIASES));
  const choice = new Choice(seed);
  for (let i = 0; i < FIRST_BULKS; i++)
    await expected(target, bulkRequest(choice, FIRST_DOCUMENTS));
  await expected(target, jsonRequest('POST', '/_refresh'));
}

async function expected(target: Target, request: FuzzRequest): Promise<void> {
  const answer = await target.send(request, PATIENCE_MS);
  if (answer?.status === 200) return;
  throw new Error(`${addressOf(request)} answers ${answer?.status}: ${answer?.text.slice(0, 500)}`);
}

export class SearchLoad {
  readonly statuses = new Map<number, number>();
  readonly #target: Target;
  readonly #seed: number;
  readonly #end: number;
  readonly #recent: FuzzRequest[] = [];
  #found: LoadFault | undefined;

  /** `end`: in the time of performance.now(). */
  constructor(target: Target, seed: number, end: number) {
    this.#target = target;
    this.#seed = seed;
    this.#end = end;
  }

  async run(clients: number): Promise<LoadFault | undefined> {
    const searches = Array.from({ length: clients }, (_, client) => this.#search(client));
    await Promise.all([this.#write(), ...searches]);
    return this.#found;
  }

  get #isOver(): boolean {
    return this.#found !== undefined || performance.now() > this.#end;
  }

  async #search(client: number): Promise<void> {
    const requests = new SearchRequests(this.#seed, client);
    while (!this.#isOver) {
      const answer = await this.#send(requests.next(), requests.impatience());
      const next = answer === undefined ? undefined : requests.following(handlesOf(answer));
      if (next !== undefined) await this.#send(next);
    }
  }

  async #write(): Promise<void> {
    const choice = new Choice(this.#seed * 31 + 7);
    while (!this.#isOver) {
      await this.#send(bulkRequest(choice, 20 + choice.below(60)));
      for (const request of indexRequests(choice)) await this.#send(request);
      await pause(WRITE_PAUSE_MS);
    }
  }

  async #send(request: FuzzRequest, impatience?: number): Promise<Answer | undefined> {
    this.#recent.unshift(request);
    if (this.#recent.length > RECENT) this.#recent.pop();
    const answer = await this.#target.send(request, impatience ?? PATIENCE_MS);
    const status = answer?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (answer === undefined && impatience !== undefined) return undefined;
    const fault = await judge(this.#target, answer);
    if (fault === undefined || this.#found !== undefined) return answer;
    const requests = fault.kind === 'end' ? [...this.#recent] : [request];
    this.#found = { fault, requests };
    return answer;
  }
}

/** The handle of a scroll or a point in time; other answers are not read. */
function handlesOf({ status, text }: Answer): Members {
  if (status !== 200 || !/^\{"(_scroll_id|id)"/.test(text)) return {};
  return JSON.parse(text) as Members;
}
