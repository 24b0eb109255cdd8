// The client of Quarry: memories of agents, links between documents, and searches.
import { GraphApi, MemoryApi, SearchApi } from './generated.js';
import { type CallOptions, type JsonObject, type QuarryOptions, Transport } from './transport.js';

export * from './errors.js';
export * from './generated.js';
export type { CallOptions, JsonObject, Lines, QuarryOptions } from './transport.js';

export class Quarry {
  readonly memory: MemoryApi;
  readonly graph: GraphApi;
  readonly search: SearchApi;
  readonly #transport: Transport;

  constructor(options: QuarryOptions = {}) {
    this.#transport = new Transport(options);
    this.memory = new MemoryApi(this.#transport);
    this.graph = new GraphApi(this.#transport);
    this.search = new SearchApi(this.#transport);
  }

  /**
   * A request to any route, with the key, the timeout and the retries of the others. A body that is
   * text or bytes is sent as lines, any other as JSON.
   */
  request(
    verb: string,
    path: string,
    request: { readonly params?: JsonObject; readonly body?: unknown } = {},
    options?: CallOptions,
  ): Promise<unknown> {
    return this.#transport.request(verb, path, request, options);
  }
}
