// Links of an index: a walk over them, or a count of all of them. Each is one worker task.
import type {
  JsonObject,
  LinkCountRequest,
  LinkCounts,
  LinkWalkRequest,
  LinkWalkResult,
  Waiter,
} from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import {
  type LinksFailure,
  readLinkCounts,
  readLinkWalk,
  writeLinkCount,
  writeLinkWalk,
} from '../../wire/links.js';
import { refuseBlocked } from '../catalog/blocks.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Gate } from '../shards/gate.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';

export interface LinkReaderOptions {
  readonly catalog: Catalog;
  readonly scopes: PoolScopes;
  readonly gate: Gate;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
}

export class LinkReader {
  readonly #options: LinkReaderOptions;

  constructor(options: LinkReaderOptions) {
    this.#options = options;
  }

  async walk(walk: LinkWalkRequest): Promise<LinkWalkResult> {
    return this.#inPool(walk.waiter, async (pool) => {
      const index = this.#numberOf(walk.index);
      const reply = await pool.run('walkLinks', { index, request: writeLinkWalk(walk) });
      return this.#orThrow(readLinkWalk(reply, walk.hops));
    });
  }

  async count(count: LinkCountRequest): Promise<LinkCounts> {
    const { catalog } = this.#options;
    return this.#inPool(count.waiter, async (pool) => {
      const index = this.#numberOf(count.index);
      const nodes =
        count.nodes === undefined
          ? []
          : catalog.resolve(count.nodes, { forbidClosed: true }).map((target) => {
              refuseFiltered(catalog.aliasFilters(target), count.nodes);
              return target.index.number;
            });
      const reply = await pool.run('countLinks', {
        index,
        nodes: Uint32Array.from(nodes),
        request: writeLinkCount(count),
      });
      return this.#orThrow(readLinkCounts(reply));
    });
  }

  async #inPool<T>(waiter: Waiter | undefined, work: (pool: ScopedPool) => Promise<T>): Promise<T> {
    const { gate, scopes } = this.#options;
    return gate.pass(async () => {
      const pool = scopes.open({ body: {}, waiter });
      try {
        return await work(pool);
      } finally {
        pool.end();
      }
    });
  }

  #numberOf(index: string): number {
    const { entry, filter } = this.#options.catalog.single(index);
    refuseBlocked(entry, 'read');
    refuseFiltered(filter === undefined ? [] : [filter], index);
    return entry.number;
  }
  #orThrow<T extends object>(answer: T | LinksFailure): T {
    if (!('errorType' in answer)) return answer;
    throw this.#options.toError(answer.errorType, answer.reason, answer.cause);
  }
}

/** The core walks and counts the links of whole indexes. */
function refuseFiltered(filters: readonly JsonObject[], name = ''): void {
  if (filters.length === 0) return;
  throw new QuarryError(
    'illegal_argument_exception',
    `links and nodes are counted over whole indexes, which the filter of the alias [${name}] cannot narrow; name the index itself`,
  );
}
