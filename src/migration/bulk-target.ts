// Writes documents to the service by bulk. Bodies that a busy service rejects, and single documents
// of them, are sent again with growing pauses; all others are settled when write() resolves.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../backend/index.js';
import { onOneLine } from '../base/one-line.js';
import { type Peer, repeated } from '../remote/peer.js';
import { isObject, memberOf } from './sequence-reader.js';

export interface BulkDocument {
  readonly id: string;
  readonly routing?: string | undefined;
  /** The version that the document has at its source; undefined: the service counts. */
  readonly version?: bigint | undefined;
  /** A JSON object without line breaks; undefined: the document is deleted. */
  readonly source: Uint8Array | undefined;
}

/** What became of a document; documents that are stored are not listed. */
export interface BulkProblem {
  readonly document: BulkDocument;
  readonly status: number;
  readonly reason: string;
}

export interface BulkTargetOptions {
  readonly peer: Peer;
  readonly signal: AbortSignal;
}

const TRIES = 14;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const NEWLINE = Buffer.from('\n');
/** Bytes of one request, which the default limit of bulk bodies exceeds many times. */
const BODY_BYTES = 8 * 1024 * 1024;

export class BulkTarget {
  readonly #options: BulkTargetOptions;

  constructor(options: BulkTargetOptions) {
    this.#options = options;
  }

  /** Rejects with PeerError if the service cannot be written to. */
  async write(index: string, documents: readonly BulkDocument[]): Promise<readonly BulkProblem[]> {
    const problems: BulkProblem[] = [];
    for (let from = 0; from < documents.length; ) {
      const some = fitting(documents, from);
      problems.push(...(await this.#writeSome(index, some)));
      from += some.length;
    }
    return problems;
  }

  async #writeSome(
    index: string,
    documents: readonly BulkDocument[],
  ): Promise<readonly BulkProblem[]> {
    const { signal } = this.#options;
    const problems: BulkProblem[] = [];
    let left = documents;
    for (let tries = 1; ; tries++) {
      const items = await this.#send(index, left);
      const again: BulkDocument[] = [];
      for (const [i, document] of left.entries()) {
        const problem = problemOf(items[i], document);
        if (problem?.status === 429 && tries < TRIES) again.push(document);
        else if (problem !== undefined) problems.push(problem);
      }
      if (again.length === 0) return problems;
      left = again;
      const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
      await pause(ms, undefined, { signal });
    }
  }

  async #send(index: string, documents: readonly BulkDocument[]): Promise<readonly Json[]> {
    const { peer, signal } = this.#options;
    const lines = bodyOf(documents);
    const path = `/${encodeURIComponent(index)}/_bulk`;
    const answer = await repeated(() => peer.json({ method: 'POST', path, lines, signal }), {
      tries: TRIES,
      signal,
    });
    const { items } = answer;
    if (!Array.isArray(items) || items.length !== documents.length) {
      throw peer.unusable('a bulk without an item for each document');
    }
    return items as readonly Json[];
  }
}

function fitting(documents: readonly BulkDocument[], from: number): readonly BulkDocument[] {
  let bytes = 0;
  let to = from;
  while (to < documents.length && (to === from || bytes < BODY_BYTES)) {
    bytes += documents[to]?.source?.length ?? 0;
    to += 1;
  }
  return documents.slice(from, to);
}

function bodyOf(documents: readonly BulkDocument[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const { id, routing, version, source } of documents) {
    const meta = [`"_id":${JSON.stringify(id)}`];
    if (routing !== undefined) meta.push(`"routing":${JSON.stringify(routing)}`);
    if (version !== undefined) meta.push(`"version":${version},"version_type":"external_gte"`);
    const action = source === undefined ? 'delete' : 'index';
    pieces.push(Buffer.from(`{"${action}":{${meta.join(',')}}}\n`));
    if (source !== undefined) pieces.push(onOneLine(source), NEWLINE);
  }
  return Buffer.concat(pieces);
}

function problemOf(item: Json | undefined, document: BulkDocument): BulkProblem | undefined {
  const [result] = isObject(item) ? Object.values(item) : [];
  const { status, error } = memberOf(result) as { status?: Json; error?: Json };
  const number = typeof status === 'number' ? status : 500;
  if (number < 300) return undefined;
  // A document that is to be deleted and is not there.
  if (number === 404 && document.source === undefined) return undefined;
  const { reason, caused_by: cause } = memberOf(error) as JsonObject;
  const why = [reason, memberOf(cause)['reason']].filter((one) => typeof one === 'string');
  return { document, status: number, reason: why.join(': ').slice(0, 500) || `status ${number}` };
}
