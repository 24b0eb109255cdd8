// The engine's statistics of an index, as the administration API reads them.
import type { IndexStats, Json, JsonObject } from '../backend.js';

/** `detail` is the engine's own object (Engine::index_stats). */
export function readIndexStats(detail: JsonObject): IndexStats {
  return {
    docs: numberOf(detail['docs']),
    deleted: numberOf(detail['deleted_docs']),
    bytes: numberOf(detail['disk_bytes']) + numberOf(detail['memory_bytes']),
    segments: numberOf(detail['segments']),
    detail,
  };
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}
