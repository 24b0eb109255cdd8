// Reads the bodies of detection and verification requests and checks them before any work begins.
import type { Json, JsonObject } from '../backend/index.js';
import type { DetectRequest } from './detect.js';
import { DETECTORS } from './detectors/index.js';
import { checkId, illegal } from './names.js';
import { readTime, shown } from './times.js';
import type { VerifyRequest } from './verify.js';

const DETECT_KEYS = ['detectors', 'nodes', 'since', 'dry_run'];
const VERIFY_KEYS = ['types', 'detectors', 'nodes'];

export function readDetectBody(body: JsonObject): DetectRequest {
  refuseUnknown(body, DETECT_KEYS, 'a detection');
  const since = body['since'] ?? undefined;
  return {
    detectors: readDetectors(body['detectors']),
    nodes: readIds(body, 'nodes'),
    since: since === undefined ? undefined : readTime(since, 'since'),
    dryRun: readFlag(body, 'dry_run'),
  };
}

export function readVerifyBody(body: JsonObject): VerifyRequest {
  refuseUnknown(body, VERIFY_KEYS, 'a verification');
  const labels = readIds(body, 'detectors');
  return { types: readIds(body, 'types'), detectors: labels, nodes: readIds(body, 'nodes') };
}

function refuseUnknown(body: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw illegal(`unknown key [${unknown}] in ${what}, expected some of [${known.join(', ')}]`);
}

/** Names of detectors without their versions; the body may give them with or without. */
function readDetectors(value: Json | undefined): readonly string[] | undefined {
  const names = readTexts(value, 'detectors')?.map((name) => name.replace(/@\d+$/, ''));
  const all = DETECTORS.map(({ name }) => name);
  const unknown = names?.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  throw illegal(`[detectors] names ${shown(unknown)}, expected some of [${all.join(', ')}]`);
}

function readIds(body: JsonObject, key: string): readonly string[] | undefined {
  const ids = readTexts(body[key], key);
  return ids === undefined ? undefined : [...new Set(ids.map((id) => checkId(id, key)))];
}

function readTexts(value: Json | undefined, key: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isList && value.length > 0) return value as readonly string[];
  throw illegal(`[${key}] must be a list of strings, at least one, got ${shown(value)}`);
}

function readFlag(body: JsonObject, key: string): boolean {
  const value = body[key] ?? false;
  if (typeof value === 'boolean') return value;
  throw illegal(`[${key}] must be true or false, got ${shown(value)}`);
}
