// Detects links between the loaded documents: sets up a brain with an index of them and starts the
// detection of the service.

import type { Proposed } from './autoindex.js';
import type { CatalogEntry } from './catalog.js';
import type { Client, Reply } from './client.js';

/**
 * The response of the detection. The nodes of the brain are the prose documents or, without prose,
 * the dataset with the most files.
 */
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
