// The brains that have links, in pages by name.

import type { GraphDeps } from './graph.js';
import { brainOfEdges, defaultNodesIndex, edgesIndex, illegal } from './names.js';

export interface BrainListRequest {
  readonly prefix: string;
  /** 1 to 1,000. */
  readonly size: number;
  readonly after: string | undefined;
  /** Whether the client may use an index. */
  readonly allows: (index: string) => boolean;
}

export interface BrainListAnswer {
  /** Of all pages. */
  readonly count: number;
  readonly brains: readonly { readonly brain: string; readonly nodes_index: string }[];
  /** For `after` of the next page; absent on the last one. */
  readonly next?: string;
}

const MAX_SIZE = 1000;

/** A brain whose settings name an index that the client may not use is left out of its page. */
export async function listBrains(
  { backend, brains }: GraphDeps,
  { prefix, size, after, allows }: BrainListRequest,
): Promise<BrainListAnswer> {
  if (size < 1 || size > MAX_SIZE) {
    throw illegal(`[size] must be between 1 and ${MAX_SIZE}, got [${size}]`);
  }
  const all = backend
    .resolve(edgesIndex('*'), { expandWildcards: ['all'] })
    .flatMap(({ name }) => brainOfEdges(name) ?? [])
    .filter((brain) => brain.startsWith(prefix) && allows(defaultNodesIndex(brain)))
    .sort();
  const rest = after === undefined ? all : all.filter((brain) => brain > after);
  const page = rest.slice(0, size);
  const listed: { readonly brain: string; readonly nodes_index: string }[] = [];
  for (const brain of page) {
    const { nodes } = await brains.find(brain);
    if (allows(nodes)) listed.push({ brain, nodes_index: nodes });
  }
  const last = page.at(-1);
  const next = last !== undefined && rest.length > page.length ? { next: last } : {};
  return { count: all.length, brains: listed, ...next };
}
