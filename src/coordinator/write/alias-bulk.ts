// Bulk requests that name aliases with filters, written in parts. The visibility of the documents
// through the aliases is read first. It decides which operations fail or are answered without a
// write; the others are written conditionally on the version that was read. A part ends before an
// operation whose document an earlier one of the same part may have changed.
import type {
  BulkItemError,
  BulkRequest,
  BulkResult,
  Refresh,
  WriteOperation,
  WriteResult,
} from '../../backend/index.js';
import {
  type CooperativeTask,
  ITEMS_PER_YIELD,
  runCooperatively,
} from '../../base/cooperative-task.js';
import { QuarryError } from '../../errors.js';
import type { Catalog } from '../catalog/catalog.js';
import { jsonText } from '../catalog/json-text.js';
import {
  type AliasOperation,
  type Conditions,
  type Decision,
  decide,
  needsPresence,
  type PresenceOptions,
  presencesOf,
} from './alias-presence.js';
import { aloneOf, filteredPlace } from './alias-writes.js';
import { readAction } from './by-query/scripted-bulk.js';

export interface AliasBulkOptions extends PresenceOptions {
  readonly catalog: Catalog;
  /** Writes the body without regard to the filters of aliases. */
  readonly bulk: (request: BulkRequest) => Promise<BulkResult>;
  /** Refreshes the indexes of these names as the request specifies. */
  readonly refresh: (names: readonly string[], refresh: Refresh) => Promise<void>;
}

type Item = WriteResult | BulkItemError;

/** An operation of the body: its lines and their content. */
interface Line {
  /** Position among all items. */
  readonly at: number;
  readonly op: WriteOperation['op'];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly index: string;
  readonly id: string | undefined;
  readonly lines: Uint8Array;
  /** The source line after the action line. */
  readonly source: Uint8Array;
  /**
   * The alias operation for which the visibility of the document is checked; undefined: no check is
   * needed.
   */
  readonly judged: AliasOperation | undefined;
  /** Key of the document, independent of the name in the operation; undefined: a new document. */
  readonly document: string | undefined;
}

interface WrittenLine {
  readonly line: Line;
  readonly conditions: Conditions | undefined;
}

const NEWLINE = 0x0a;
/** Attempts at documents that concurrent writers change. */
const TRIES = 16;

export class AliasBulk {
  readonly #request: BulkRequest;
  readonly #options: AliasBulkOptions;
  readonly #items: Item[] = [];

  constructor(request: BulkRequest, options: AliasBulkOptions) {
    this.#request = request;
    this.#options = options;
  }

  async run(): Promise<BulkResult> {
    const started = performance.now();
    const { refresh } = this.#request;
    const lines = await runCooperatively(this.#lines());
    for (const part of partsOf(lines)) await this.#runPart(part);
    const items = this.#items;
    const names = new Set(items.flatMap((item) => ('error' in item ? [] : [item.index])));
    if (names.size > 0) await this.#options.refresh([...names], refresh);
    return {
      tookMs: Math.round(performance.now() - started),
      errors: items.some((item) => 'error' in item),
      items: refresh === 'true' ? items.map(refreshed) : items,
    };
  }

  *#lines(): CooperativeTask<readonly Line[]> {
    const { body } = this.#request;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const lines: Line[] = [];
    for (let at = 0, number = 1; at < bytes.length; number++) {
      if (number % ITEMS_PER_YIELD === 0) yield;
      const start = at;
      at = endOf(bytes, at);
      const text = bytes.toString('utf8', start, at).trim();
      if (text === '') continue;
      const action = readAction(text);
      if (action === undefined) throw badLine(number);
      const sourceAt = at;
      if (action.op !== 'delete') {
        at = endOf(bytes, at);
        number += 1;
      }
      const { op, meta } = action;
      const source = bytes.subarray(sourceAt, at);
      const whole = bytes.subarray(start, at);
      lines.push(this.#line(lines.length, op as Line['op'], meta, whole, source));
    }
    return lines;
  }

  #line(
    at: number,
    op: Line['op'],
    meta: Line['meta'],
    lines: Uint8Array,
    source: Uint8Array,
  ): Line {
    const { defaultIndex = '', defaultRouting } = this.#request;
    const index = String(meta['_index'] ?? defaultIndex);
    const id = meta['_id'] === undefined ? undefined : String(meta['_id']);
    const routing = meta['routing'] ?? defaultRouting;
    const operation: WriteOperation = {
      op,
      index,
      source,
      ...(id === undefined ? {} : { id }),
      ...(routing === undefined ? {} : { routing: String(routing) }),
      ...(meta['version'] === undefined ? {} : { version: longOf(meta['version']) }),
      ...(meta['if_seq_no'] === undefined ? {} : { ifSeqNo: longOf(meta['if_seq_no']) }),
      ...(meta['if_primary_term'] === undefined
        ? {}
        : { ifPrimaryTerm: longOf(meta['if_primary_term']) }),
    };
    const judged = this.#judged(operation);
    const target = judged?.place.entry.name ?? this.#targetOf(index);
    const document = id === undefined ? undefined : `${target}/${id}`;
    return { at, op, meta, index, id, lines, source, judged, document };
  }

  /** Undefined as well for a name or index that causes an error, which the write then reports. */
  #judged(operation: WriteOperation): AliasOperation | undefined {
    const { catalog } = this.#options;
    const { access } = this.#request;
    const { index, routing } = operation;
    if (access?.allows(index) === false) return undefined;
    try {
      const place = filteredPlace(catalog, index, routing);
      if (place === undefined) return undefined;
      const one = { operation, place, alone: aloneOf(catalog, place, access) };
      return needsPresence(one) ? one : undefined;
    } catch (error) {
      if (error instanceof QuarryError) return undefined;
      throw error;
    }
  }

  /** The index to which a name resolves, or the name itself. */
  #targetOf(name: string): string {
    try {
      return this.#options.catalog.writeTarget(name)?.entry.name ?? name;
    } catch (error) {
      if (error instanceof QuarryError) return name;
      throw error;
    }
  }

  async #runPart(part: readonly Line[]): Promise<void> {
    let left = part;
    for (let tries = TRIES; left.length > 0; tries--) {
      const written = await this.#decide(left);
      const again = await this.#write(written, tries > 0);
      left = again;
    }
  }

  /** The operations to write; the items of the others are set. */
  async #decide(lines: readonly Line[]): Promise<readonly WrittenLine[]> {
    const judged = lines.flatMap((line) => (line.judged === undefined ? [] : [line.judged]));
    const presences = (
      judged.length === 0 ? [] : await presencesOf(judged, this.#options)
    ).values();
    return lines.flatMap((line): readonly WrittenLine[] => {
      if (line.judged === undefined) return [{ line, conditions: undefined }];
      const presence = presences.next().value;
      if (presence === undefined) throw new Error('the engine answered too few documents');
      const decision: Decision =
        presence instanceof QuarryError
          ? { kind: 'refuse', error: presence }
          : decide(line.judged, presence);
      if (decision.kind === 'write') return [{ line, conditions: decision.conditions }];
      this.#items[line.at] =
        decision.kind === 'answer' ? decision.result : refused(line, decision.error);
      return [];
    });
  }

  /** Returns the operations that failed because of a concurrent write and may be retried. */
  async #write(written: readonly WrittenLine[], mayRetry: boolean): Promise<readonly Line[]> {
    if (written.length === 0) return [];
    const body = Buffer.concat(written.flatMap(linesOf));
    const result = await this.#options.bulk({
      ...this.#request,
      refresh: 'false',
      body: new Uint8Array(body),
    });
    const again: Line[] = [];
    for (const [i, item] of result.items.entries()) {
      const { line, conditions } = written[i] ?? {};
      if (line === undefined) throw new Error('the engine answered too many items');
      const conflicts = 'error' in item && item.error.type === 'version_conflict_engine_exception';
      const isOurs = conditions !== undefined && line.op !== 'create';
      if (conflicts && isOurs && mayRetry) again.push(line);
      else this.#items[line.at] = { ...item, op: line.op };
    }
    return again;
  }
}

/**
 * Splits the lines so that no part checks a document that an earlier line of the part may have
 * changed.
 */
function* partsOf(lines: readonly Line[]): Generator<readonly Line[]> {
  let part: Line[] = [];
  let seen = new Set<string>();
  for (const line of lines) {
    const { document, judged } = line;
    if (judged !== undefined && document !== undefined && seen.has(document)) {
      yield part;
      part = [];
      seen = new Set();
    }
    part.push(line);
    if (document !== undefined) seen.add(document);
  }
  if (part.length > 0) yield part;
}

function linesOf({ line, conditions }: WrittenLine): readonly Uint8Array[] {
  if (conditions === undefined) return [withNewline(line.lines)];
  const { retry_on_conflict: _retries, ...meta } = line.meta;
  const { op = line.op, ifSeqNo, ifPrimaryTerm, source = line.source } = conditions;
  const seen = ifSeqNo === undefined ? {} : { if_seq_no: ifSeqNo, if_primary_term: ifPrimaryTerm };
  const action = Buffer.from(`${jsonText({ [op]: { ...meta, ...seen } })}\n`);
  return [action, withNewline(source)];
}

function withNewline(lines: Uint8Array): Uint8Array {
  if (lines.length === 0 || lines.at(-1) === NEWLINE) return lines;
  return Buffer.concat([lines, Buffer.from('\n')]);
}

/** The offset after the newline of the line at `at`. */
function endOf(bytes: Buffer, at: number): number {
  const found = bytes.indexOf(NEWLINE, at);
  return found < 0 ? bytes.length : found + 1;
}

function longOf(value: unknown): bigint {
  return BigInt(value as number | bigint);
}

function refused({ op, index, id, judged }: Line, error: QuarryError): BulkItemError {
  const name = judged?.place.entry.name ?? index;
  const cause = error.toCause() as BulkItemError['error'];
  return { op, index: name, id: id ?? null, status: error.status, error: cause };
}

function refreshed(item: Item): Item {
  return 'error' in item || item.result === 'noop' ? item : { ...item, forcedRefresh: true };
}

function badLine(number: number): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `action [${number}] of this bulk has metadata that is not supported for an alias with a filter, use [_index], [_id], [routing], [version], [version_type], [if_seq_no], [if_primary_term], [retry_on_conflict], [require_alias] and [_source]`,
  );
}
