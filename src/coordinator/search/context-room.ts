// The limits of what outlives its request: scrolls, points in time and asynchronous searches are
// counted together, and so are the requests of scrolls and the kept answers of searches in bytes.
import { QuarryError } from '../../errors.js';
import type { ContextKind } from './context-ids.js';

export interface ContextRoomOptions {
  /** The value of search.max_open_contexts. */
  readonly maxOpen: () => number;
  /** The value of search.held_bytes. */
  readonly maxBytes: () => number;
}

export class ContextRoom {
  readonly #options: ContextRoomOptions;
  #open = 0;
  #bytes = 0;

  constructor(options: ContextRoomOptions) {
    this.#options = options;
  }

  /** Counts a new context; the error names the limit that has no room for it. */
  enter(kind: ContextKind, bytes = 0): void {
    if (bytes > 0) this.#checkBytes(bytes);
    const most = this.#options.maxOpen();
    if (this.#open >= most) throw tooMany(kind, most);
    this.#open += 1;
    this.#bytes += bytes;
  }

  /** Counts further bytes of a context; circuit_breaking_exception if there is no room for them. */
  grow(bytes: number): void {
    this.#checkBytes(bytes);
    this.#bytes += bytes;
  }

  /** `bytes`: all that the context was counted with. */
  leave(bytes: number): void {
    this.#open -= 1;
    this.#bytes -= bytes;
  }

  #checkBytes(bytes: number): void {
    const room = this.#options.maxBytes();
    if (this.#bytes + bytes <= room) return;
    throw new QuarryError(
      'circuit_breaking_exception',
      `the requests of open scrolls and the kept answers of asynchronous searches would take more than [${room}] bytes of memory (search.held_bytes), close some of them`,
    );
  }
}

function tooMany(kind: ContextKind, most: number): QuarryError {
  if (kind === 'async') {
    return new QuarryError(
      'es_rejected_execution_exception',
      `Trying to create too many asynchronous searches: together with scrolls and points in time they must be less than or equal to: [${most}]. Delete those whose answers were read with [DELETE /_async_search/{id}]. This limit can be set by changing the [search.max_open_contexts] setting.`,
    );
  }
  const what = kind === 'scroll' ? 'scroll' : 'point in time';
  return new QuarryError(
    kind === 'scroll' ? 'too_many_scroll_contexts_exception' : 'es_rejected_execution_exception',
    `Trying to create too many ${what} contexts. Must be less than or equal to: [${most}]. This limit can be set by changing the [search.max_open_contexts] setting.`,
  );
}
