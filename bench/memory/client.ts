// Sends requests over a few connections that stay open, as agents do; any response except success
// is an error.
import { type Agent, request } from 'node:http';
import type { TestServer } from '../../test/tools/server.ts';

export class Client {
  readonly #base: URL;
  readonly #agent: Agent;

  constructor({ base }: TestServer, agent: Agent) {
    this.#base = new URL(base);
    this.#agent = agent;
  }

  post(path: string, body: object): Promise<string> {
    const { hostname: host, port } = this.#base;
    const headers = { 'content-type': 'application/json' };
    const options = { host, port, path, method: 'POST', headers, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sent = request(options, (reply) => {
        let text = '';
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () =>
          (reply.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text)),
        );
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  }
}
