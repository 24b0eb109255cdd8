// Documents that are the nodes of a brain.
import { call, path } from '../../kit/api.js';
import { isObject, type Json, type JsonObject } from '../../kit/json.js';
import type { BrainEntry, Document } from './types.js';

/** The index with the documents of a brain: the one that its settings name, or its memories. */
async function nodesIndexOf(brain: string): Promise<string> {
  const { brains } = await call<{ readonly brains: readonly BrainEntry[] }>(
    'GET',
    '/_graph',
    undefined,
    { params: { prefix: brain, size: 1 } },
  );
  const [first] = brains;
  return first?.brain === brain ? first.nodes_index : `.svc-memory-${brain}`;
}

export async function fetchDocument(brain: string, id: string): Promise<Document> {
  const index = await nodesIndexOf(brain);
  const { _source } = await call<{ readonly _source: Document }>('GET', path`/${index}/_doc/${id}`);
  return _source;
}

/** The text at `field`, which may be a dotted path. */
export function textAt(document: JsonObject, field: string): string | undefined {
  let value: Json | undefined = document[field];
  if (value === undefined) {
    value = document;
    for (const name of field.split('.')) {
      value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
  }
  return typeof value === 'string' ? value : undefined;
}
