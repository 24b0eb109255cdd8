// The process of clients (load.ts) as seen from a suite: one order at a time, its answer, its end.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadAnswer, LoadOrder } from './load.ts';

const LOADER = join(import.meta.dirname, 'load.js');

export class Clients {
  readonly #process: ChildProcess = fork(LOADER);

  /** A request that fails is an error. */
  async run(order: LoadOrder): Promise<LoadAnswer> {
    const answer = await this.#command(order);
    if (answer.failed === 0) return answer;
    const [first] = order.requests;
    throw new Error(`${answer.failed} of ${answer.times.length} failed: ${first?.path}`);
  }

  stop(): void {
    this.#process.kill();
  }

  #command(order: LoadOrder): Promise<LoadAnswer> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`the clients' process ended with ${code}`));
      this.#process.once('exit', ended);
      this.#process.once('message', (answer) => {
        this.#process.off('exit', ended);
        resolve(answer as LoadAnswer);
      });
      this.#process.send(order);
    });
  }
}
