// The recalls of an HTTP worker, on this thread. What needs another thread rejects with NotHere, so
// that the main thread recalls.
import type { MemoryService } from '../../api/kit/routes.js';
import type { Backend } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { AttemptPredictor } from '../../coordinator/shards/attempt-predictor.js';
import { LinkWalks } from '../../graph/link-walks.js';
import { MemoryFields } from '../../memory/context/memory-fields.js';
import type { MetadataNames } from '../../memory/context/said.js';
import { checkNamespace, memoryIndex } from '../../memory/names.js';
import { NamespaceStats } from '../../memory/namespace-stats.js';
import { type RecallDeps, recall } from '../../memory/recall.js';
import { isFused, type RecallRequest, readRecallBody } from '../../memory/recall-body.js';
import type { LiveConfig } from '../../ops/live-config.js';
import { NeedsPool, NotHere } from '../../ops/not-here.js';
import type { SharedState } from './shared-state.js';

export interface WorkerRecallsOptions {
  readonly backend: Backend;
  readonly names: MetadataNames;
  readonly live: LiveConfig;
  readonly shared: SharedState;
}

/** Namespaces whose first recall went to the main thread, which reads their recorded times. */
const REMEMBERED = 10_000;

const MODES: readonly RecallRequest['mode']['kind'][] = [
  'recent',
  'query',
  'vector',
  'semantic',
  'hybrid',
];

const HASH = 0x9e3779b1;
/** The highest bits of a product depend on all bits of its factors. */
const KIND_SHIFT = 20;

function notHere(what: string): () => never {
  return () => {
    throw new NotHere(what);
  };
}

export function workerRecalls({
  backend,
  names,
  live,
  shared,
}: WorkerRecallsOptions): Pick<MemoryService, 'recall'> {
  const numberOf = (index: string): number | undefined =>
    backend.exists(index, {}) ? backend.resolve(index, {})[0]?.number : undefined;
  /** Numbers of indexes. */
  const read = new BoundedMap<number, true>(REMEMBERED);
  const checkClock = (number: number | undefined, isValid: boolean): void => {
    if (shared.isAhead) throw new NotHere('recorded times in the future');
    if (number === undefined || read.get(number) === true) return;
    if (isValid) read.set(number, true);
    throw new NotHere('the recorded times of the namespace');
  };
  const now = (): number => shared.notBefore(Date.now());
  const deps: RecallDeps = {
    backend,
    graph: Object.assign(new LinkWalks(backend), { now }),
    namespaceStats: new NamespaceStats(backend),
    // The end of what an import brought is noted at its first recall.
    expiry: { seen: notHere('a note of an expiry') },
    fields: new MemoryFields(backend),
    names,
    rerank: { rank: notHere('rerankers'), check: notHere('rerankers') },
    nowMs: Date.now,
  };
  const predictor = new AttemptPredictor();
  return {
    async recall(namespace, body, restricted) {
      if (live.get('memory.count_recalls')) throw new NotHere('counts of recalls');
      checkNamespace(namespace);
      const request = readRecallBody(body);
      if (request.explain || request.explainIds.length > 0) throw new NotHere('an explanation');
      const number = numberOf(memoryIndex(namespace));
      // A filter may be refused before the clock is read.
      checkClock(number, request.filter === undefined);
      const kind = kindOf(number ?? 0, request);
      if (!predictor.isWorthwhile(kind)) throw new NotHere('a recall that takes long');
      try {
        const answer = await recall(
          { ...deps, backend: restricted ?? backend },
          namespace,
          request,
        );
        predictor.ended(kind, false);
        return answer;
      } catch (error) {
        if (error instanceof NeedsPool) predictor.ended(kind, true);
        throw error;
      }
    },
  };
}

/** Recalls of a kind make the same searches of about the same work. */
function kindOf(index: number, request: RecallRequest): number {
  const { mode, graph, filter, recencyWeight, collapse, k } = request;
  const shape = [
    isFused(request),
    graph?.mode === 'blend',
    graph?.mode === 'restrict',
    filter !== undefined,
    recencyWeight > 0,
    collapse !== undefined,
  ].reduce((bits, is) => 2 * bits + (is ? 1 : 0), MODES.indexOf(mode.kind));
  const hash = Math.imul(Math.imul(index, HASH) + shape * 32 + Math.clz32(k), HASH);
  return hash >>> KIND_SHIFT;
}
