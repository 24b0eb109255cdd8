// Clients that write, search and store through replicas of the service while the cluster fails, and
// the account of what was acknowledged. A replica that does not take requests is left out, as a
// balancer does it.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Each has turns of its own, so that a store waits only for those of its namespace. */
const NAMESPACES = Array.from({ length: 4 }, (_, at) => `outages-${at}`);
const BULK = 10;
const COUNTERS = 8;
/** A request that takes longer has no answer. */
const ANSWER_MS = 90_000;
/** A writer rests after a refusal, and a little after each answer: it is a test of outages. */
const [REFUSED_MS, REST_MS] = [50, 5];

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly json: any;
}

export interface Outcome {
  readonly answered: number;
  readonly refused: number;
  /** Reasons of refusals without the names in brackets, with their counts. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Answers that are neither right nor a refusal with its reason. */
  readonly wrong: readonly string[];
  /** In milliseconds. */
  readonly slowest: number;
}

export class Load {
  readonly #replicas: () => readonly string[];
  readonly #index: string;
  readonly #taking = new Set<string>();
  readonly #acknowledged = new Set<string>();
  readonly #sent = new Set<string>();
  readonly #memories = new Set<string>();
  readonly #links = new Set<string>();
  readonly #counters: { sent: number; acknowledged: number }[];
  readonly #wrong: string[] = [];
  readonly #reasons = new Map<string, number>();
  #answered = 0;
  #refused = 0;
  #slowest = 0;
  #turn = 0;
  #next = 0;
  #isOver = false;
  #running: readonly Promise<void>[] = [];

  /** `replicas`: the addresses of those that run at present. */
  constructor(replicas: () => readonly string[], index: string) {
    this.#replicas = replicas;
    this.#index = index;
    for (const replica of replicas()) this.#taking.add(replica);
    this.#counters = Array.from({ length: COUNTERS }, () => ({ sent: 0, acknowledged: 0 }));
  }

  async begin(): Promise<void> {
    const body = {
      settings: { number_of_shards: 3, number_of_replicas: 1 },
      mappings: { properties: { key: { type: 'keyword' }, n: { type: 'long' } } },
    };
    const made = await this.#send('PUT', `/${this.#index}`, body);
    if (made.status !== 200) throw new Error(`no index: ${JSON.stringify(made.json)}`);
    for (const namespace of NAMESPACES) {
      await this.#send('POST', `/_memory/${namespace}`, { text: 'the first one' });
    }
    const kinds = [
      () => this.#create(),
      () => this.#create(),
      () => this.#bulk(),
      () => this.#count(0),
      () => this.#count(COUNTERS / 2),
      ...NAMESPACES.map((namespace) => this.#deduplicated(namespace)),
      ...NAMESPACES.map((namespace) => () => this.#remember(namespace)),
      this.#named(),
      this.#link(),
      () => this.#search(),
      () => this.#get(),
      () => this.#recall(),
    ];
    this.#running = [...kinds.map((kind) => this.#repeat(kind)), this.#probe()];
  }

  /** What happened since the last call. */
  outcome(): Outcome {
    const outcome = {
      answered: this.#answered,
      refused: this.#refused,
      reasons: new Map(this.#reasons),
      wrong: [...this.#wrong],
      slowest: this.#slowest,
    };
    this.#answered = 0;
    this.#refused = 0;
    this.#slowest = 0;
    this.#wrong.length = 0;
    this.#reasons.clear();
    return outcome;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** What of the acknowledged writes is missing, or is there twice; nothing may be written now. */
  async account(): Promise<readonly string[]> {
    const problems: string[] = [];
    const found = await this.#keys();
    for (const [key, count] of found) {
      if (count > 1) problems.push(`${key} is there ${count} times`);
      if (!this.#sent.has(key)) problems.push(`${key} was never sent`);
    }
    for (const key of this.#acknowledged) {
      if (!found.has(key)) problems.push(`${key} was acknowledged and is lost`);
    }
    for (const [at, { sent, acknowledged }] of this.#counters.entries()) {
      const { json } = await this.#send('GET', `/${this.#index}/_doc/counter-${at}`);
      const n = Number(json?._source?.n ?? 0);
      if (n < acknowledged || n > sent) {
        problems.push(`counter ${at} is ${n}: ${acknowledged} was acknowledged, ${sent} sent`);
      }
    }
    const { texts, links } = await this.#exported();
    problems.push(...differences('memory', texts, this.#memories));
    problems.push(...differences('link to', links, this.#links));
    return problems;
  }

  get written(): string {
    const counted = this.#counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const [documents, memories] = [this.#acknowledged.size, this.#memories.size];
    return `${documents} documents, ${counted} changes, ${memories} memories, ${this.#links.size} links acknowledged`;
  }

  async #repeat(kind: () => Promise<boolean>): Promise<void> {
    while (!this.#isOver) await pause((await kind()) ? REST_MS : REFUSED_MS);
  }

  /** What a balancer does: replicas that are not ready get no requests. */
  async #probe(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all(
        this.#replicas().map(async (replica) => {
          const ready = await fetch(`${replica}/v1/health/ready`).catch(() => undefined);
          const json = (await ready?.json().catch(() => undefined)) as
            | { status?: string }
            | undefined;
          // A cluster that is away makes all of them wait, and their answers are what is tested.
          if (ready?.status === 200 || json?.status === 'waiting') this.#taking.add(replica);
          else this.#taking.delete(replica);
        }),
      );
      await pause(50);
    }
  }

  async #create(): Promise<boolean> {
    const key = this.#key();
    const { status } = await this.#checked('POST', `/${this.#index}/_doc`, { key });
    if (status === 201) this.#acknowledged.add(key);
    return status === 201;
  }

  async #bulk(): Promise<boolean> {
    const keys = Array.from({ length: BULK }, () => this.#key());
    const lines = keys.map((key) => `{"index":{}}\n${JSON.stringify({ key })}\n`).join('');
    const { status, json } = await this.#checked('POST', `/${this.#index}/_bulk`, lines);
    if (status !== 200) return false;
    for (const [at, { index }] of json.items.entries()) {
      if (index.status === 201) this.#acknowledged.add(keys[at] ?? '');
      else this.#refusal(index.status, index.error, '_bulk item');
    }
    return json.errors === false;
  }

  /** Counters are documents with an id of the client, whose value only grows. */
  async #count(from: number): Promise<boolean> {
    const at = from + (this.#next++ % (COUNTERS / 2));
    const counter = this.#counters[at];
    if (counter === undefined) return false;
    const n = counter.sent + 1;
    counter.sent = n;
    const path = `/${this.#index}/_doc/counter-${at}`;
    const { status } = await this.#checked('PUT', path, { key: `counter-${at}`, n });
    if (status < 300) counter.acknowledged = n;
    return status < 300;
  }

  /**
   * The same text through every replica at once, and again as long as none has acknowledged it: one
   * of them stores it, once.
   */
  #deduplicated(namespace: string): () => Promise<boolean> {
    let text = this.#text();
    return async () => {
      const body = { text, dedup: true };
      const answers = await Promise.all(
        this.#replicas().map((replica) =>
          this.#checked('POST', `/_memory/${namespace}`, body, this.#other(replica)),
        ),
      );
      if (!answers.some(isStored)) return false;
      this.#memories.add(text);
      text = this.#text();
      return answers.every(isStored);
    };
  }

  /** A text that is sent once, whatever the answer is. */
  async #remember(namespace: string): Promise<boolean> {
    const text = this.#text();
    const answer = await this.#checked('POST', `/_memory/${namespace}`, { text });
    if (isStored(answer)) this.#memories.add(text);
    return isStored(answer);
  }

  /** A memory under an id of the client, sent again as long as it is not acknowledged. */
  #named(): () => Promise<boolean> {
    let text = this.#text();
    return async () => {
      const body = { id: text.slice(0, 9), text };
      const answer = await this.#checked('POST', `/_memory/${NAMESPACES[0]}`, body);
      if (!isStored(answer)) return false;
      this.#memories.add(text);
      text = this.#text();
      return true;
    };
  }

  /** A link, sent again as long as it is not acknowledged. */
  #link(): () => Promise<boolean> {
    let dst = `node-${this.#next++}`;
    return async () => {
      const body = { src: 'root', dst, type: 'leads to', valid_at: 1 };
      const answer = await this.#checked('POST', `/_graph/${NAMESPACES[0]}/link`, body);
      if (!isStored(answer)) return false;
      this.#links.add(dst);
      dst = `node-${this.#next++}`;
      return true;
    };
  }

  #text(): string {
    return distinctText(this.#next++);
  }

  async #search(): Promise<boolean> {
    const body = { query: { match_all: {} }, size: 3 };
    return (await this.#checked('POST', `/${this.#index}/_search`, body)).status === 200;
  }

  async #get(): Promise<boolean> {
    const { status } = await this.#checked('GET', `/${this.#index}/_doc/counter-0`);
    return status === 200 || status === 404;
  }

  async #recall(): Promise<boolean> {
    const body = { query: 'memory', k: 3 };
    return (await this.#checked('POST', `/_memory/${NAMESPACES[1]}/_recall`, body)).status === 200;
  }

  #key(): string {
    const key = `key-${this.#next++}`;
    this.#sent.add(key);
    return key;
  }

  /** Counts a refusal, and notes what is none. */
  async #checked(
    method: string,
    path: string,
    body?: unknown,
    replica = this.#any(),
  ): Promise<Answer> {
    const started = performance.now();
    const answer = await this.#send(method, path, body, replica).catch(
      (error: Error): Answer => ({ status: 0, json: { error: error.cause ?? error.message } }),
    );
    this.#slowest = Math.max(this.#slowest, performance.now() - started);
    const isMissing = method === 'GET' && answer.status === 404;
    const isAnswer = (answer.status >= 200 && answer.status < 300) || isMissing;
    if (isAnswer) this.#answered += 1;
    else this.#refusal(answer.status, answer.json?.error, `${method} ${path}`);
    return answer;
  }

  #refusal(status: number, error: { readonly reason?: string } | undefined, what: string): void {
    this.#refused += 1;
    const reason = error?.reason ?? '';
    if ((status !== 503 && status !== 429) || reason === '') {
      this.#wrong.push(`${what}: ${status} ${JSON.stringify(error)}`.slice(0, 400));
    }
    const words = reason.replaceAll(/\[[^\][]*\]/g, '[…]').slice(0, 120);
    const kind = `${status} ${what.replaceAll(/-\d+/g, '')}: ${words}`;
    this.#reasons.set(kind, (this.#reasons.get(kind) ?? 0) + 1);
  }

  /** The next replica that takes requests. */
  #any(): string {
    const running = this.#replicas();
    const taking = running.filter((replica) => this.#taking.has(replica));
    const chosen = taking.length === 0 ? running : taking;
    this.#turn += 1;
    return chosen[this.#turn % chosen.length] ?? '';
  }

  /** The replica, or another one if it does not take requests. */
  #other(replica: string): string {
    return this.#taking.has(replica) ? replica : this.#any();
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    replica = this.#any(),
  ): Promise<Answer> {
    const isText = typeof body === 'string';
    const response = await fetch(`${replica}${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body === undefined
        ? {}
        : {
            body: isText ? body : JSON.stringify(body),
            headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
          }),
    });
    const text = await response.text();
    return { status: response.status, json: JSON.parse(text) };
  }

  /** Counts of documents by their keys, without the counters. */
  async #keys(): Promise<ReadonlyMap<string, number>> {
    await this.#send('POST', `/${this.#index}/_refresh`);
    const counts = new Map<string, number>();
    for (let after: string | undefined; ; ) {
      const composite = { size: 10_000, sources: [{ key: { terms: { field: 'key' } } }] };
      const { json } = await this.#send('POST', `/${this.#index}/_search`, {
        size: 0,
        aggs: {
          keys: { composite: { ...composite, ...(after === undefined ? {} : { after }) } },
        },
      });
      const { buckets, after_key: next } = json.aggregations.keys;
      for (const { key, doc_count: count } of buckets) {
        if (!key.key.startsWith('counter-')) counts.set(key.key, count);
      }
      if (buckets.length === 0 || next === undefined) return counts;
      after = next;
    }
  }

  /** Counts of memories by their texts, and of links by their ends. */
  async #exported(): Promise<{ texts: Map<string, number>; links: Map<string, number> }> {
    const found = { texts: new Map<string, number>(), links: new Map<string, number>() };
    for (const namespace of NAMESPACES) {
      const response = await fetch(`${this.#replicas()[0]}/_memory/${namespace}/_export`);
      if (response.status !== 200) throw new Error(`no export: ${await response.text()}`);
      for (const line of (await response.text()).split('\n')) {
        if (line === '') continue;
        const { memory, link } = JSON.parse(line);
        if (memory !== undefined) count(found.texts, memory.document.text);
        if (link !== undefined) count(found.links, link.document.dst);
      }
    }
    return found;
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function differences(
  kind: string,
  found: ReadonlyMap<string, number>,
  acknowledged: ReadonlySet<string>,
): readonly string[] {
  const doubled = [...found].filter(([key, times]) => times > 1 && key !== 'the first one');
  const lost = [...acknowledged].filter((key) => !found.has(key));
  return [
    ...doubled.map(([key, times]) => `${kind} [${key}] is there ${times} times`),
    ...lost.map((key) => `${kind} [${key}] was acknowledged and is lost`),
  ];
}

function isStored({ status }: Answer): boolean {
  return status === 200 || status === 201;
}

/** Words that no other number has, so that none of two texts is a duplicate of the other. */
function distinctText(n: number): string {
  const letters = createHash('sha256').update(`${n}`).digest('hex');
  return (letters.match(/.{8}/g) ?? []).map((word) => `x${word}`).join(' ');
}
