// A node of a cluster that answers at once: with an index, a document and ten hits that are made
// before the first request.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in front of the name of the index in the cluster. */
export const PREFIX = 'bench-';
export const INDEX = 'books';

export interface ReadyCluster {
  readonly url: string;
  stop(): Promise<void>;
}

const NAME = `${PREFIX}${INDEX}`;
const SOURCE = {
  title: 'word1 word14 word27 word40 word53 word6 word19 word32 word45 word58 word11 word24',
  n: 1,
  tags: ['a', 'b'],
  when: '2026-01-01',
};
const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 };
const PLACE = { _index: NAME, _version: 1, _seq_no: 7, _primary_term: 1 };
const INDEXES = {
  [NAME]: {
    aliases: {},
    mappings: {
      properties: {
        title: { type: 'text' },
        n: { type: 'long' },
        tags: { type: 'keyword' },
        when: { type: 'date' },
      },
    },
    settings: { index: { number_of_shards: '1', uuid: 'u', creation_date: '1' } },
  },
};
const HITS = Array.from({ length: 10 }, (_, n) => ({
  _index: NAME,
  _id: `${n}`,
  _score: 1.5,
  _source: { ...SOURCE, n },
}));

const bytes = (body: object): Buffer => Buffer.from(JSON.stringify(body));
const DOCUMENT = bytes({ ...PLACE, _id: '1', found: true, _source: SOURCE });
const CREATED = bytes({ ...PLACE, _id: '1', result: 'created', _shards: SHARDS });
const FOUND = bytes({
  took: 0,
  timed_out: false,
  _shards: SHARDS,
  hits: { total: { value: 10, relation: 'eq' }, max_score: 1.5, hits: HITS },
});
const OTHERS: readonly (readonly [path: string, answer: Buffer])[] = [
  ['/_cluster/health', bytes({ status: 'green' })],
  ['/_cluster/state/version', bytes({ version: 1, state_uuid: 's', cluster_uuid: 'c' })],
  ['/_resolve/index', bytes({ indices: [{ name: NAME, attributes: ['open'] }] })],
  [`/${PREFIX}*`, bytes(INDEXES)],
];
const ROOT = bytes({ cluster_name: 'ready', version: { number: '8.19.0' } });
const MISSING = bytes({ found: false });

function answerTo(method: string, path: string): readonly [status: number, body: Buffer] {
  if (path.startsWith(`/${NAME}/_search`)) return [200, FOUND];
  if (path.startsWith(`/${NAME}/`)) return method === 'GET' ? [200, DOCUMENT] : [201, CREATED];
  if (path === '/') return [200, ROOT];
  const other = OTHERS.find(([start]) => path.startsWith(start));
  return other === undefined ? [404, MISSING] : [200, other[1]];
}

export async function startReadyCluster(): Promise<ReadyCluster> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const [status, body] = answerTo(request.method ?? '', request.url ?? '');
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': body.length,
      });
      response.end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
