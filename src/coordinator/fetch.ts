// The second phase of a search: the documents of the page, from the very snapshots that were searched.
import type { QuarryError } from '../errors.js';
import { after, type Soon } from '../ops/soon.js';
import { inTurns } from '../ops/turns.js';
import { type FetchedDocument, readFetchSteps } from '../wire/fetch-reader.js';
import type { ShardHits } from '../wire/hits-reader.js';
import type { FetchTask } from '../worker/tasks.js';
import type { TaskRunner } from './pools.js';
import type { QuickSearches } from './quick-searches.js';

/** Documents of one task; a larger page is spread over threads. */
const DOCS_PER_TASK = 256;

export interface FetchOptions {
  readonly pool: TaskRunner;
  /** By index number: indexes behind different aliases are searched with different plans. */
  readonly planOf: (index: number) => Uint8Array;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
  /** Given where the plans read so little of a few documents that it may be done on this thread. */
  readonly quick?: QuickSearches | undefined;
}

/** A document by the place of its shard in a list of them, and by its number in the snapshot that was searched. */
export interface PlacedDocument {
  readonly shard: number;
  readonly doc: number;
}

/** A shard, and the snapshot of it that was searched. */
export type SearchedShard = Pick<ShardHits, 'index' | 'shard' | 'generation'>;

/** The documents of `page`, in its order. search_context_missing_exception when a snapshot is gone. */
export async function fetchPage(
  page: readonly PlacedDocument[],
  shards: readonly SearchedShard[],
  options: FetchOptions,
): Promise<readonly FetchedDocument[]> {
  const wanted = new Map<number, number[]>();
  for (const [rank, { shard }] of page.entries()) {
    const ranks = wanted.get(shard);
    if (ranks === undefined) wanted.set(shard, [rank]);
    else ranks.push(rank);
  }
  const documents = new Array<FetchedDocument>(page.length);
  const parts = [...wanted].flatMap(([shard, ranks]) => toParts(shards[shard], ranks, page));
  await Promise.all(
    intoTasks(parts, options.planOf).map(async (task) => {
      const plan = options.planOf(task[0]?.fetch.index ?? 0);
      const fetches = task.map(({ fetch }) => fetch);
      const replies =
        quickly(fetches, plan, options) ?? (await options.pool.run('fetch', { fetches, plan }));
      for (const [i, part] of task.entries()) {
        const reply = replies[i];
        if (reply === undefined) throw new Error('a fetch has too few replies');
        const fetched = await readDocuments(reply, options.toError);
        for (const [j, rank] of part.ranks.entries()) {
          const document = fetched[j];
          if (document === undefined) throw new Error('a fetch reply has too few documents');
          documents[rank] = document;
        }
      }
    }),
  );
  return documents;
}

function quickly(
  tasks: readonly FetchTask[],
  plan: Uint8Array,
  { quick }: FetchOptions,
): readonly ArrayBuffer[] | undefined {
  if (quick === undefined) return undefined;
  const replies: ArrayBuffer[] = [];
  for (const task of tasks) {
    const reply = quick.fetch(task, plan);
    if (reply === undefined) return undefined;
    replies.push(reply);
  }
  return replies;
}

/** In stretches when they are many. */
export function readDocuments(
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
  toError: FetchOptions['toError'],
): Soon<readonly FetchedDocument[]> {
  return after(inTurns(readFetchSteps(bytes)), (reply) => {
    if (!reply.ok) throw toError(reply.errorType, reply.reason, reply.cause);
    return reply.documents;
  });
}

/** Some documents of one shard and their ranks on the page. */
interface Part {
  readonly ranks: readonly number[];
  readonly fetch: FetchTask;
}

function toParts(
  shard: SearchedShard | undefined,
  ranks: readonly number[],
  page: readonly PlacedDocument[],
): readonly Part[] {
  if (shard === undefined) throw new Error('a document belongs to no shard');
  const parts: Part[] = [];
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
  parts: readonly Part[],
  planOf: FetchOptions['planOf'],
): readonly (readonly Part[])[] {
  const tasks: Part[][] = [];
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
