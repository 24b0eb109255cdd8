// Converts a batch of hits to a bulk body. Changes in place are conditional on the version that was
// read, so that a concurrent change is a conflict and is never overwritten.

import type { ByQueryRequest, ReindexTarget, SearchHit } from '../../../backend/index.js';
import type { CooperativeTask } from '../../../base/cooperative-task.js';
import { asText } from '../../../base/json-text.js';
import { onOneLine } from '../../../base/one-line.js';
import type { ScriptOutcome, UpdateScript } from '../../../query/update-script/script.js';
import type { ScriptValue } from '../../../query/update-script/values.js';
import { illegal } from '../../../query/values.js';
import { jsonText } from '../../catalog/json-text.js';

export interface Lines {
  readonly body: Uint8Array;
  readonly operations: number;
  /** Documents that a script left unchanged. */
  readonly noops: number;
  /** Number of hits, from the first, that the body covers. */
  readonly taken: number;
}

/** Maximum size of a body; a single document may exceed it. */
const BODY_BYTES = 16 * 1024 * 1024;

type Change = ByQueryRequest['change'];
type Meta = Readonly<Record<string, unknown>>;

const NEWLINE = Buffer.from('\n');
const EMPTY = Buffer.from('{}');
/** Metadata of the document that a script may set in addition to the source. */
const WRITABLE: Readonly<Record<Change['kind'], readonly string[]>> = {
  delete: [],
  update: [],
  reindex: ['_id', '_index', '_routing', '_version'],
};

/**
 * Converts as many of the hits as fit into one body. Yields before each document for which a script
 * runs.
 */
export function* bulkLines(
  hits: readonly SearchHit[],
  change: Change,
  script: UpdateScript | undefined,
  nowMs: number,
): CooperativeTask<Lines> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let operations = 0;
  const add = (action: string, meta: Meta, source?: Uint8Array): void => {
    operations += 1;
    pieces.push(Buffer.from(`${jsonText({ [action]: meta })}\n`));
    if (source === undefined) return;
    pieces.push(onOneLine(source), NEWLINE);
    bytes += source.length;
  };
  let noops = 0;
  let taken = 0;
  for (const hit of hits) {
    if (bytes >= BODY_BYTES) break;
    taken += 1;
    if (script !== undefined) yield;
    if (change.kind === 'delete') {
      add('delete', inPlace(hit));
      continue;
    }
    const outcome =
      script && (yield* script.run(textOf(hit), metaOf(hit, nowMs), WRITABLE[change.kind]));
    if (outcome?.op === 'noop') {
      noops += 1;
      continue;
    }
    const place =
      change.kind === 'update' ? inPlace(hit) : inTarget(hit, change.dest, outcome?.meta);
    if (outcome?.op === 'delete') add('delete', withoutVersion(place));
    else {
      const source = outcome?.op === 'index' ? Buffer.from(outcome.source) : hit.source;
      add(change.kind === 'update' ? 'index' : change.dest.opType, place, source ?? EMPTY);
    }
  }
  return { body: Buffer.concat(pieces), operations, noops, taken };
}

function inPlace({ index, id, routing, seqNo, primaryTerm }: SearchHit): Meta {
  return {
    _index: index,
    _id: id,
    ...(routing === undefined ? {} : { routing }),
    if_seq_no: seqNo,
    if_primary_term: primaryTerm,
  };
}

/** `script`: metadata such as `ctx._id` after the script has run. */
function inTarget(hit: SearchHit, dest: ReindexTarget, script?: ScriptOutcome['meta']): Meta {
  const was = metaOf(hit, 0);
  const set = (name: keyof typeof was) =>
    script !== undefined && script[name] !== was[name] ? nameOf(script[name]) : undefined;
  const routing = set('_routing') ?? routingOf(hit, dest.routing);
  const id = set('_id') ?? hit.id;
  return {
    _index: set('_index') ?? dest.index,
    ...(id === '' ? {} : { _id: id }),
    ...(routing === undefined || routing === '' ? {} : { routing }),
    ...versionOf(hit, dest, script),
    ...(dest.requireAlias ? { require_alias: true } : {}),
  };
}

/** The empty string removes the value. */
function nameOf(value: ScriptValue | undefined): string {
  if (typeof value === 'object' || value === undefined) return '';
  return asText(value);
}

function versionOf(
  { version }: SearchHit,
  dest: ReindexTarget,
  script?: ScriptOutcome['meta'],
): Meta {
  const set = script === undefined ? version : script['_version'];
  const internal = dest.versionType === 'internal';
  if (set === null || (internal && set === (version ?? null))) return {};
  if (!internal && typeof set === 'bigint') return { version: set, version_type: dest.versionType };
  if (script === undefined) return {};
  throw illegal(
    `script set [ctx._version] to [${asText(set)}]: it must be a whole number, and [dest] [version_type] external or external_gte`,
  );
}

/** A deletion in the target does not use the version of the source. */
function withoutVersion({ version: _version, version_type: _type, ...rest }: Meta): Meta {
  return rest;
}

function routingOf({ routing }: SearchHit, rule: string): string | undefined {
  if (rule === 'keep') return routing;
  return rule === 'discard' ? undefined : rule.slice(1);
}

function textOf({ source }: SearchHit): string {
  return source === undefined ? '{}' : Buffer.from(source).toString('utf8');
}

function metaOf({ id, index, version, routing }: SearchHit, nowMs: number) {
  return {
    _id: id,
    _index: index,
    _version: version ?? null,
    _routing: routing ?? null,
    _now: BigInt(nowMs),
  };
}
