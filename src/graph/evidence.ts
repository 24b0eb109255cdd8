// Reads the evidence of the few links that are shown; it is stored only in the documents of links.
import type { Backend, JsonObject } from '../backend/index.js';
import { fromSource } from './edge.js';
import { sourcesOf } from './fresh.js';

/** Evidence by edge id; links without evidence are missing. */
export async function evidenceOf(
  backend: Backend,
  index: string,
  links: readonly { readonly edge_id: string; readonly evidenced: boolean }[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = links.filter(({ evidenced }) => evidenced).map(({ edge_id }) => edge_id);
  if (found.length === 0) return new Map();
  const sources = await sourcesOf(backend, index, found, { includes: ['evidence'] });
  const evidence = new Map<string, JsonObject>();
  for (const [id, source] of sources) {
    const quoted = fromSource(id, source).evidence;
    if (quoted !== null) evidence.set(id, quoted);
  }
  return evidence;
}
