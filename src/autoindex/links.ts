// Links between the documents that were written: a brain whose nodes are those, and the service's own detection over them.

import type { Proposed } from './autoindex.js';
import type { CatalogEntry } from './catalog.js';
import type { Client, Reply } from './client.js';

/** The tally of the detection. The brain's nodes are the prose; where there is none, the largest dataset. */
export async function detectLinks(
  client: Client,
  brain: string,
  datasets: readonly (CatalogEntry | Proposed)[],
): Promise<Reply> {
  const nodes =
    datasets.find(({ family }) => family === 'documents') ??
    [...datasets].sort((a, b) => b.files - a.files)[0];
  if (nodes === undefined) throw new Error('there are no documents that could be linked');
  const path = `/_graph/${encodeURIComponent(brain)}`;
  await client.call('PUT', path, { nodes_index: nodes.index });
  return client.call('POST', `${path}/detect`, {});
}
