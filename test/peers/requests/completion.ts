// Completions of names on an index of their own, which is created first.
import { type Capability, type PeerRequest, request, type Send } from '../request.ts';

const NEEDS: readonly Capability[] = ['completion'];
const INDEX = '/copy';
const DOCS: readonly object[] = [
  { go: 'river stone', kind: 'a' },
  { go: ['river garden', 'garden river'], kind: 'b' },
  { go: { input: ['riverside', 'side of the river'], weight: 7 }, kind: 'a' },
  { go: { input: 'rival', weight: 3 }, kind: 'b' },
  { go: { input: 'rival', weight: 9 }, kind: 'c' },
  { go: 'Ríver', kind: 'c' },
  { go: 'stone', kind: 'a' },
  { kind: 'without' },
];

async function load(send: Send): Promise<unknown> {
  await send('DELETE', `${INDEX}?ignore_unavailable=true`);
  const lines = DOCS.flatMap((doc, i) => [
    JSON.stringify({ index: { _id: `d${i}` } }),
    JSON.stringify(doc),
  ]);
  return [
    await send('PUT', INDEX, {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { properties: { go: { type: 'completion' }, kind: { type: 'keyword' } } },
    }),
    await send('POST', `${INDEX}/_bulk?refresh=true`, `${lines.join('\n')}\n`),
    await send('GET', `${INDEX}/_mapping`),
  ];
}

const ask = (name: string, body: object, options = ''): PeerRequest =>
  request(`completion: ${name}`, 'POST', `${INDEX}/_search${options}`, body, NEEDS);
const complete = (name: string, prefix: string, options: object = {}): PeerRequest =>
  ask(name, { size: 0, suggest: { s: { prefix, completion: { field: 'go', ...options } } } });

export const COMPLETION_REQUESTS: readonly PeerRequest[] = [
  { name: 'completion: load', needs: NEEDS, run: load },
  complete('one letter', 'r'),
  complete('a word', 'river'),
  complete('two words', 'river s'),
  complete('capitals', 'RIVER'),
  complete('an accent', 'rív'),
  complete('nothing', 'xyz'),
  complete('a size', 'ri', { size: 2 }),
  complete('each text once', 'riv', { skip_duplicates: true }),
  complete('one edit', 'rever', { fuzzy: true }),
  complete('two edits', 'revir', { fuzzy: { fuzziness: 2 } }),
  complete('a long prefix', 'rever', { fuzzy: { prefix_length: 2 } }),
  complete('short words are exact', 'xi', { fuzzy: { min_length: 3 } }),
  complete('no transpositions', 'irver', { fuzzy: { transpositions: false, prefix_length: 0 } }),
  ask(
    'shown',
    {
      _source: ['kind'],
      suggest: { s: { prefix: 'riv', completion: { field: 'go', size: 3 } } },
    },
    '?typed_keys=true',
  ),
  ask('another field', {
    size: 0,
    suggest: { s: { prefix: 'r', completion: { field: 'kind' } } },
  }),
  ask('exists', { query: { exists: { field: 'go' } }, sort: ['kind', '_doc'] }),
];
