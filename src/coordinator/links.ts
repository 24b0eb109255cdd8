// Links of an index: a walk, or a count of all of them, each one task.
import type {
  JsonObject,
  LinkCountRequest,
  LinkCounts,
  LinkWalkRequest,
  LinkWalkResult,
} from '../backend.js';
import { QuarryError } from '../errors.js';
import {
  type LinksFailure,
  readLinkCounts,
  readLinkWalk,
  writeLinkCount,
  writeLinkWalk,
} from '../wire/links.js';
import { refuseBlocked } from './blocks.js';
import type { Catalog } from './catalog.js';
import type { Gate } from './gate.js';
import type { TaskRunner } from './pools.js';

export interface LinkReaderOptions {
  readonly catalog: Catalog;
  readonly tasks: TaskRunner;
  readonly gate: Gate;
  readonly toError: (errorType: number, reason: string, cause: string) => QuarryError;
}

export class LinkReader {
  readonly #options: LinkReaderOptions;

  constructor(options: LinkReaderOptions) {
    this.#options = options;
  }

  async walk(walk: LinkWalkRequest): Promise<LinkWalkResult> {
    const { gate, tasks } = this.#options;
    return gate.pass(async () => {
      const index = this.#numberOf(walk.index);
      const reply = await tasks.run('walkLinks', { index, request: writeLinkWalk(walk) });
      return this.#orThrow(readLinkWalk(reply, walk.hops));
    });
  }

  async count(count: LinkCountRequest): Promise<LinkCounts> {
    const { gate, tasks, catalog } = this.#options;
    return gate.pass(async () => {
      const index = this.#numberOf(count.index);
      const nodes =
        count.nodes === undefined
          ? []
          : catalog.resolve(count.nodes, { forbidClosed: true }).map((target) => {
              refuseFiltered(catalog.aliasFilters(target), count.nodes);
              return target.index.number;
            });
      const reply = await tasks.run('countLinks', {
        index,
        nodes: Uint32Array.from(nodes),
        request: writeLinkCount(count),
      });
      return this.#orThrow(readLinkCounts(reply));
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
