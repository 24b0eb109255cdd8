// The mixed load of a soak test: writes, searches of every mode, memory, graph, and objects that
// are opened and closed. It cycles through a set of documents of constant size, so that growth is
// not caused by the data. Random by seed.
import { type Agent, request } from 'node:http';

export const DIMS = 32;
const DOCUMENTS = 3000;
const NAMESPACES = 10;
const MEMORIES = 40;
const NODES = 60;
const BULK = 50;
const WORDS = 'red fox quick river stone night paper music garden winter bread glass'.split(' ');

export interface Target {
  readonly base: URL;
  readonly agent: Agent;
}

/** Statuses that are part of the load: missing objects and write conflicts. */
const EXPECTED = new Set([404, 409]);

export function ask(
  { base, agent }: Target,
  method: string,
  path: string,
  body?: object | string,
): Promise<string> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const bytes = typeof body === 'object' ? JSON.stringify(body) : body;
  const length = Buffer.byteLength(bytes ?? '');
  const headers = bytes === undefined ? {} : { 'content-type': type, 'content-length': length };
  const options = { host: base.hostname, port: base.port, method, path, headers, agent };
  return new Promise((resolve, reject) => {
    const sent = request(options, (reply) => {
      let text = '';
      reply.on('data', (chunk) => {
        text += chunk;
      });
      reply.on('end', () => {
        const status = reply.statusCode ?? 500;
        if (status < 400 || EXPECTED.has(status)) resolve(text);
        else reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

export class Load {
  readonly #target: Target;
  #seed: number;

  constructor(target: Target, seed: number) {
    this.#target = target;
    this.#seed = seed;
  }

  async prepare(): Promise<void> {
    await ask(this.#target, 'PUT', '/soak', {
      settings: { number_of_shards: 2 },
      mappings: {
        properties: {
          title: { type: 'text', analyzer: 'english' },
          meaning: { type: 'semantic_text' },
          vector: { type: 'dense_vector', dims: DIMS },
          tag: { type: 'keyword' },
          n: { type: 'long' },
        },
      },
    });
    for (let from = 0; from < DOCUMENTS; from += BULK) await this.#bulk(from);
    await ask(this.#target, 'POST', '/soak/_refresh');
  }

  /** Runs one random operation of any kind. */
  step(): Promise<unknown> {
    const kinds = [
      () => this.#bulk(this.#below(DOCUMENTS - BULK)),
      () => this.#write(),
      () =>
        this.#search({
          query: { match: { title: this.#text(2) } },
          highlight: { fields: { title: {} } },
        }),
      () => this.#search({ knn: { field: 'vector', query_vector: this.#vector(), k: 10 } }),
      () => this.#search({ query: { semantic: { field: 'meaning', query: this.#text(3) } } }),
      () => this.#search({ query: this.#hybrid() }),
      () =>
        this.#search({
          size: 0,
          aggs: { tags: { terms: { field: 'tag' }, aggs: { n: { avg: { field: 'n' } } } } },
        }),
      () => this.#scroll(),
      () => this.#store(),
      () => this.#recall(),
      () => this.#link(),
      () => this.#look(),
      () => this.#index(),
    ];
    return (kinds[this.#below(kinds.length)] as () => Promise<unknown>)();
  }

  #search(body: object): Promise<string> {
    return ask(this.#target, 'POST', '/soak/_search', body);
  }
  #hybrid(): object {
    const knn = { field: 'vector', query_vector: this.#vector(), k: 10 };
    return { hybrid: { queries: [{ match: { title: this.#text(2) } }, { knn }], fusion: 'rrf' } };
  }

  async #bulk(from: number): Promise<void> {
    const lines: string[] = [];
    for (let id = from; id < from + BULK; id++) {
      lines.push(JSON.stringify({ index: { _index: 'soak', _id: String(id) } }));
      lines.push(JSON.stringify(this.#document()));
    }
    const answer = await ask(this.#target, 'POST', '/_bulk', `${lines.join('\n')}\n`);
    if (JSON.parse(answer).errors === true) throw new Error(`bulk: ${answer.slice(0, 300)}`);
  }
  async #write(): Promise<void> {
    const id = this.#below(DOCUMENTS);
    await ask(this.#target, 'DELETE', `/soak/_doc/${id}`);
    await ask(this.#target, 'PUT', `/soak/_doc/${id}?refresh=wait_for`, this.#document());
    await ask(this.#target, 'GET', `/soak/_doc/${id}`);
  }
  async #scroll(): Promise<void> {
    const path = '/soak/_search?scroll=1m&size=100';
    const { _scroll_id: scroll_id } = JSON.parse(await ask(this.#target, 'POST', path, {}));
    await ask(this.#target, 'POST', '/_search/scroll', { scroll_id, scroll: '1m' });
    await ask(this.#target, 'DELETE', '/_search/scroll', { scroll_id });
  }
  async #store(): Promise<void> {
    const id = `m${this.#below(MEMORIES)}`;
    const path = `/_memory/${this.#namespace()}`;
    if (this.#below(4) === 0) await ask(this.#target, 'DELETE', `${path}/${id}`);
    else await ask(this.#target, 'POST', path, { id, text: this.#text(8) });
  }
  #recall(): Promise<string> {
    const path = `/_memory/${this.#namespace()}/_recall`;
    return ask(this.#target, 'POST', path, { query: this.#text(3), hybrid: true, k: 5 });
  }
  async #link(): Promise<void> {
    const [src, dst] = [this.#below(NODES), this.#below(NODES - 1)];
    const link = {
      src: `n${src}`,
      dst: `n${dst === src ? NODES : dst}`,
      type: 'follows',
      valid_at: 1,
    };
    await ask(this.#target, 'POST', '/_graph/brain/link', link);
  }
  async #look(): Promise<void> {
    await ask(this.#target, 'GET', `/_graph/brain/ego?node=n${this.#below(NODES)}&hops=2`);
    await ask(this.#target, 'GET', '/_graph/brain/overview');
  }
  /** Creates and deletes a complete index. */
  async #index(): Promise<void> {
    const name = `/passing-${this.#below(5)}`;
    await ask(this.#target, 'PUT', `${name}/_doc/1?refresh=true`, { a: this.#text(3) });
    await ask(this.#target, 'GET', `${name}/_search?q=fox`);
    await ask(this.#target, 'DELETE', name);
  }

  #document(): object {
    return {
      title: this.#text(12),
      meaning: this.#text(6),
      vector: this.#vector(),
      tag: WORDS[this.#below(WORDS.length)],
      n: this.#below(1000),
    };
  }
  #vector(): number[] {
    return Array.from({ length: DIMS }, () => this.#below(1000) / 1000 + 0.001);
  }
  #text(words: number): string {
    return Array.from({ length: words }, () => WORDS[this.#below(WORDS.length)]).join(' ');
  }
  #namespace(): string {
    return `agent-${this.#below(NAMESPACES)}`;
  }

  /** The mulberry32 generator. */
  #below(limit: number): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}
