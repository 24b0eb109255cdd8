// Writes search and document answers as bytes around raw `_source` slices, which are not parsed
// here.
import type {
  AggregationText,
  BulkItemError,
  FoundDocument,
  JsonObject,
  SearchHit,
  SearchResult,
} from '../../backend/index.js';
import {
  type CooperativeTask,
  runCooperatively,
  runToCompletion,
} from '../../base/cooperative-task.js';
import { plainJson, quote } from '../../base/json-text.js';
import { toJson } from '../kit/json.js';
import { Pieces } from '../kit/pieces.js';
import { scoreText } from '../kit/score-text.js';
import { writeAggregations } from './aggregation-text.js';
import { writeSuggest } from './suggest-text.js';

/** Estimated bytes of an answer without hits, and of a hit without its source. */
const ANSWER_BYTES = 1024;
const HIT_BYTES = 200;
/** Size in bytes from which copying takes noticeable time. */
const LARGE_PAGE = 256 * 1024;

/** Options of the printed answer. */
export interface SearchFormat {
  readonly totalAsInt: boolean;
  /** `batched_reduce_size` if the request sets it. */
  readonly batch?: number;
  /** The id of this node, for profiles. */
  readonly nodeId: string;
}

/** Prints a search answer; a long one, like those of the functions below, as a cooperative task. */
export function searchReply(result: SearchResult, format: SearchFormat): Buffer | Promise<Buffer> {
  const out = new Pieces(ANSWER_BYTES + result.hits.length * HIT_BYTES + shownBytes(result));
  return isOnePiece(result)
    ? writeAtOnce(out, result, format)
    : joined(out, writeSearch(out, result, format));
}

/**
 * Whether all parts of the answer are already text and short, so that no cooperative task is
 * needed.
 */
function isOnePiece(result: SearchResult): boolean {
  const { hits, hitsJson, aggregations, suggest, profile, rerank } = result;
  return (
    hits.length === 0 &&
    (hitsJson?.length ?? 0) <= LARGE_PAGE &&
    (aggregations === undefined || onlyText(aggregations) !== undefined) &&
    suggest === undefined &&
    profile === undefined &&
    rerank === undefined
  );
}

/** The text of aggregations that are a single string; undefined otherwise. */
function onlyText(aggregations: AggregationText): string | undefined {
  const [only] = aggregations;
  return aggregations.length === 1 && typeof only === 'string' ? only : undefined;
}

function writeAtOnce(out: Pieces, result: SearchResult, format: SearchFormat): Buffer {
  out.add(`${searchHead(result, format)}${hitsHead(shownHits(result), format)}`);
  if (result.hitsJson !== undefined) out.bytes(result.hitsJson);
  const { aggregations } = result;
  const aggregationsMember = aggregations && `,"aggregations":${onlyText(aggregations)}`;
  return out.add(`]}${aggregationsMember ?? ''}}`).join();
}

/** Total bytes of the documents in an answer. */
export function shownBytes({ hits, hitsJson }: SearchResult): number {
  let bytes = hitsJson?.length ?? 0;
  for (const { source } of hits) bytes += source?.length ?? 0;
  return bytes;
}

/** Prints an object whose text before its last member, which is `json`, is `head`. */
export function replyAround(head: string, json: Uint8Array): Buffer | Promise<Buffer> {
  const out = new Pieces(head.length + json.length + 1).add(head).bytes(json).add('}');
  return runCooperatively(out.joinSteps());
}

/** Prints an `_msearch` answer; failed items carry their error envelope. */
export function multiSearchReply(
  tookMs: number,
  items: readonly (SearchResult | { readonly error: unknown; readonly status: number })[],
  format: SearchFormat,
): Buffer | Promise<Buffer> {
  const out = new Pieces().add(`{"took":${tookMs},"responses":[`);
  return joined(out, writeSearches(out, items, format));
}

function joined(out: Pieces, work: CooperativeTask<void>): Buffer | Promise<Buffer> {
  return runCooperatively(writeAll(out, work));
}

function* writeAll(out: Pieces, work: CooperativeTask<void>): CooperativeTask<Buffer> {
  yield* work;
  return yield* out.joinSteps();
}

function* writeSearches(
  out: Pieces,
  items: Parameters<typeof multiSearchReply>[1],
  format: SearchFormat,
): CooperativeTask<void> {
  for (const [i, item] of items.entries()) {
    if (i > 0) out.add(',');
    if ('hits' in item) yield* writeSearch(out, item, format, 200);
    else out.add(toJson({ error: item.error, status: item.status }));
    if (out.counted()) yield;
  }
  out.add(']}');
}

function* writeSearch(
  out: Pieces,
  result: SearchResult,
  format: SearchFormat,
  status?: number,
): CooperativeTask<void> {
  out.add(searchHead(result, format));
  yield* hitSteps(out, shownHits(result), format);
  if (result.aggregations !== undefined) {
    out.add(',"aggregations":');
    yield* writeAggregations(out, result.aggregations, ({ nestedHits: hits, total, maxScore }) =>
      writeHits(out, { total: { value: total, relation: 'eq' }, maxScore, hits }, format),
    );
  }
  if (result.suggest !== undefined)
    writeSuggest(out, result.suggest, (hit) => writeHitMembers(out, hit, format));
  if (result.profile !== undefined)
    out.add(`,"profile":${profileText(result.profile, format.nodeId)}`);
  if (result.rerank !== undefined) out.add(`,"rerank":${plainJson(result.rerank)}`);
  if (status !== undefined) out.add(`,"status":${status}`);
  out.add('}');
}

/** The text before `hits`. */
function searchHead(result: SearchResult, format: SearchFormat): string {
  const { scrollId, pitId, tookMs, timedOut, terminatedEarly, shards } = result;
  const scroll = scrollId === undefined ? '' : `"_scroll_id":${quote(scrollId)},`;
  const pit = pitId === undefined ? '' : `"pit_id":${quote(pitId)},`;
  const early = terminatedEarly === undefined ? '' : `,"terminated_early":${terminatedEarly}`;
  const phases = reducePhases(shards.total, format.batch);
  const reduced = phases > 1 ? `,"num_reduce_phases":${phases}` : '';
  return `{${scroll}${pit}"took":${tookMs},"timed_out":${timedOut}${early}${reduced},"_shards":${shardsText(shards)},"hits":`;
}

/** The maximum score of a search that reached no shard is 0. */
function shownHits(result: SearchResult): HitsOfAnswer {
  return result.shards.total === 0 ? { ...result, maxScore: 0 } : result;
}

/** Adds to each shard the node that searched it, which typed clients require. */
function profileText(profile: JsonObject, node: string): string {
  const { shards } = profile as { readonly shards: readonly JsonObject[] };
  return toJson({
    shards: shards.map(({ id, ...rest }) => ({
      id: `[${node}]${String(id)}`,
      node_id: node,
      cluster: '(local)',
      ...rest,
    })),
  });
}

function shardsText(shards: SearchResult['shards']): string {
  const { total, successful, skipped, failed, failures } = shards;
  if (failures !== undefined) return toJson(shards);
  return `{"total":${total},"successful":${successful},"skipped":${skipped},"failed":${failed}}`;
}

/**
 * Number of reduce phases that Elasticsearch reports for a batch size: the first batch takes
 * `batch` shards, each later one `batch` - 1 and the previous partial result. Here all shards are
 * reduced at once; the result is the same.
 */
function reducePhases(shards: number, batch: number | undefined): number {
  if (batch === undefined || shards <= batch) return 1;
  return 2 + Math.floor((shards - batch - 1) / (batch - 1));
}

type HitsOfAnswer = Pick<SearchResult, 'total' | 'maxScore' | 'hits' | 'hitsJson'>;

/** Writes nested hits of a hit or bucket without yielding, since they are at most one page. */
function writeHits(out: Pieces, found: HitsOfAnswer, format: SearchFormat): void {
  runToCompletion(hitSteps(out, found, format));
}

/** The text before the first hit. */
function hitsHead({ total, maxScore }: HitsOfAnswer, format: SearchFormat): string {
  return `{${totalText(total, format)}"max_score":${scoreText(maxScore)},"hits":[`;
}

function* hitSteps(out: Pieces, found: HitsOfAnswer, format: SearchFormat): CooperativeTask<void> {
  const { hits, hitsJson } = found;
  out.add(hitsHead(found, format));
  if (hitsJson !== undefined) out.bytes(hitsJson);
  for (const [i, hit] of hits.entries()) {
    if (i > 0) out.add(',');
    writeHit(out, hit, format);
    if (out.counted()) yield;
  }
  out.add(']}');
}

/** An untracked total is omitted, or -1 if totals are integers. */
function totalText(total: SearchResult['total'], format: SearchFormat): string {
  if (format.totalAsInt) return `"total":${total?.value ?? -1},`;
  if (total === undefined) return '';
  return `"total":{"value":${total.value},"relation":"${total.relation}"},`;
}

function writeHit(out: Pieces, hit: SearchHit, format: SearchFormat): void {
  writeHitMembers(out.add('{'), hit, format);
}

function writeHitMembers(out: Pieces, hit: SearchHit, format: SearchFormat): void {
  if (hit.shard !== undefined)
    out.add(`"_shard":${quote(`[${hit.index}][${hit.shard}]`)},"_node":${quote(format.nodeId)},`);
  out.add(`"_index":${quote(hit.index)}`);
  if (hit.withoutId !== true) out.add(`,"_id":${quote(hit.id)}`);
  if (hit.nested !== undefined) out.add(`,"_nested":${hit.nested}`);
  if (hit.version !== undefined) out.add(`,"_version":${hit.version}`);
  if (hit.seqNo !== undefined)
    out.add(`,"_seq_no":${hit.seqNo},"_primary_term":${hit.primaryTerm ?? 1}`);
  out.add(`,"_score":${scoreText(hit.score)}`);
  if (hit.routing !== undefined) out.add(`,"_routing":${quote(hit.routing)}`);
  if (hit.ignored !== undefined) out.add(`,"_ignored":${hit.ignored}`);
  if (hit.source !== undefined) out.add(',"_source":').bytes(hit.source);
  if (hit.fields !== undefined) out.add(`,"fields":${hit.fields}`);
  if (hit.ignoredValues !== undefined) out.add(`,"ignored_field_values":${hit.ignoredValues}`);
  if (hit.highlight !== undefined) out.add(`,"highlight":${hit.highlight}`);
  if (hit.sort !== undefined) out.add(`,"sort":[${hit.sort.join(',')}]`);
  if (hit.matchedQueries !== undefined) out.add(`,"matched_queries":${hit.matchedQueries}`);
  if (hit.explanation !== undefined) out.add(`,"_explanation":${hit.explanation}`);
  if (hit.innerHits !== undefined) writeInnerHits(out, hit.innerHits, format);
  out.add('}');
}

function writeInnerHits(
  out: Pieces,
  innerHits: NonNullable<SearchHit['innerHits']>,
  format: SearchFormat,
): void {
  out.add(',"inner_hits":{');
  for (const [i, [name, result]] of Object.entries(innerHits).entries()) {
    out.add(`${i > 0 ? ',' : ''}${quote(name)}:{"hits":`);
    writeHits(out, result, format);
    out.add('}');
  }
  out.add('}');
}

/** A document and the JSON text of its stored fields. */
export interface RenderedDocument extends FoundDocument {
  readonly fields?: string;
}

export function getReply(found: RenderedDocument): Buffer {
  const out = new Pieces();
  writeGet(out, found);
  return out.join();
}

export function mgetReply(
  items: readonly (RenderedDocument | BulkItemError)[],
): Buffer | Promise<Buffer> {
  const out = new Pieces().add('{"docs":[');
  return joined(out, writeDocuments(out, items));
}

function* writeDocuments(
  out: Pieces,
  items: Parameters<typeof mgetReply>[0],
): CooperativeTask<void> {
  for (const [i, item] of items.entries()) {
    if (i > 0) out.add(',');
    if ('found' in item) writeGet(out, item);
    else {
      const error = { root_cause: [item.error], ...item.error };
      out.add(toJson({ _index: item.index, _id: item.id, error }));
    }
    if (out.counted()) yield;
  }
  out.add(']}');
}

function writeGet(out: Pieces, found: RenderedDocument): void {
  out.add(`{"_index":${quote(found.index)},"_id":${quote(found.id)}`);
  if (found.found) {
    out.add(`,"_version":${found.version ?? 1},"_seq_no":${found.seqNo ?? 0}`);
    out.add(`,"_primary_term":${found.primaryTerm ?? 1}`);
    if (found.routing !== undefined) out.add(`,"_routing":${quote(found.routing)}`);
  }
  out.add(`,"found":${found.found}`);
  if (found.source !== undefined) out.add(',"_source":').bytes(found.source);
  if (found.fields !== undefined) out.add(`,"fields":${found.fields}`);
  out.add('}');
}
