// Links of an index: a walk, or a count of all of them, each one task.
import type { LinkCountRequest, LinkCounts, LinkWalkRequest, LinkWalkResult } from '../backend.js';
import type { QuarryError } from '../errors.js';
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
          : catalog.resolve(count.nodes, { forbidClosed: true }).map((one) => one.index.number);
      const reply = await tasks.run('countLinks', {
        index,
        nodes: Uint32Array.from(nodes),
        request: writeLinkCount(count),
      });
      return this.#orThrow(readLinkCounts(reply));
    });
  }

  #numberOf(index: string): number {
    const { entry } = this.#options.catalog.single(index);
    refuseBlocked(entry, 'read');
    return entry.number;
  }
  #orThrow<T extends object>(answer: T | LinksFailure): T {
    if (!('errorType' in answer)) return answer;
    throw this.#options.toError(answer.errorType, answer.reason, answer.cause);
  }
}
