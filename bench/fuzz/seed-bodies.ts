// Bodies for operations without a body in any golden case, by the operation's path.
import type { Body } from './mutations.ts';

const value = (body: object): Body => ({ value: body });

const SEARCH = { query: { match: { body: 'text' } }, aggs: { a: { terms: { field: 'tag' } } } };
const ENDPOINT = {
  service: 'openai',
  service_settings: {
    url: 'http://127.0.0.1:9/v1/embeddings',
    model_id: 'm',
    dimensions: 3,
    rate_limit: { requests_per_minute: 10 },
  },
};
const tool = (name: string, members: object): Body =>
  value({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: members } });

export const SEED_BODIES: Readonly<Record<string, readonly Body[]>> = {
  '/_cluster/settings': [
    value({ persistent: { 'search.max_buckets': 65536 }, transient: { 'a.b': null } }),
  ],
  '/{index}/_knn_search': [
    value({
      knn: { field: 'v', query_vector: [1, 2, 3], k: 3, num_candidates: 9 },
      filter: { term: { tag: 'a' } },
    }),
  ],
  '/_msearch/template': [
    { lines: [{ index: 'books' }, { source: '{"size":{{n}}}', params: { n: 1 } }] },
  ],
  '/_inference/{first}': [value(ENDPOINT), value({ input: ['a', 'b'] })],
  '/_inference/{first}/{second}': [value(ENDPOINT), value({ input: ['a', 'b'] })],
  '/_inference/{first}/{second}/_update': [value(ENDPOINT)],
  '/{index}/_search_shards': [value(SEARCH)],
  '/_search/point_in_time': [value({ pit_id: ['AQI'] })],
  '/_search/scroll': [value({ scroll_id: 'AQE', scroll: '1m' })],
  '/_memory/{namespace}/_recall': [
    value({
      query: 'where',
      k: 3,
      semantic: true,
      hybrid: true,
      vector: [1, 2, 3],
      filter: { 'metadata.session': 's' },
      recency_weight: 0.4,
      graph: { mode: 'blend', seeds: ['m1'], hops: 2, types: ['follows'], weight: 0.5 },
      collapse: 'metadata.session',
      as_of: '2024-01-01T00:00:00Z',
      known_at: 1.7e12,
      explain: { ids: ['m1'] },
    }),
  ],
  '/_memory/_recall': [value({ namespaces: ['agent', 'a*'], query: 'where', k: 3, max_chars: 9 })],
  '/_memory/{namespace}/_forget': [
    value({ filter: { term: { 'metadata.session': 's' } }, dry_run: true, limit: 5 }),
  ],
  '/_memory/{namespace}/_audit': [value({ examples: 2, expires_within_ms: 1000 })],
  '/_memory/{namespace}/_bulk': [
    {
      lines: [
        { id: 'b1', text: 'x', metadata: { session: 's' } },
        { text: 'y', dedup: true },
      ],
    },
  ],
  '/_memory/{namespace}/_import': [
    {
      lines: [
        { quarry: { format: 1, settings: { analyzer: 'english' } } },
        { memory: { id: 'i1', document: { text: 'x', created_at: 1, own_time: 1 } } },
        { link: { id: 'l1', document: { src: 'i1', dst: 'm1', type: 'a', valid_at: 1 } } },
        { end: { memory: 1, link: 1, suggestion: 0 } },
      ],
    },
  ],
  '/v1/mcp': [
    value({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    value({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      },
    }),
    value({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'svc://memory/ns/m1' },
    }),
    value({
      jsonrpc: '2.0',
      id: 1,
      method: 'prompts/get',
      params: { name: 'recall-context', arguments: { namespace: 'ns', question: 'x' } },
    }),
    tool('svc_search', { index: 'books', query: { match: { title: 'x' } }, size: 3 }),
    tool('svc_memory_store', { namespace: 'agent', text: 'x', metadata: { a: 'b' } }),
    tool('svc_memory_recall', { namespace: 'agent', query: 'text', k: 3 }),
    tool('svc_brain_ego', { brain: 'agent', node: 'm1', hops: 2 }),
    tool('svc_brain_link', { brain: 'agent', src: 'a', dst: 'b', type: 'c' }),
  ],
};
