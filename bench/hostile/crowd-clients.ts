// A crowd on a thread of its own, so that it does not hold up whoever measures: clients that each ask for a large page, again and again.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

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

function ask(agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers });
    asked.on('error', () => resolve(0));
    asked.on('response', (answer) => {
      answer.on('error', () => resolve(0));
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    asked.end(body);
  });
}

const answers: Record<number, number> = {};
async function client(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < end) {
    const status = await ask(agent);
    answers[status] = (answers[status] ?? 0) + 1;
    if (status !== 200) await new Promise((done) => setTimeout(done, RETRY_MS));
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: clients }, client));
parentPort?.postMessage(answers);
