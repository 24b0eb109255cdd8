// A batch of hits as a bulk body. What is changed in place names the version that was seen, so that a document which
// somebody else changed meanwhile is a conflict and never overwritten.
import type { ByQueryRequest, ReindexTarget, SearchHit } from '../../backend.js';
import type { UpdateScript } from '../../query/update-script/script.js';
import { jsonText } from '../json-text.js';

export interface Lines {
  readonly body: Uint8Array;
  readonly operations: number;
  /** Documents that a script left alone. */
  readonly noops: number;
}

type Change = ByQueryRequest['change'];
type Meta = Readonly<Record<string, unknown>>;

const NEWLINE = Buffer.from('\n');
const EMPTY = Buffer.from('{}');

export function bulkLines(
  hits: readonly SearchHit[],
  change: Change,
  script: UpdateScript | undefined,
  nowMs: number,
): Lines {
  const pieces: Uint8Array[] = [];
  let operations = 0;
  const add = (action: string, meta: Meta, source?: Uint8Array): void => {
    operations += 1;
    pieces.push(Buffer.from(`${jsonText({ [action]: meta })}\n`));
    if (source !== undefined) pieces.push(onOneLine(source), NEWLINE);
  };
  let noops = 0;
  for (const hit of hits) {
    if (change.kind === 'delete') {
      add('delete', inPlace(hit));
      continue;
    }
    const outcome = script?.run(textOf(hit), metaOf(hit, nowMs));
    if (outcome?.op === 'noop') {
      noops += 1;
      continue;
    }
    const place = change.kind === 'update' ? inPlace(hit) : inTarget(hit, change.dest);
    if (outcome?.op === 'delete') add('delete', withoutVersion(place));
    else {
      const source = outcome === undefined ? hit.source : Buffer.from(outcome.source);
      add(change.kind === 'update' ? 'index' : change.dest.opType, place, source ?? EMPTY);
    }
  }
  return { body: Buffer.concat(pieces), operations, noops };
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

function inTarget(hit: SearchHit, dest: ReindexTarget): Meta {
  const routing = routingOf(hit, dest.routing);
  return {
    _index: dest.index,
    _id: hit.id,
    ...(routing === undefined ? {} : { routing }),
    ...(dest.versionType === 'internal'
      ? {}
      : { version: hit.version, version_type: dest.versionType }),
    ...(dest.requireAlias ? { require_alias: true } : {}),
  };
}

/** A deletion in the target is not one of the source's version. */
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

/** Line breaks of JSON stand between its tokens: in a text they are escaped. */
function onOneLine(source: Uint8Array): Uint8Array {
  if (!source.includes(10) && !source.includes(13)) return source;
  return source.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}
