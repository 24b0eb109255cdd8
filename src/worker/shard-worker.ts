// The entry point of every worker thread: one exported function for each task of tasks.ts. The
// engine is the addon's, one for the whole process. Large replies are transferred to the main
// thread, not copied.
import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { loadAddon } from '../native/addon.js';
import {
  type GetReplies,
  type Outcome,
  TASK_BYTES,
  type TaskArgs,
  type TaskFailure,
  type TaskName,
  type TaskResult,
  type WorkerSettings,
} from './tasks.js';

/** The highest nice value, which is the lowest priority. */
const LOWEST = 19;

const addon = loadAddon();
/** Null on a main thread, where tests may load this file. */
const settings = workerData as WorkerSettings | null;
const nice = settings?.nice ?? 0;
// On Linux, process 0 is the calling thread, so only this thread's priority is lowered.
if (nice > 0) setPriority(0, Math.min(LOWEST, getPriority(0) + nice));

/** The form in which Piscina transfers the buffers of an outcome. */
type MovedOutcome = ReturnType<typeof move>;
type Reply<N extends TaskName> = Outcome<TaskResult<N>>;

function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (thrown) {
    if (thrown instanceof Error && 'errorType' in thrown) return { failure: toFailure(thrown) };
    throw thrown;
  }
}

function toFailure(thrown: Error): TaskFailure {
  const { errorType, causedBy } = thrown as unknown as Partial<TaskFailure>;
  return { errorType: Number(errorType), message: thrown.message, causedBy: causedBy ?? '' };
}

function moved<T>(outcome: Outcome<T>, buffersOf: (value: T) => ArrayBufferLike[]): MovedOutcome {
  const buffers = 'value' in outcome ? buffersOf(outcome.value) : [];
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome });
}

/** Returns the replies of `read`, up to the first one at which they reach TASK_BYTES. */
function readSome<T>(tasks: readonly T[], read: (task: T) => ArrayBuffer): readonly ArrayBuffer[] {
  const replies: ArrayBuffer[] = [];
  let bytes = 0;
  for (const task of tasks) {
    const reply = read(task);
    replies.push(reply);
    bytes += reply.byteLength;
    if (bytes >= TASK_BYTES) break;
  }
  return replies;
}

function joined(replies: readonly ArrayBuffer[]): GetReplies {
  const ends = new Uint32Array(replies.length);
  let end = 0;
  for (const [i, reply] of replies.entries()) {
    end += reply.byteLength;
    ends[i] = end;
  }
  const [only] = replies;
  if (only !== undefined && replies.length === 1) return { bytes: only, ends };
  const bytes = new Uint8Array(end);
  for (const [i, reply] of replies.entries()) {
    bytes.set(new Uint8Array(reply), (ends[i] ?? 0) - reply.byteLength);
  }
  return { bytes: bytes.buffer, ends };
}

/** For calls without a result. */
function done(work: () => void): Outcome<null> {
  return attempt(() => {
    work();
    return null;
  });
}

export function open({ dataDir, options }: TaskArgs<'open'>): Reply<'open'> {
  return done(() => addon.open(dataDir, options));
}
export function close({ checkpointMs }: TaskArgs<'close'>): Reply<'close'> {
  return done(() => addon.close(checkpointMs));
}
export function createIndex({ spec }: TaskArgs<'createIndex'>): Reply<'createIndex'> {
  return attempt(() => addon.createIndex(spec));
}
export function checkIndex({ spec }: TaskArgs<'checkIndex'>): Reply<'checkIndex'> {
  return done(() => addon.checkIndex(spec));
}
export function changeIndexes({ changes }: TaskArgs<'changeIndexes'>): Reply<'changeIndexes'> {
  return attempt(() => addon.changeIndexes(changes));
}
export function finishChanges(_none: TaskArgs<'finishChanges'>): Reply<'finishChanges'> {
  return done(() => addon.finishChanges());
}
export function putMapping({ index, mappings }: TaskArgs<'putMapping'>): Reply<'putMapping'> {
  return attempt(() => addon.putMapping(index, mappings));
}
export function putSpec({ index, members }: TaskArgs<'putSpec'>): Reply<'putSpec'> {
  return attempt(() => addon.putSpec(index, members));
}
export function checkChange(args: TaskArgs<'checkChange'>): Reply<'checkChange'> {
  return attempt(() => addon.checkChange(args.index, args.members, args.mappings));
}
export function indexStats({ index }: TaskArgs<'indexStats'>): Reply<'indexStats'> {
  return attempt(() => addon.indexStats(index));
}
export function analyze({ index, request }: TaskArgs<'analyze'>): Reply<'analyze'> {
  return attempt(() => addon.analyze(index, request));
}

export function bulk({ request, body, vectors }: TaskArgs<'bulk'>): MovedOutcome {
  const outcome = attempt(() => ({ reply: addon.bulk(request, body, vectors), body }));
  return moved(outcome, (value) => [value.reply, value.body.buffer]);
}
export function write({ operations, vectors }: TaskArgs<'write'>): MovedOutcome {
  return moved(
    attempt(() => addon.write(operations, vectors)),
    (reply) => [reply],
  );
}
export function pendingTexts({ request, body }: TaskArgs<'pendingTexts'>): MovedOutcome {
  const outcome = attempt((): TaskResult<'pendingTexts'> => {
    const texts = addon.pendingTexts(request, body);
    return body === undefined ? { texts } : { texts, body };
  });
  return moved(outcome, ({ texts, body: back }) =>
    back === undefined ? [texts] : [texts, back.buffer],
  );
}
export function get(gets: TaskArgs<'get'>): MovedOutcome {
  const outcome = attempt(() =>
    joined(
      readSome(gets, (one) => addon.get(one.index, one.id, one.routing, one.realtime, one.plan)),
    ),
  );
  return moved(outcome, ({ bytes }) => [bytes]);
}
export function search({ shards, plan, limits }: TaskArgs<'search'>): MovedOutcome {
  return moved(
    attempt(() => addon.search(shards, plan, limits?.token, limits?.deadlineUs)),
    (reply) => [reply],
  );
}
export function print({ printer, json, last }: TaskArgs<'print'>): MovedOutcome {
  return moved(
    attempt(() => addon.print(printer, json, last)),
    (piece) => [piece],
  );
}
export function fetch({ fetches, plan, limits }: TaskArgs<'fetch'>): MovedOutcome {
  const { token, deadlineUs } = limits ?? {};
  const outcome = attempt(() =>
    readSome(fetches, ({ index, shard, generation, docs }) =>
      addon.fetch(index, shard, generation, docs, plan, token, deadlineUs),
    ),
  );
  return moved(outcome, (replies) => [...replies]);
}
export function suggest({ index, request, limits }: TaskArgs<'suggest'>): MovedOutcome {
  return moved(
    attempt(() => addon.suggest(index, request, limits?.token, limits?.deadlineUs)),
    (reply) => [reply],
  );
}
export function walkLinks({ index, request, limits }: TaskArgs<'walkLinks'>): MovedOutcome {
  return moved(
    attempt(() => addon.walkLinks(index, request, limits?.token, limits?.deadlineUs)),
    (reply) => [reply],
  );
}
export function countLinks({
  index,
  nodes,
  request,
  limits,
}: TaskArgs<'countLinks'>): MovedOutcome {
  return moved(
    attempt(() => addon.countLinks(index, nodes, request, limits?.token, limits?.deadlineUs)),
    (reply) => [reply],
  );
}

export function hold({ index, shard }: TaskArgs<'hold'>): Reply<'hold'> {
  return attempt(() => addon.acquireSnapshot(index, shard));
}
export function pinIndex({ index }: TaskArgs<'pinIndex'>): Reply<'pinIndex'> {
  return attempt(() => addon.pinIndex(index));
}
export function readPinned({ pin, file, offset, length }: TaskArgs<'readPinned'>): MovedOutcome {
  return moved(
    attempt(() => addon.readPinned(pin, file, offset, length)),
    (bytes) => [bytes],
  );
}
export function unpin({ pin }: TaskArgs<'unpin'>): Reply<'unpin'> {
  return done(() => addon.unpin(pin));
}
export function prepareRestore({ request }: TaskArgs<'prepareRestore'>): Reply<'prepareRestore'> {
  return attempt(() => addon.prepareRestore(request));
}
export function checkRestore({
  restore,
  request,
}: TaskArgs<'checkRestore'>): Reply<'checkRestore'> {
  return done(() => addon.checkRestore(restore, request));
}
export function finishRestore({
  restore,
  spec,
}: TaskArgs<'finishRestore'>): Reply<'finishRestore'> {
  return attempt(() => addon.finishRestore(restore, spec));
}
export function abortRestore({ restore }: TaskArgs<'abortRestore'>): Reply<'abortRestore'> {
  return done(() => addon.abortRestore(restore));
}

export function refresh({ index, shard }: TaskArgs<'refresh'>): Reply<'refresh'> {
  return attempt(() => addon.refresh(index, shard));
}
export function flush({ index, shard }: TaskArgs<'flush'>): Reply<'flush'> {
  return done(() => addon.flush(index, shard));
}
export function merge({ index, shard, maxSegments }: TaskArgs<'merge'>): Reply<'merge'> {
  return attempt(() => addon.merge(index, shard, maxSegments));
}
export function recover({ index, shard }: TaskArgs<'recover'>): Reply<'recover'> {
  return done(() => addon.recover(index, shard));
}
