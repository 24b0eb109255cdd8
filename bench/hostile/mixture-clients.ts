// Sends hostile requests of all kinds in an order given by the seed, a few at a time, on its own
// thread, so that creating them does not delay the measuring thread.
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { seeded } from '../tools/seeded.ts';
import { statusOf, typeOf } from './client.ts';
import { LONG_TEXTS } from './long-texts.ts';
import { HOSTILE } from './requests.ts';
import { SMALL } from './small-requests.ts';

export interface MixtureSettings {
  readonly port: number;
  readonly requests: number;
  readonly atOnce: number;
  readonly seed: number;
}

/** Number of responses by status; broken connections count as 0. */
export type MixtureAnswers = Readonly<Record<number, number>>;

const { port, requests, atOnce, seed } = workerData as MixtureSettings;

const all = [...HOSTILE.map((one) => ({ method: 'POST', ...one })), ...SMALL, ...LONG_TEXTS].map(
  ({ method, path, body }) => {
    const { pathname, search } = new URL(path, `http://127.0.0.1:${port}`);
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return { sent: { method, path: pathname + search, body: text }, type: typeOf(body) };
  },
);

const random = seeded(seed);
const answers: Record<number, number> = {};
let left = requests;

async function client(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (left > 0) {
    left -= 1;
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) break;
    const status = await statusOf(port, agent, one.sent, one.type);
    answers[status] = (answers[status] ?? 0) + 1;
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: atOnce }, client));
parentPort?.postMessage(answers);
