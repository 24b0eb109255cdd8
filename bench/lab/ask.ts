// Requests over HTTP, timed alternately, so that other load on the machine affects all of them
// equally.
import { quantile } from '../tools/figures.ts';
import type { Row } from './result.ts';
import type { Service } from './service.ts';
import { processorMs, readWork, workBetween } from './work.ts';

export interface Question {
  readonly name: string;
  readonly path: string;
  /** The bodies are sent sequentially; work is counted over the same ones. */
  readonly bodies: readonly object[];
}

const ROUNDS = 5;

async function askOnce(service: Service, path: string, body: object): Promise<string> {
  const { status, text } = await service.ask('POST', path, JSON.stringify(body));
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
  return text;
}

/** Checks the responses before anything is timed: `check` throws on a wrong one. */
export async function verifyAll(
  service: Service,
  questions: readonly Question[],
  check: (question: Question, at: number, text: string) => void,
): Promise<void> {
  for (const question of questions) {
    for (const [at, body] of question.bodies.entries())
      check(question, at, await askOnce(service, question.path, body));
  }
}

/**
 * One row for each question: one client, p50 and p99 in milliseconds, the service's CPU time, exact
 * counts of work.
 */
export async function timeQuestions(
  service: Service,
  questions: readonly Question[],
  rounds = ROUNDS,
): Promise<readonly Row[]> {
  const requested = questions.map((question) => ({
    question,
    times: [] as number[],
    cpu: 0,
    counters: {},
  }));
  for (const one of requested) {
    const before = readWork(await scrape(service));
    for (const body of one.question.bodies) await askOnce(service, one.question.path, body);
    one.counters = workBetween(before, readWork(await scrape(service)), one.question.bodies.length);
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of requested) {
      const before = processorMs(service.server.pid);
      for (const body of one.question.bodies) {
        const started = performance.now();
        await askOnce(service, one.question.path, body);
        one.times.push(performance.now() - started);
      }
      one.cpu += processorMs(service.server.pid) - before;
    }
  }
  return requested.map(({ question, times, cpu, counters }) => ({
    name: question.name,
    unit: 'ms',
    values: {
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      processor: cpu / times.length,
    },
    counters,
  }));
}

async function scrape(service: Service): Promise<string> {
  return (await service.ask('GET', '/v1/metrics')).text;
}
