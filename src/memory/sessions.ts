// The last memory of each session, which the next one follows. It is cached for sessions that are
// being written and searched for the others.
import type { Backend } from '../backend/index.js';

/** Sessions that are cached, of all namespaces. */
const REMEMBERED = 10_000;

export class Sessions {
  /** Number of the index -> session -> id. */
  readonly #last = new Map<number, Map<string, string>>();
  readonly #remembers: boolean;
  #size = 0;

  /** `remembers`: false where other processes store, too. */
  constructor(remembers = true) {
    this.#remembers = remembers;
  }

  /**
   * The last memory of the session; undefined: there is none. `number` is the number of the index,
   * which is never reused.
   */
  async last(
    backend: Backend,
    index: string,
    number: number,
    session: string,
    except: string | undefined,
  ): Promise<string | undefined> {
    const known = this.#last.get(number)?.get(session);
    if (known !== undefined && known !== except) return known;
    await backend.publish(index);
    const { hits } = await backend.search({
      index,
      body: {
        query: {
          bool: {
            filter: [{ term: { session } }],
            must_not: except === undefined ? [] : [{ ids: { values: [except] } }],
          },
        },
        size: 1,
        sort: [{ stored_at: 'desc' }, { _doc: 'desc' }],
        track_total_hits: false,
        _source: false,
      },
    });
    return hits[0]?.id;
  }

  stored(number: number, session: string, id: string): void {
    if (!this.#remembers) return;
    if (this.#size >= REMEMBERED) {
      this.#last.clear();
      this.#size = 0;
    }
    const ofIndex = this.#last.get(number) ?? new Map<string, string>();
    this.#last.set(number, ofIndex);
    if (!ofIndex.has(session)) this.#size++;
    ofIndex.set(session, id);
  }

  /**
   * Must be called after a memory was deleted or moved to another session: the next call of last()
   * searches.
   */
  forget(number: number): void {
    this.#size -= this.#last.get(number)?.size ?? 0;
    this.#last.delete(number);
  }
}
