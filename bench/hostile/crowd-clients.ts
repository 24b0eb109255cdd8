// Many clients that repeatedly request a large page, on their own thread, so that they do not delay
// the measuring thread.
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

/** Number of responses by status; broken connections count as 0. */
export type CrowdAnswers = Readonly<Record<number, number>>;

/** Wait after a rejection, as its `Retry-After` says. */
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
