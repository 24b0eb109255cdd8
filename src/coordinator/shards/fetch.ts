// The fetch phase of a search: reads the documents of the page from the snapshots that were
// searched.

import { runCooperatively } from '../../base/cooperative-task.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import { type FetchedDocument, readFetchSteps } from '../../wire/fetch-reader.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { FetchTask } from '../../worker/tasks.js';
import type { InlineExecution } from './inline-execution.js';
import type { TaskRunner } from './pools.js';

/** Maximum number of documents of one task; a larger page is distributed over threads. */
const DOCS_PER_TASK = 256;
/** Maximum number of concurrent tasks of a page: their memory is only counted when they end. */
const LANES = 8;

export interface FetchOptions {
  readonly pool: TaskRunner;
  /** The plan by index number: indexes behind different aliases have different plans. */
  readonly planOf: (index: number) => Uint8Array;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** Absent: all documents are read by the pool. */
  readonly inline?: InlineExecution | undefined;
}

/** A document: the position of its shard in a list, and its number in the searched snapshot. */
export interface PlacedDocument {
  readonly shard: number;
  readonly doc: number;
}

/** A shard, and the snapshot of it that was searched. */
export type SearchedShard = Pick<ShardHits, 'index' | 'shard' | 'generation'>;

export interface FetchedPage {
  /** In the order of the page; undefined for a document not read within the time limit. */
  readonly documents: readonly (FetchedDocument | undefined)[];
  /** Whether the time limit expired before all documents were read and highlighted. */
  readonly timedOut: boolean;
}

/** Rejects with search_context_missing_exception if a snapshot is gone. */
export async function fetchPage(
  page: readonly PlacedDocument[],
  shards: readonly SearchedShard[],
  options: FetchOptions,
): Promise<FetchedPage> {
  const wanted = new Map<number, number[]>();
  for (const [rank, { shard }] of page.entries()) {
    const ranks = wanted.get(shard);
    if (ranks === undefined) wanted.set(shard, [rank]);
    else ranks.push(rank);
  }
  const documents = new Array<FetchedDocument | undefined>(page.length).fill(undefined);
  const parts = [...wanted].flatMap(([shard, ranks]) => toParts(shards[shard], ranks, page));
  const tasks = intoTasks(parts, options.planOf);
  let next = 0;
  let timedOut = false;
  const lane = async (): Promise<void> => {
    while (next < tasks.length) {
      const task = tasks[next++] ?? [];
      try {
        const cut = await fetchParts(task, documents, options);
        timedOut ||= cut;
      } catch (error) {
        next = tasks.length; // the result of the other tasks is not needed
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, tasks.length) }, lane));
  return { documents, timedOut };
}

/**
 * Stores the documents of one task at their ranks, in several fetches if they are large. Returns
 * whether the time limit expired before.
 */
async function fetchParts(
  task: readonly ShardDocuments[],
  documents: (FetchedDocument | undefined)[],
  options: FetchOptions,
): Promise<boolean> {
  const plan = options.planOf(task[0]?.fetch.index ?? 0);
  let timedOut = false;
  let left = task;
  while (left.length > 0) {
    const fetches = left.map(({ fetch }) => fetch);
    const replies =
      fetchInline(fetches, plan, options) ?? (await options.pool.run('fetch', { fetches, plan }));
    const rest: ShardDocuments[] = [];
    for (const [i, part] of left.entries()) {
      const bytes = replies[i];
      if (bytes === undefined) {
        rest.push(part);
        continue;
      }
      const reply = await readDocuments(bytes, options.toError);
      for (const [j, document] of reply.documents.entries())
        documents[part.ranks[j] ?? -1] = document;
      timedOut ||= reply.timedOut;
      if (!reply.timedOut) rest.push(...behind(part, reply.documents.length));
    }
    if (replies.length === 0 || rest[0] === left[0]) throw new Error('a fetch has no documents');
    left = rest;
  }
  return timedOut;
}

/** The rest of a part of which `read` documents were read. */
function behind({ ranks, fetch }: ShardDocuments, read: number): readonly ShardDocuments[] {
  if (read >= ranks.length) return [];
  if (read === 0) throw new Error('a fetch reply has no documents');
  return [{ ranks: ranks.slice(read), fetch: { ...fetch, docs: fetch.docs.slice(read) } }];
}

function fetchInline(
  tasks: readonly FetchTask[],
  plan: Uint8Array,
  { inline }: FetchOptions,
): readonly ArrayBuffer[] | undefined {
  if (inline === undefined) return undefined;
  const replies: ArrayBuffer[] = [];
  for (const task of tasks) {
    const reply = inline.fetch(task, plan);
    if (reply === undefined) return undefined;
    replies.push(reply);
  }
  return replies;
}

/** Decodes a reply, in several time slices if it has many documents. */
export function readDocuments(
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
  toError: FetchOptions['toError'],
): MaybePromise<FetchedPage> {
  return thenMaybe(runCooperatively(readFetchSteps(bytes)), (reply) => {
    if (!reply.ok) throw toError(reply.errorType, reply.reason, reply.cause);
    return reply;
  });
}

/** Some documents of one shard and their ranks on the page. */
interface ShardDocuments {
  readonly ranks: readonly number[];
  readonly fetch: FetchTask;
}

function toParts(
  shard: SearchedShard | undefined,
  ranks: readonly number[],
  page: readonly PlacedDocument[],
): readonly ShardDocuments[] {
  if (shard === undefined) throw new Error('a document belongs to no shard');
  const parts: ShardDocuments[] = [];
  for (let at = 0; at < ranks.length; at += DOCS_PER_TASK) {
    const some = ranks.slice(at, at + DOCS_PER_TASK);
    const docs = Uint32Array.from(some, (rank) => page[rank]?.doc ?? 0);
    parts.push({
      ranks: some,
      fetch: { index: shard.index, shard: shard.shard, generation: shard.generation, docs },
    });
  }
  return parts;
}

/** Combines consecutive parts with the same plan into tasks of at most DOCS_PER_TASK documents. */
function intoTasks(
  parts: readonly ShardDocuments[],
  planOf: FetchOptions['planOf'],
): readonly (readonly ShardDocuments[])[] {
  const tasks: ShardDocuments[][] = [];
  let room = 0;
  let plan: Uint8Array | undefined;
  for (const part of parts) {
    const last = tasks.at(-1);
    const same = plan === planOf(part.fetch.index);
    plan = planOf(part.fetch.index);
    if (last === undefined || !same || part.ranks.length > room) {
      tasks.push([part]);
      room = DOCS_PER_TASK - part.ranks.length;
    } else {
      last.push(part);
      room -= part.ranks.length;
    }
  }
  return tasks;
}
