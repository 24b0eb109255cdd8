// Names of other indexes inside the body of a search: lookups of terms, link graphs, documents to compare with. Looked for
// wherever they could stand, so that a part of the query language that is new cannot be forgotten here.

import type { Access, Json, JsonObject } from '../../backend.js';
import { defaultNodesIndex } from '../../graph/names.js';
import { asText } from '../../json-text.js';

/** security_exception when the body names what its caller may not use. */
export function checkNames(body: Json | undefined, access: Access): void {
  for (const name of foreignNames(body)) {
    if (!access.allows(name)) throw access.refusal(name);
  }
}

function* foreignNames(value: Json | undefined): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // Vectors are long.
    if (typeof value[0] === 'number') return;
    for (const item of value) yield* foreignNames(item);
    return;
  }
  const members = value as JsonObject;
  const { index, id, path, _index, _id, doc, graph } = members;
  if (id !== undefined || path !== undefined) yield* texts(index);
  if (_id !== undefined || doc !== undefined) yield* texts(_index);
  if (typeof graph === 'object' && graph !== null && !Array.isArray(graph)) {
    const { brain } = graph as JsonObject;
    if (typeof brain === 'string') yield defaultNodesIndex(brain);
  }
  for (const member of Object.values(members)) yield* foreignNames(member);
}

function* texts(value: Json | undefined): Generator<string> {
  if (value !== undefined && typeof value !== 'object') yield asText(value);
}
