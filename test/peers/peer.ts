// Detects the server at a URL, and its capabilities.
import type { Answer, Capability, Send } from './request.ts';

export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly has: ReadonlySet<Capability>;
  /** False: scores have another formula, and only their order can be compared. */
  readonly scores: boolean;
  readonly send: Send;
}

export function senderTo(base: string): Send {
  return async (method, path, body): Promise<Answer> => {
    const lines = path.includes('_bulk') || path.includes('_msearch');
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.body = typeof body === 'string' ? body : JSON.stringify(body);
      init.headers = { 'content-type': lines ? 'application/x-ndjson' : 'application/json' };
    }
    const answer = await fetch(base.replace(/\/$/, '') + path, init);
    return { status: answer.status, json: parsed(await answer.text()) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Root {
  readonly version: { readonly number: string; readonly distribution?: string };
}
interface Nodes {
  readonly nodes: Readonly<
    Record<string, { modules: { name: string }[]; plugins: { name: string }[] }>
  >;
}

export async function describePeer(base: string): Promise<Peer> {
  const send = senderTo(base);
  const root = (await send('GET', '/')).json as Root;
  const nodes = (await send('GET', '/_nodes/plugins')).json as Nodes;
  const parts = new Set(
    Object.values(nodes.nodes).flatMap(({ modules, plugins }) =>
      [...modules, ...plugins].map(({ name }) => name),
    ),
  );
  const isOpenSearch = root.version.distribution === 'opensearch';
  const has = new Set<Capability>(['completion']);
  if (isOpenSearch || parts.has('aggregations')) has.add('aggregations');
  if (parts.has('analysis-common')) has.add('analysis');
  if (parts.has('analysis-icu')) has.add('icu');
  if (parts.has('reindex')) has.add('by-query');
  if (parts.has('lang-painless')) has.add('scripts');
  if (parts.has('lang-mustache')) has.add('templates');
  if (parts.has('mapper-extras')) has.add('extras');
  if (!isOpenSearch) has.add('elasticsearch').add('vectors');
  return {
    name: isOpenSearch ? 'OpenSearch' : 'Elasticsearch',
    version: root.version.number,
    has,
    scores: !isOpenSearch,
    send,
  };
}
