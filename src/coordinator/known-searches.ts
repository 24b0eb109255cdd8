// Searches that come again: what was made of a body is kept as long as its object lives, and used while nothing has changed that it was
// made of. Whoever reads bodies anew each time makes new objects, and finds nothing here.
import type { JsonObject, SearchRequest } from '../backend.js';
import type { CompiledGroup } from './search-plans.js';
import type { TargetGroup } from './search-targets.js';

export interface KnownSearch {
  readonly targets: readonly TargetGroup[];
  /** Compiled at another time than now: see withTime(). */
  readonly groups: readonly CompiledGroup[];
}

interface Entry extends KnownSearch {
  readonly version: number;
  readonly request: SearchRequest;
}

export class KnownSearches {
  readonly #entries = new WeakMap<JsonObject, Entry>();

  /** `version`: of the catalog. */
  find(request: SearchRequest, version: number): KnownSearch | undefined {
    const entry = this.#entries.get(request.body);
    if (entry === undefined || entry.version !== version) return undefined;
    return asksTheSame(entry.request, request) ? entry : undefined;
  }

  keep(request: SearchRequest, version: number, search: KnownSearch): void {
    if (!search.groups.every(mayBeKept) || request.index.includes('<')) return;
    this.#entries.set(request.body, { ...search, version, request: withoutClient(request) });
  }
}

/** Plans whose other parts do not know the time: those of searches in phases are made one after the other. */
function mayBeKept({ query }: CompiledGroup): boolean {
  return (
    query.neighbours.length === 0 &&
    query.semantic.length === 0 &&
    query.ranked === undefined &&
    query.collapse === undefined &&
    query.rescores.length === 0
  );
}

/** Of what searchTargets() reads. */
function asksTheSame(one: SearchRequest, other: SearchRequest): boolean {
  return (
    one.index === other.index &&
    one.routing === other.routing &&
    one.shards === other.shards &&
    one.ignoreUnavailable === other.ignoreUnavailable &&
    one.allowNoIndices === other.allowNoIndices &&
    one.expandWildcards === other.expandWildcards &&
    one.access === other.access
  );
}

function withoutClient({
  index,
  body,
  routing,
  shards,
  ignoreUnavailable,
  allowNoIndices,
  expandWildcards,
  access,
}: SearchRequest): SearchRequest {
  return {
    index,
    body,
    routing,
    shards,
    ignoreUnavailable,
    allowNoIndices,
    expandWildcards,
    access,
  };
}
