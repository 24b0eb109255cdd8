// Copies the documents of one shard of the source from the position of the journal on. Pages are
// read while earlier ones are written; the position moves when a page and all before it are stored.
import type { JsonObject, SearchHit } from '../backend/index.js';
import { runCooperatively } from '../base/cooperative-task.js';
import { HitsError, readHitsPage } from '../remote/hits-page.js';
import { type Peer, repeated } from '../remote/peer.js';
import { type PeerVersion, sourceWithVectors } from '../remote/peer-version.js';
import type { BulkDocument, BulkProblem, BulkTarget } from './bulk-target.js';
import type { ImportJournal } from './journal.js';
import { OrderedWrites } from './ordered-writes.js';
import type { SequenceReader, ShardPlace } from './sequence-reader.js';

export interface StoreOptions {
  readonly source: Peer;
  readonly version: PeerVersion;
  readonly target: BulkTarget;
  readonly journal: ImportJournal;
  readonly signal: AbortSignal;
}

export interface ShardCopyOptions extends StoreOptions {
  readonly reader: SequenceReader;
  readonly onStored: (documents: number, bytes: number) => void;
}

/** Pages that are written at once. */
const WRITES_AT_ONCE = 3;
/** Refused documents that the journal keeps by name. */
const MOST_REFUSED = 10_000;
const TRIES = 10;
/** Documents that are read by id in one request. */
const IDS_AT_ONCE = 100;

/** Copies up to the sequence number `until` into `target`. Resolves to the number of documents. */
export async function copyShard(
  place: ShardPlace,
  target: string,
  until: number,
  options: ShardCopyOptions,
): Promise<number> {
  const { reader, journal, signal } = options;
  const writes = new OrderedWrites(WRITES_AT_ONCE);
  let at = journal.position(place.index, place.shard);
  let copied = 0;
  while (at < until) {
    signal.throwIfAborted();
    const { hits, bytes, upTo } = await reader.page(place, at, until);
    at = upTo;
    copied += hits.length;
    await writes.add(
      () => storeDocuments(place.index, target, hits.map(toDocument), options),
      () => {
        journal.write([{ at: [place.index, place.shard, upTo] }]);
        options.onStored(hits.length, bytes);
      },
    );
  }
  await writes.end();
  return copied;
}

/** Tries the documents again that the service refused in an earlier run. */
export async function retryRefused(
  index: string,
  target: string,
  options: StoreOptions,
): Promise<void> {
  const { journal } = options;
  const ids = journal.refusedOf(index).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE);
    const hits = await presentHits(index, some, options);
    const there = new Set(hits.map(({ id }) => id));
    const gone = some.filter((id) => !there.has(id));
    journal.write(gone.map((id) => ({ stored: [index, id] as const })));
    await storeDocuments(index, target, hits.map(toDocument), options);
  }
}

/** Writes documents, and records those that the service refuses. */
export async function storeDocuments(
  index: string,
  target: string,
  documents: readonly BulkDocument[],
  options: StoreOptions,
): Promise<void> {
  if (documents.length === 0) return;
  const problems = await options.target.write(target, documents);
  const newer = problems.filter(({ status }) => status === 409);
  const refused = problems.filter(({ status }) => status !== 409);
  const failed = newer.length === 0 ? [] : await storeAgain(index, target, newer, options);
  record(index, documents, [...refused, ...failed], options.journal);
}

/**
 * The service has a higher version of these documents: either a newer state was stored by a page
 * that overtook this one, or the document was deleted and created again at the source, which then
 * counts from one. The present state of the source is right in both cases.
 */
async function storeAgain(
  index: string,
  target: string,
  problems: readonly BulkProblem[],
  options: StoreOptions,
): Promise<readonly BulkProblem[]> {
  const ids = problems.map(({ document }) => document.id);
  const present: SearchHit[] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    present.push(...(await presentHits(index, ids.slice(from, from + IDS_AT_ONCE), options)));
  }
  const documents = present.map((hit) => ({ ...toDocument(hit), version: undefined }));
  return documents.length === 0 ? [] : options.target.write(target, documents);
}

/** Documents of the source by id, whatever their routing. */
export async function presentHits(
  index: string,
  ids: readonly string[],
  { source, version, signal }: Pick<StoreOptions, 'source' | 'version' | 'signal'>,
): Promise<readonly SearchHit[]> {
  const wanted = sourceWithVectors(version, undefined);
  const body: JsonObject = {
    size: ids.length,
    query: { ids: { values: ids } },
    version: true,
    seq_no_primary_term: true,
    ...(wanted === undefined ? {} : { _source: wanted }),
  };
  const path = `/${encodeURIComponent(index)}/_search`;
  const bytes = await repeated(
    () => source.bytes({ method: 'POST', path, body, maxAnswerBytes: 100 * 1024 * 1024, signal }),
    { tries: TRIES, signal },
  );
  try {
    const { hits } = await runCooperatively(readHitsPage(bytes, ids.length));
    return hits;
  } catch (error) {
    if (error instanceof HitsError) throw source.unusable(error.message);
    throw error;
  }
}

function toDocument({ id, routing, version, source }: SearchHit): BulkDocument {
  return { id, routing, version, source: source ?? Buffer.from('{}') };
}

function record(
  index: string,
  documents: readonly BulkDocument[],
  problems: readonly BulkProblem[],
  journal: ImportJournal,
): void {
  const failed = new Set(problems.map(({ document }) => document.id));
  const before = journal.refused.size === 0 ? [] : journal.refusedOf(index);
  const stored = before.filter(
    ({ id }) => !failed.has(id) && documents.some((document) => document.id === id),
  );
  const room = Math.max(0, MOST_REFUSED - journal.refused.size);
  journal.write([
    ...stored.map(({ id }) => ({ stored: [index, id] as const })),
    ...problems
      .slice(0, room)
      .map(({ document, reason }) => ({ refused: { index, id: document.id, reason } })),
  ]);
}
