// Sends documents in bulk requests: batches may contain documents of several files, a few requests
// run concurrently, and each file is reported when all its documents are acknowledged. add() waits
// while too many requests are in flight.
import type { Client } from './client.js';

/** A file whose documents are being sent. */
export interface Sending {
  /** Documents that were acknowledged. */
  records: number;
  /** The part of `records` whose fields were rejected and whose content is stored as one text. */
  plain: number;
  /** Documents that were rejected, and below the first reason. */
  refused: number;
  reason: string | undefined;
  /** Documents that are not acknowledged yet, plus one while the file is read. */
  pending: number;
  readonly onEnd: (sending: Sending) => void;
}

interface Item {
  readonly action: string;
  readonly source: string;
  readonly sending: Sending;
  /** The fields of the document were rejected, and this is the version that is stored as text. */
  readonly isPlain?: true;
}

interface ItemReply {
  readonly status: number;
  readonly error?: { readonly reason?: string };
}

const BATCH_BYTES = 2 << 20;
const BATCH_ITEMS = 2000;
const AT_ONCE = 2;
const ATTEMPTS = 12;

export class BulkWriter {
  readonly #client: Client;
  #items: Item[] = [];
  #bytes = 0;
  readonly #running = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * `source`: a document in one line. Resolves when there is room for more. Rejects when the
   * service cannot be written to.
   */
  async add(index: string, id: string, source: string, sending: Sending): Promise<void> {
    const item: Item = {
      action: JSON.stringify({ index: { _index: index, _id: id } }),
      source,
      sending,
    };
    sending.pending += 1;
    this.#items.push(item);
    this.#bytes += item.action.length + item.source.length;
    if (this.#bytes >= BATCH_BYTES || this.#items.length >= BATCH_ITEMS) await this.#flush();
  }

  /** Resolves when everything is acknowledged. */
  async drain(): Promise<void> {
    await this.#flush();
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #flush(): Promise<void> {
    while (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#bytes = 0;
    const run: Promise<void> = this.#send(items)
      .catch((error: unknown) => {
        this.#failure ??= error as Error;
      })
      .finally(() => {
        this.#running.delete(run);
      });
    this.#running.add(run);
  }

  async #send(items: readonly Item[]): Promise<void> {
    let left = items;
    for (let attempt = 1; left.length > 0; attempt++) {
      const body = `${left.map(({ action, source }) => `${action}\n${source}`).join('\n')}\n`;
      const reply = await this.#client.call('POST', '/_bulk', body);
      const results = reply['items'] as readonly { readonly index: ItemReply }[];
      const again: Item[] = [];
      const plain: Item[] = [];
      for (const [i, item] of left.entries()) {
        const result = results[i]?.index;
        if (result?.status === 429 && attempt < ATTEMPTS) again.push(item);
        else if (result?.status === 400 && item.isPlain !== true) plain.push(asText(item, result));
        else settle(item, result);
      }
      if (again.length > 0) await this.#client.wait(attempt, null);
      left = [...again, ...plain];
    }
  }
}

/**
 * Stores the content of a document that does not fit its fields as text, so that its words can be
 * found.
 */
function asText(item: Item, { error }: ItemReply): Item {
  const { file, ...rest } = JSON.parse(item.source) as { file: object };
  item.sending.reason ??= error?.reason?.slice(0, 200);
  const source = JSON.stringify({ file: { ...file, as_text: JSON.stringify(rest) } });
  return { ...item, source, isPlain: true };
}

function settle({ sending, isPlain }: Item, result: ItemReply | undefined): void {
  if (result !== undefined && result.status < 300) {
    sending.records += 1;
    if (isPlain === true) sending.plain += 1;
  } else {
    sending.refused += 1;
    sending.reason ??= result?.error?.reason ?? 'no answer';
  }
  endOne(sending);
}

/** Counts one document, or the reading of the file, as ended. */
export function endOne(sending: Sending): void {
  sending.pending -= 1;
  if (sending.pending === 0) sending.onEnd(sending);
}
