// The second phase of a search: the documents of the page, from the very snapshots that were searched.

import { runCooperatively } from '../../base/cooperative-task.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import { type FetchedDocument, readFetchSteps } from '../../wire/fetch-reader.js';
import type { ShardHits } from '../../wire/hits-reader.js';
import type { FetchTask } from '../../worker/tasks.js';
import type { InlineExecution } from './inline-execution.js';
import type { TaskRunner } from './pools.js';

/** Documents of one task; a larger page is spread over threads. */
const DOCS_PER_TASK = 256;
/** Tasks of one page at a time: what they hold is counted when they have ended. */
const LANES = 8;

export interface FetchOptions {
  readonly pool: TaskRunner;
  /** By index number: indexes behind different aliases are searched with different plans. */
  readonly planOf: (index: number) => Uint8Array;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** Absent: all documents are read by the pool. */
  readonly inline?: InlineExecution | undefined;
}

/** A document by the place of its shard in a list of them, and by its number in the snapshot that was searched. */
export interface PlacedDocument {
  readonly shard: number;
  readonly doc: number;
}

/** A shard, and the snapshot of it that was searched. */
export type SearchedShard = Pick<ShardHits, 'index' | 'shard' | 'generation'>;

/** Documents of a page in its order; undefined: the time was up before it was read. */
export interface FetchedPage {
  readonly documents: readonly (FetchedDocument | undefined)[];
  /** Some were not read, or not highlighted. */
  readonly timedOut: boolean;
}

/** search_context_missing_exception when a snapshot is gone. */
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
        next = tasks.length; // nobody needs the others
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, tasks.length) }, lane));
  return { documents, timedOut };
}

/** Puts the documents of one task in their places, piece by piece where they are large. True: the time was up before. */
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

/** What is left of a part of which some documents were read. */
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

/** In stretches when they are many. */
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

/** Parts of one plan are put together until a task has enough documents. */
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
