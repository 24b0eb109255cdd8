// What the names of searches stand for, while the catalog is what it is: most searches name the same few.
import type { SearchRequest } from '../../backend/index.js';
import type { Catalog } from '../catalog/catalog.js';
import { type PlanSetting, planSetting } from '../shards/search-plans.js';
import type { TargetGroup } from '../shards/search-targets.js';

/** Expressions that are remembered. */
const REMEMBERED = 256;

/** The indexes of a search, and what a plan for them is made with. */
export interface SearchTargets {
  readonly targets: readonly TargetGroup[];
  readonly setting: PlanSetting;
}

export class KnownTargets {
  readonly #catalog: Pick<Catalog, 'version'>;
  readonly #known = new Map<string, SearchTargets>();
  #version = -1;

  constructor(catalog: Pick<Catalog, 'version'>) {
    this.#catalog = catalog;
  }

  /** Of requests that name indexes and nothing else; `find` looks others up, and those that were not named yet. */
  of(request: SearchRequest, find: () => readonly TargetGroup[]): SearchTargets {
    if (!namesOnly(request)) return made(find());
    const { version } = this.#catalog;
    if (this.#version !== version || this.#known.size >= REMEMBERED) {
      this.#known.clear();
      this.#version = version;
    }
    const known = this.#known.get(request.index);
    if (known !== undefined) return known;
    const found = made(find());
    this.#known.set(request.index, found);
    return found;
  }
}

function made(targets: readonly TargetGroup[]): SearchTargets {
  return { targets, setting: planSetting(targets) };
}

/** Names that hold a date are other names tomorrow. */
function namesOnly(request: SearchRequest): boolean {
  return (
    request.only === undefined &&
    request.routing === undefined &&
    request.shards === undefined &&
    request.ignoreUnavailable === undefined &&
    request.allowNoIndices === undefined &&
    request.expandWildcards === undefined &&
    request.access === undefined &&
    !request.index.includes('<')
  );
}
