// Loads the same documents into this project and into similar servers, alternately, by one client
// and by several: documents per second, with every bulk acknowledged when it is on disk; then one
// segment, and its size.
import { figureLine, type Line, mean } from './contest.ts';
import { ask, type Server } from './servers.ts';

const BATCH = 500;
const ROUNDS = 3;
/** The last run has one client, so that the documents are in the same order on every side. */
const CLIENTS = [8, 1];
const SETTINGS = { number_of_shards: 1, number_of_replicas: 0 };

export interface Corpus {
  readonly index: string;
  readonly mappings: object;
  readonly count: number;
  /** Bulk bodies. */
  readonly bodies: readonly string[];
}

export function toCorpus(
  index: string,
  mappings: object,
  documents: readonly (readonly [id: string, source: string])[],
): Corpus {
  const lines = documents.map(([id, source]) => `{"index":{"_id":"${id}"}}\n${source}\n`);
  const bodies = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, i) =>
    lines.slice(i * BATCH, (i + 1) * BATCH).join(''),
  );
  return { index, mappings, count: documents.length, bodies };
}

/** Rounds of loading after one warm-up round; the data of the last round is kept. */
export async function loadRates(
  sides: readonly Server[],
  corpus: Corpus,
): Promise<readonly Line[]> {
  for (const side of sides) await loadOnce(side, corpus, CLIENTS[0] ?? 1);
  const lines: Line[] = [];
  for (const clients of CLIENTS) {
    const rates = sides.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < sides.length; i++) {
        const who = (i + round) % sides.length;
        const side = sides[who];
        if (side !== undefined) rates[who]?.push(await loadOnce(side, corpus, clients));
      }
    }
    const [ours = []] = rates;
    const task = `load ${corpus.index}, ${clients} client${clients > 1 ? 's' : ''}`;
    for (const [i, { name }] of sides.slice(1).entries())
      lines.push(rateLine(task, ours, name, rates[i + 1] ?? []));
  }
  return lines;
}

function rateLine(
  task: string,
  ours: readonly number[],
  peer: string,
  theirs: readonly number[],
): Line {
  const each = ours.map((rate, i) => rate / (theirs[i] ?? 1));
  const line = figureLine(task, 'documents/s', true, [mean(ours), peer, mean(theirs)]);
  return { ...line, interval: [Math.min(...each), Math.max(...each)] };
}

/** Documents per second, until all can be found. */
export async function loadOnce(
  server: Server,
  { index, mappings, count, bodies }: Corpus,
  clients: number,
): Promise<number> {
  await ask(server, 'DELETE', `/${index}?ignore_unavailable=true`);
  await ask(server, 'PUT', `/${index}`, JSON.stringify({ settings: SETTINGS, mappings }));
  const waiting = [...bodies];
  const started = performance.now();
  const client = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) {
      const reply = await ask(server, 'POST', `/${index}/_bulk`, body);
      if (!/"errors":\s*false/.test(reply)) throw new Error(`${server.name}: a bulk failed`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await ask(server, 'POST', `/${index}/_refresh`);
  return (count * 1000) / (performance.now() - started);
}

/** Bytes on disk of one segment. */
export async function mergeAll(sides: readonly Server[], index: string): Promise<readonly Line[]> {
  const bytes: number[] = [];
  for (const side of sides) {
    for (const verb of ['_forcemerge?max_num_segments=1', '_refresh', '_flush'])
      await ask(side, 'POST', `/${index}/${verb}`);
    const stats = JSON.parse(await ask(side, 'GET', `/${index}/_stats/store`));
    bytes.push(stats._all.primaries.store.size_in_bytes);
  }
  const [ours = 0] = bytes;
  return sides
    .slice(1)
    .map(({ name }, i) =>
      figureLine(`${index} on disk, one segment`, 'bytes', false, [ours, name, bytes[i + 1] ?? 0]),
    );
}
