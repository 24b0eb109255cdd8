// npm run fuzz:http: sends mutated requests for every operation of the API document (FUZZ_REQUESTS,
// default 7000) to its own service. A fault is an internal error, a late response, an end of the
// process, too much memory, or a restart that fails or loses data. The seed is printed, and
// FUZZ_SEED repeats it. Faults are printed in their smallest form as curl commands, with the
// requests that create their data; the exit status is then 1.
import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument } from '../../test/tools/api-document.ts';
import { bodyOf, headersOf, type RequestCase } from '../../test/tools/api-requests.ts';
import { Choice } from './choice.ts';
import { type Fault, faultOf, type Ground, memoryFaultOf, PATIENCE_MS, Trial } from './faults.ts';
import { RequestGenerator } from './generator.ts';
import { Corpus } from './operations.ts';
import { type Answer, type FuzzRequest, toCurl } from './request.ts';
import { smallestForm } from './shrink.ts';
import { Target } from './target.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 7000);
const AT_ONCE = 3;
const BATCHES_OF_CASE = 3;
/** Requests between two lines of progress. */
const PROGRESS = 500;
/** Requests between two restarts. */
const RESTART = 1000;
/** The run ends after this number of faults. */
const MOST_FINDINGS = 20;
/** Replaces the address of the service, which has ended when the output is read. */
const ADDRESS = 'http://127.0.0.1:9200';

class Fuzzer {
  readonly #target: Target;
  readonly #corpus: Corpus;
  readonly #generator: RequestGenerator;
  readonly #operations = new Set<string>();
  readonly #statuses = new Map<number, number>();
  readonly #findings = new Set<string>();
  readonly #started = performance.now();
  #sent = 0;
  #quickAlone = 0;
  #peakMemory = 0;

  constructor(target: Target, corpus: Corpus) {
    this.#target = target;
    this.#corpus = corpus;
    this.#generator = new RequestGenerator(corpus, new Choice(SEED));
  }

  /** Returns the number of faults. */
  async run(): Promise<number> {
    let [progress, restart] = [PROGRESS, RESTART];
    while (this.#sent < REQUESTS && this.#findings.size < MOST_FINDINGS) {
      await this.#runCase(this.#generator.nextCase());
      if (this.#sent >= progress) progress = this.#report(progress + PROGRESS);
      if (this.#sent < restart && this.#sent < REQUESTS) continue;
      restart += RESTART;
      await this.#checkRestart();
    }
    this.#report(0);
    return this.#findings.size;
  }

  async #runCase(present: RequestCase): Promise<void> {
    await this.#target.prepare(present.given ?? []);
    for (let batch = 0; batch < BATCHES_OF_CASE; batch++) {
      const requests = Array.from({ length: AT_ONCE }, () => this.#generator.nextRequest(present));
      const answers = await Promise.all(
        requests.map((request) => this.#target.send(request, PATIENCE_MS)),
      );
      this.#sent += AT_ONCE;
      for (const [at, request] of requests.entries()) this.#count(request, answers[at]);
      await this.#judge(present, requests, answers);
    }
  }

  #count({ method, path }: FuzzRequest, answer: Answer | undefined): void {
    const operation = this.#corpus.operationOf(method, path);
    if (operation !== undefined) this.#operations.add(`${method} ${operation.path}`);
    const status = answer?.status ?? 0;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  async #judge(
    present: RequestCase,
    requests: readonly FuzzRequest[],
    answers: readonly (Answer | undefined)[],
  ): Promise<void> {
    const all = this.#target.isAlive ? memoryFaultOf(this.#target) : ended(this.#target);
    this.#peakMemory = Math.max(this.#peakMemory, this.#target.peakMemory);
    let isExplained = all === undefined;
    for (const [at, request] of requests.entries()) {
      const fault = all ?? faultOf(request, answers[at]);
      if (fault === undefined) continue;
      if (await this.#confirm(present, request, fault)) isExplained = true;
    }
    if (!isExplained && all !== undefined) this.#reportUnexplained(all, requests);
    if (!this.#target.isAlive || all !== undefined) await this.#target.restart();
  }

  /** True if the request alone reproduces the fault, which is then printed in its smallest form. */
  async #confirm(present: RequestCase, request: FuzzRequest, fault: Fault): Promise<boolean> {
    const shown = await this.#groundOf(present, request, fault);
    if (shown !== undefined) {
      const { ground, again } = shown;
      if (this.#isKnown(request, again)) return true;
      const trial = new Trial(this.#target, fault.kind, present.given ?? [], ground);
      const shows = async (one: FuzzRequest): Promise<boolean> =>
        (await trial.faultOf(one)) !== undefined;
      const smallest = await smallestForm(request, shows);
      this.#print(present, smallest, (await trial.faultOf(smallest)) ?? again, ground);
      return true;
    }
    // A response that is late only next to others or on a busy machine is no fault; an internal
    // error is one even if it cannot be reproduced.
    if (fault.kind === 'stall') this.#quickAlone += 1;
    if (fault.kind === 'error' && !this.#isKnown(request, fault)) {
      this.#print(present, request, fault, undefined);
    }
    return fault.kind === 'error';
  }

  /**
   * Prefers the data of the case alone over the state that earlier requests left, if both reproduce
   * the fault.
   */
  async #groundOf(
    { given = [] }: RequestCase,
    request: FuzzRequest,
    { kind }: Fault,
  ): Promise<{ readonly ground: Ground; readonly again: Fault } | undefined> {
    const now = await new Trial(this.#target, kind, given, 'now').faultOf(request);
    const rebuilt = await new Trial(this.#target, kind, given, 'rebuilt').faultOf(request);
    if (rebuilt !== undefined) return { ground: 'rebuilt', again: rebuilt };
    return now === undefined ? undefined : { ground: 'now', again: now };
  }

  /** Records a fault; true if the same one was already printed for the operation. */
  #isKnown({ method, path }: FuzzRequest, { kind, text }: Fault): boolean {
    const operation = this.#corpus.operationOf(method, path)?.path ?? path;
    const reason = /"reason":"([^"]*)/.exec(text)?.[1] ?? (kind === 'error' ? text : '');
    const name = `${kind} ${method} ${operation} ${reason.replace(/\d+/g, 'N').slice(0, 80)}`;
    const isKnown = this.#findings.has(name);
    this.#findings.add(name);
    return isKnown;
  }

  #print(
    { given = [] }: RequestCase,
    request: FuzzRequest,
    { kind, text }: Fault,
    ground: Ground | undefined,
  ): void {
    const how = { now: 'on what the requests before it left', rebuilt: 'on this data' };
    const seen = ground === undefined ? 'once, and not again when it was alone' : how[ground];
    console.log(`\nFOUND ${kind} ${seen}, seed ${SEED}, request ${this.#sent}: ${text}`);
    for (const one of ground === 'now' ? [] : given) {
      const [path = '', ...query] = one.path.split('?');
      const body = bodyOf(one);
      const sent = { method: one.method, path, params: query, headers: headersOf(one) };
      console.log(
        toCurl(body === undefined ? sent : { ...sent, body: Buffer.from(body) }, ADDRESS),
      );
    }
    console.log(toCurl(request, ADDRESS));
    if (kind === 'error')
      console.log(`the last error of the log: ${lastError(this.#target.log)}\n`);
  }

  #reportUnexplained({ kind, text }: Fault, requests: readonly FuzzRequest[]): void {
    this.#findings.add(`${kind} ${this.#sent}`);
    console.log(
      `\nFOUND ${kind}, by none of these alone, seed ${SEED}, request ${this.#sent}: ${text}`,
    );
    for (const request of requests) console.log(toCurl(request, ADDRESS));
  }

  async #checkRestart(): Promise<void> {
    const before = await this.#target.contents();
    try {
      await this.#target.restart();
    } catch (error) {
      this.#findings.add('restart');
      console.log(`\nFOUND: does not start again, seed ${SEED}, request ${this.#sent}: ${error}`);
      throw error;
    }
    const after = await this.#target.contents();
    if (isDeepStrictEqual(before, after)) return;
    this.#findings.add(`restart ${this.#sent}`);
    console.log(`\nFOUND: other contents after a restart, seed ${SEED}, request ${this.#sent}`);
    for (const part of Object.keys(before)) {
      if (isDeepStrictEqual(before[part], after[part])) continue;
      console.log(`${part}\n  before ${show(before[part])}\n  after  ${show(after[part])}`);
    }
  }

  #report(next: number): number {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const byStatus = [...this.#statuses].sort(([a], [b]) => a - b);
    console.log(
      `${this.#sent} requests, ${this.#operations.size} operations of ${this.#corpus.operations.length}, ` +
        `${seconds} s, ${Math.round(this.#peakMemory)} MiB at most, ${this.#findings.size} found, ` +
        `${this.#quickAlone} late only next to others; ` +
        byStatus.map(([status, count]) => `${status}: ${count}`).join(', '),
    );
    return next;
  }
}

function ended(target: Target): Fault {
  return { kind: 'end', text: `the process ended: ${target.log.slice(-3000)}` };
}

/** The log line includes the stack. */
function lastError(log: string): string {
  return log.split('\n').findLast((line) => line.includes('"level":50')) ?? 'none';
}

function show(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1000);
}

async function main(): Promise<void> {
  console.log(`seed ${SEED}, ${REQUESTS} requests`);
  const target = new Target();
  try {
    await target.start();
    const document = (await (await fetch(`${target.base}/v1/openapi.json`)).json()) as ApiDocument;
    const corpus = new Corpus(document);
    const found = await new Fuzzer(target, corpus).run();
    console.log(
      found === 0 ? 'nothing found' : `${found} found, FUZZ_SEED=${SEED} repeats this run`,
    );
    process.exitCode = found === 0 ? 0 : 1;
  } finally {
    await target.remove();
  }
}

await main();
