// Memories of mem0: answers of `get_all` (`{results: […]}`, or the list alone), one in each line or
// a whole file. Ids and metadata are kept; times and the speaker go where recall reads them.
import type { Json, JsonObject } from '../../backend/index.js';
import { printValue } from '../../base/json-text.js';
import { isObject, memberOf } from '../sequence-reader.js';
import { jsonValues } from './json-values.js';

export interface Mem0File {
  readonly memories: readonly JsonObject[];
  /** Relations of mem0's own graph, between names and not between memories. */
  readonly relations: number;
}

/** Members of a memory that become members of its metadata. */
const METADATA = [
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'actor_id',
  'role',
  'hash',
  'categories',
  'created_at',
  'updated_at',
];

export async function readMem0(file: string): Promise<Mem0File> {
  const memories: JsonObject[] = [];
  let relations = 0;
  for await (const value of jsonValues(file)) {
    for (const one of listOf(value, file)) memories.push(memoryOf(one, file));
    const { relations: some } = memberOf(value);
    if (Array.isArray(some)) relations += some.length;
  }
  return { memories, relations };
}

function listOf(value: Json, file: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  const { results, memories } = memberOf(value);
  for (const list of [results, memories]) if (Array.isArray(list)) return list as readonly Json[];
  if (isObject(value) && typeof value['memory'] === 'string') return [value];
  throw new Error(
    `${file} holds no memories: expected answers of get_all, got ${printValue(value)}`,
  );
}

function memoryOf(value: Json, file: string): JsonObject {
  const given = memberOf(value);
  const { id, memory, metadata, expiration_date: expires } = given;
  const text = memory ?? given['text'] ?? given['data'];
  if (typeof text !== 'string' || typeof id !== 'string') {
    throw new Error(`${file} holds a memory without [id] or [memory]: ${printValue(value)}`);
  }
  const own = memberOf(metadata);
  const kept = METADATA.map((name) => [name, given[name]] as const).filter(
    ([, one]) => one !== undefined && one !== null,
  );
  const { created_at: created, run_id: run, actor_id: actor } = given;
  return {
    id,
    text,
    metadata: {
      ...(typeof created === 'string' ? { valid_at: created } : {}),
      ...(typeof run === 'string' ? { session: run } : {}),
      ...(typeof actor === 'string' ? { speaker: actor } : {}),
      ...Object.fromEntries(kept as readonly (readonly [string, Json])[]),
      ...own,
    },
    ...(typeof expires === 'string' ? { expires_at: endOf(expires) } : {}),
  };
}

/** A memory that expires on a day is there until the day has passed. */
function endOf(expires: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(expires) ? `${expires}T23:59:59.999Z` : expires;
}
