// Reads the engine's statistics of an index for the administration API.
import type { IndexStats, Json, JsonObject } from '../../backend/index.js';

/** `detail`: the object of Engine::index_stats. */
export function readIndexStats(detail: JsonObject): IndexStats {
  return {
    docs: numberOf(detail['docs']),
    deleted: numberOf(detail['deleted']),
    bytes: numberOf(detail['bytes']),
    segments: numberOf(detail['segments']),
    detail,
  };
}

/** A counter of the engine's JSON; 0 when it is absent. */
export function numberOf(value: Json | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}
