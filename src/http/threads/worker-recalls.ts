// The recalls of an HTTP worker: those that one search answers, on this thread. Whatever needs more
// rejects with NotHere, so that the main thread recalls.
import type { MemoryService } from '../../api/kit/routes.js';
import type { Backend } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { MemoryFields } from '../../memory/context/memory-fields.js';
import type { MetadataNames } from '../../memory/context/said.js';
import { isNear } from '../../memory/modes.js';
import { checkNamespace, memoryIndex } from '../../memory/names.js';
import { NamespaceStats } from '../../memory/namespace-stats.js';
import { type RecallDeps, recall } from '../../memory/recall.js';
import { isPooled, readRecallBody } from '../../memory/recall-body.js';
import type { LiveConfig } from '../../ops/live-config.js';
import { NotHere } from '../../ops/not-here.js';
import type { SharedState } from './shared-state.js';

export interface WorkerRecallsOptions {
  readonly backend: Backend;
  readonly names: MetadataNames;
  readonly live: LiveConfig;
  readonly shared: SharedState;
}

/** Namespaces whose first recall went to the main thread, which reads their recorded times. */
const REMEMBERED = 10_000;

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
  /** Numbers of indexes. */
  const read = new BoundedMap<number, true>(REMEMBERED);
  const checkClock = (index: string, isValid: boolean): void => {
    const number = backend.exists(index, {}) ? backend.resolve(index, {})[0]?.number : undefined;
    if (shared.isAhead) throw new NotHere('recorded times in the future');
    if (number === undefined || read.get(number) === true) return;
    if (isValid) read.set(number, true);
    throw new NotHere('the recorded times of the namespace');
  };
  const deps: RecallDeps = {
    backend,
    graph: {
      now: () => shared.notBefore(Date.now()),
      hasEdges: notHere('links'),
      reachable: notHere('links'),
      strengths: notHere('links'),
      linksAround: notHere('links'),
    },
    namespaceStats: new NamespaceStats(backend),
    // The end of what an import brought is noted at its first recall.
    expiry: { seen: notHere('a note of an expiry') },
    fields: new MemoryFields(backend),
    names,
    rerank: { rank: notHere('rerankers'), check: notHere('rerankers') },
    nowMs: Date.now,
  };
  return {
    async recall(namespace, body, restricted) {
      if (live.get('memory.count_recalls')) throw new NotHere('counts of recalls');
      checkNamespace(namespace);
      const request = readRecallBody(body);
      // An attempt that is in vain after several searches would have made all of them twice.
      const { explain, explainIds, graph, mode } = request;
      const isOne = !explain && explainIds.length === 0 && graph === undefined && !isNear(mode);
      if (!isOne || isPooled(request)) throw new NotHere('several searches');
      // A filter may be refused before the clock is read.
      checkClock(memoryIndex(namespace), request.filter === undefined);
      return recall({ ...deps, backend: restricted ?? backend }, namespace, request);
    },
  };
}
