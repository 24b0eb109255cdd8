// The documents of both servers, generated from a fixed seed, so that all runs are comparable.
import type { Capability, Send } from './request.ts';

const BOOKS = 120;
const LOGS = 240;
const MINUTE = 60_000;
/** Daylight saving time starts in New York one day later, in Berlin three weeks later. */
const FIRST_LOG_MS = Date.UTC(2024, 2, 9);

const WORDS =
  `river stone winter garden window letter silver morning market shadow engine signal harbour
  lantern copper forest captain paper thunder island orchard mirror castle bridge valley compass needle
  running runner runs quickly searching searched search engines characters windows`.split(/\s+/);
const AUTHORS = ['Adams', 'Brontë', 'Calvino', 'Dumas', 'Eco', 'Frame'];
const TAGS = ['classic', 'short', 'travel', 'humour', 'poetry', 'science'];
const SERVICES = ['api', 'web', 'worker', 'cron'];
const LEVELS = ['debug', 'info', 'info', 'info', 'warn', 'error'];

type Random = () => number;

function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pick = <T>(next: Random, list: readonly T[]): T =>
  list[Math.floor(next() * list.length)] as T;
/** Early words are frequent, late ones rare. */
const word = (next: Random): string => WORDS[Math.floor(next() ** 2 * WORDS.length)] as string;
const words = (next: Random, count: number): string[] =>
  Array.from({ length: count }, () => word(next));

function sentence(next: Random): string {
  const text = words(next, 4 + Math.floor(next() * 9)).join(' ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}${pick(next, ['.', '.', '!', '?'])}`;
}

function book(next: Random, i: number): object {
  const tags = TAGS.filter(() => next() < 0.3);
  const year = 1950 + Math.floor(next() * 70);
  const day = new Date(Date.UTC(year, Math.floor(next() * 12), 1 + Math.floor(next() * 28)));
  return {
    title: words(next, 2 + Math.floor(next() * 4)).join(' '),
    body: Array.from({ length: 1 + Math.floor(next() * 5) }, () => sentence(next)).join(' '),
    author: pick(next, AUTHORS),
    ...(tags.length > 0 ? { tags } : {}),
    year,
    ...(i % 9 === 0 ? {} : { price: Math.floor(next() * 4000) / 100 }),
    ...(i % 7 === 0 ? {} : { rating: [1 + Math.floor(next() * 5), 1 + Math.floor(next() * 5)] }),
    pages: 80 + Math.floor(next() * 900),
    published: day.toISOString(),
    in_stock: next() < 0.6,
    origin: `10.0.${i % 4}.${(i * 37) % 256}`,
    shelf: { room: pick(next, ['north', 'south', 'attic']), row: i % 5 },
    emb: [1, 2, 3, 4].map(() => Math.round((next() * 2 - 1) * 1000) / 1000),
  };
}

function log(next: Random, i: number): object {
  const level = pick(next, LEVELS);
  return {
    '@timestamp': FIRST_LOG_MS + i * 173 * MINUTE,
    level,
    service: pick(next, SERVICES),
    message: sentence(next),
    latency: Math.round(next() ** 3 * 100_000) / 100,
    bytes: Math.floor(next() * 5000),
    ...(i % 5 === 0 ? {} : { user: `u${Math.floor(next() ** 2 * 25)}` }),
    host: `192.168.${i % 3}.${i % 200}`,
  };
}

function bookMappings(has: ReadonlySet<Capability>): object {
  const vector = {
    type: 'dense_vector',
    dims: 4,
    similarity: 'cosine',
    index: true,
    index_options: { type: 'hnsw' },
  };
  return {
    dynamic: false,
    properties: {
      title: { type: 'text', fields: { raw: { type: 'keyword' } } },
      body: { type: 'text', fields: { english: { type: 'text', analyzer: 'english' } } },
      author: { type: 'keyword' },
      writer: { type: 'alias', path: 'author' },
      tags: { type: 'keyword' },
      year: { type: 'integer' },
      price: { type: 'double' },
      rating: { type: 'byte' },
      pages: { type: 'long' },
      published: { type: 'date' },
      in_stock: { type: 'boolean' },
      origin: { type: 'ip' },
      shelf: { properties: { room: { type: 'keyword' }, row: { type: 'short' } } },
      ...(has.has('vectors') ? { emb: vector } : {}),
    },
  };
}

const LOG_MAPPINGS = {
  properties: {
    '@timestamp': { type: 'date' },
    level: { type: 'keyword' },
    service: { type: 'keyword' },
    message: { type: 'text' },
    latency: { type: 'double' },
    bytes: { type: 'long' },
    user: { type: 'keyword' },
    host: { type: 'ip' },
  },
};

/** Sends a request that has to succeed. */
export async function must(
  send: Send,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const { status, json } = await send(method, path, body);
  const failed = (json as { errors?: boolean } | null)?.errors === true;
  if (status !== 200 || failed) {
    throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json).slice(0, 500)}`);
  }
}

function bulkBody(count: number, seed: number, make: (next: Random, i: number) => object): string {
  const next = random(seed);
  const lines = Array.from({ length: count }, (_, i) => [
    JSON.stringify({ index: { _id: `d${i}` } }),
    JSON.stringify(make(next, i)),
  ]);
  return `${lines.flat().join('\n')}\n`;
}

/**
 * Creates indexes with the same documents on a server; existing ones of these names are deleted.
 */
export async function load(send: Send, has: ReadonlySet<Capability>): Promise<void> {
  for (const index of ['books', 'logs', 'copy']) {
    await send('DELETE', `/${index}?ignore_unavailable=true`);
  }
  const settings = { number_of_replicas: 0 };
  const create = (index: string, shards: number, mappings: object) =>
    must(send, 'PUT', `/${index}`, {
      settings: { ...settings, number_of_shards: shards },
      mappings,
    });
  await create('books', 1, bookMappings(has));
  await create('logs', 3, LOG_MAPPINGS);
  await must(send, 'POST', '/books/_bulk', bulkBody(BOOKS, 5, book));
  await must(send, 'POST', '/logs/_bulk', bulkBody(LOGS, 9, log));
  await must(send, 'POST', '/_aliases', {
    actions: [{ add: { index: 'logs', alias: 'errors', filter: { term: { level: 'error' } } } }],
  });
  await must(send, 'POST', '/books,logs/_refresh');
  await must(send, 'POST', '/books,logs/_forcemerge?max_num_segments=1');
  await must(send, 'POST', '/books,logs/_refresh');
}
