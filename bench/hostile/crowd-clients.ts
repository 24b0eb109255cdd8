// A crowd on a thread of its own, so that it does not hold up whoever measures: clients that each ask for a large page, again and again.
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { statusOf, typeOf } from './client.ts';

export interface CrowdSettings {
  readonly port: number;
  readonly clients: number;
  readonly ms: number;
  readonly path: string;
  readonly body: string;
}

/** Answers by status, connections that broke as 0. */
export type CrowdAnswers = Readonly<Record<number, number>>;

/** After a refusal, as its `Retry-After` says. */
const RETRY_MS = 1000;

const { port, clients, ms, path, body } = workerData as CrowdSettings;
const end = performance.now() + ms;

const answers: Record<number, number> = {};
async function client(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < end) {
    const status = await statusOf(port, agent, { method: 'POST', path, body }, typeOf({}));
    answers[status] = (answers[status] ?? 0) + 1;
    if (status !== 200) await new Promise((done) => setTimeout(done, RETRY_MS));
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: clients }, client));
parentPort?.postMessage(answers);
