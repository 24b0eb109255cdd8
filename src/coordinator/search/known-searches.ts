// Searches that may come again: what was made of a body is kept as long as its object lives, and used while nothing has changed that it
// was made of.
import type { JsonObject, SearchRequest } from '../../backend/index.js';
import type { Catalog } from '../catalog/catalog.js';
import { type CompiledGroup, compileGroups } from '../shards/search-plans.js';
import { shardsOfAll, type TargetGroup } from '../shards/search-targets.js';
import { KnownTargets } from './known-targets.js';

export interface KnownSearch {
  readonly targets: readonly TargetGroup[];
  readonly groups: readonly CompiledGroup[];
}

export interface Compiling extends KnownSearch {
  /** It was compiled before. */
  readonly isKnown: boolean;
  /** Of the catalog: what was compiled holds as long as it does. Undefined: for this once. */
  readonly version: number | undefined;
}

/** Without its client, who is not to be kept. */
type Asked = Omit<SearchRequest, 'body' | 'waiter'>;

interface Entry extends KnownSearch {
  readonly version: number;
  readonly requested: Asked;
}

export class KnownSearches {
  readonly #catalog: Pick<Catalog, 'version'>;
  readonly #targets: KnownTargets;
  readonly #entries = new WeakMap<JsonObject, Entry>();

  constructor(catalog: Pick<Catalog, 'version'>) {
    this.#catalog = catalog;
    this.#targets = new KnownTargets(catalog);
  }

  /** `isKnown`: compiled before, for another time than `at`: see withTime(). `targetsOf`: what the request names. */
  compile(
    request: SearchRequest,
    targetsOf: () => readonly TargetGroup[],
    at: Parameters<typeof compileGroups>[2],
  ): Compiling {
    const { version } = this.#catalog;
    const mayBeKnown = request.mayRepeat === true && at.pinned === undefined;
    const known = mayBeKnown ? this.#find(request, version) : undefined;
    if (known !== undefined) {
      return { targets: known.targets, groups: known.groups, isKnown: true, version };
    }
    const { targets, setting } =
      at.pinned === undefined
        ? this.#targets.of(request, targetsOf)
        : { targets: targetsOf(), setting: undefined };
    const groups = compileGroups(request.body, targets, at, setting);
    // Names that hold a date are other names tomorrow.
    const isKept = mayBeKnown && groups.every(mayBeKept) && !request.index.includes('<');
    if (isKept) {
      const { body, waiter: _waiter, ...requested } = request;
      this.#entries.set(body, { targets, groups, version, requested });
    }
    return { targets, groups, isKnown: false, version: isKept ? version : undefined };
  }

  #find(request: SearchRequest, version: number): Entry | undefined {
    const entry = this.#entries.get(request.body);
    if (entry === undefined || entry.version !== version) return undefined;
    return asksTheSame(entry.requested, request) ? entry : undefined;
  }
}

/** Plans whose other parts do not know the time: those of searches in phases are made one after the other. One shard needs none. */
function mayBeKept(
  { query, entries }: CompiledGroup,
  _at: number,
  all: readonly unknown[],
): boolean {
  const isOne = all.length === 1 && shardsOfAll(entries).length === 1;
  return (
    (isOne || query.neighbours.length === 0) &&
    query.semantic.length === 0 &&
    query.ranked === undefined &&
    query.collapse === undefined &&
    query.rescores.length === 0
  );
}

/** Of what searchTargets() and compileGroups() read. */
function asksTheSame(one: Asked, other: Asked): boolean {
  return (
    one.index === other.index &&
    one.only === other.only &&
    one.routing === other.routing &&
    one.shards === other.shards &&
    one.ignoreUnavailable === other.ignoreUnavailable &&
    one.allowNoIndices === other.allowNoIndices &&
    one.expandWildcards === other.expandWildcards &&
    one.access === other.access &&
    one.hitTexts === other.hitTexts
  );
}
