// Stores a memory together with the ends of the memories that it supersedes and with links, in one
// bulk and thus one request to the log. If one of the writes fails, all are undone.
import type {
  Backend,
  BulkItemError,
  BulkResult,
  JsonObject,
  WriteResult,
} from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';
import { illegal } from '../graph/names.js';
import { fitMetadata } from './metadata-fit.js';

export interface MemoryWrite {
  readonly namespace: string;
  readonly index: string;
  readonly id: string;
  /** The id was made for this memory: no other one is replaced. */
  readonly isNew?: boolean;
  /** Without metadata. */
  readonly document: object;
  readonly metadata: JsonObject | undefined;
  readonly vectorDims: number | undefined;
  /** The version that is replaced; the write fails with 409 if another one is there. */
  readonly guard?: JsonObject | null;
  /**
   * The previous document of that id, needed where others are retired; undefined: there was none.
   */
  readonly before?: string | undefined;
  readonly retired: readonly {
    readonly id: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** Bulk lines, each with its newline. */
  readonly links: string;
}

export interface MemoryWritten {
  readonly created: boolean;
  /** Members of the metadata that no filter finds. */
  readonly unindexed: readonly string[];
}

export async function writeMemory(backend: Backend, write: MemoryWrite): Promise<MemoryWritten> {
  const { metadata } = write;
  const first = await attempt(backend, write, metadata, undefined);
  if (!('error' in first)) return { created: first.result === 'created', unindexed: [] };
  const isOwn = first.id === write.id && first.status === 400;
  if (metadata === undefined || !isOwn) throw refusal(backend, write, first);
  const { mappings } = only(backend, write.index);
  const fitted = fitMetadata(metadata, mappings);
  const second = await attempt(backend, write, fitted.metadata, fitted.unindexed);
  if (!('error' in second)) return written(second, fitted.unindexed);
  // Too many names, too much nesting, or names that no index accepts: store all metadata unindexed.
  const last = await attempt(backend, write, undefined, metadata);
  if ('error' in last) throw refusal(backend, write, first);
  return written(last, metadata);
}

function written({ result }: WriteResult, unindexed: JsonObject | undefined): MemoryWritten {
  return { created: result === 'created', unindexed: Object.keys(unindexed ?? {}) };
}

function only(backend: Backend, index: string): { readonly mappings: JsonObject } {
  const [description] = backend.resolve(index, {});
  return description ?? { mappings: {} };
}

async function attempt(
  backend: Backend,
  write: MemoryWrite,
  metadata: JsonObject | undefined,
  unindexed: JsonObject | undefined,
): Promise<WriteResult | BulkItemError> {
  const { index, id, retired, links, guard, isNew = false } = write;
  const document = plainJson({
    ...write.document,
    ...(metadata === undefined ? {} : { metadata }),
    ...(unindexed === undefined ? {} : { unindexed }),
  });
  const lines = [
    isNew ? createLine(index, id, document) : indexLine(index, id, document, guard),
    ...retired.map((one) => indexLine(index, one.id, one.after)),
    links,
  ];
  const body = Buffer.from(lines.join(''));
  const repeatable = isNew && retired.length === 0;
  const { items: answered } = await backend.bulk({ refresh: 'false', repeatable, body });
  const items = isNew ? answered.map((one, at) => (at === 0 ? asCreated(one) : one)) : answered;
  const [item] = items;
  if (item === undefined) throw new Error('a bulk request answered no item');
  const failed = items.slice(0, 1 + retired.length).find((one) => 'error' in one);
  if (failed === undefined) return item;
  await takeBack(backend, write, items);
  return failed;
}

/** A conflict of an id that was made for the memory: an attempt without an answer has written it. */
export function asCreated(item: WriteResult | BulkItemError): WriteResult | BulkItemError {
  if (!('error' in item) || item.status !== 409) return item;
  return {
    op: 'create',
    index: item.index,
    id: item.id ?? '',
    result: 'created',
    status: 201,
    version: 1n,
    seqNo: 0n,
    primaryTerm: 1,
    shardsTotal: 1,
    forcedRefresh: false,
  };
}

/** Restores the previous state of the items of the bulk that succeeded. */
async function takeBack(
  backend: Backend,
  { index, id, before, retired }: MemoryWrite,
  items: BulkResult['items'],
): Promise<void> {
  const made = items.slice(1 + retired.length).filter(({ status }) => status === 201);
  const isStored = items[0] !== undefined && !('error' in items[0]);
  const own = before === undefined ? deleteLine(index, id) : indexLine(index, id, before);
  const lines = [
    ...(isStored ? [own] : []),
    ...retired
      .filter((_, i) => !('error' in (items[1 + i] ?? {})))
      .map((one) => indexLine(index, one.id, one.before)),
    ...made.map((one) => deleteLine(one.index, one.id ?? '')),
  ];
  if (lines.length === 0) return;
  await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
}

function deleteLine(index: string, id: string): string {
  return `${plainJson({ delete: { _index: index, _id: id } })}\n`;
}

export function createLine(index: string, id: string, document: string): string {
  return `${plainJson({ create: { _index: index, _id: id } })}\n${document}\n`;
}

function indexLine(index: string, id: string, document: string, guard?: JsonObject | null): string {
  return `${plainJson({ index: { _index: index, _id: id, ...guard } })}\n${document}\n`;
}

function refusal(backend: Backend, write: MemoryWrite, item: BulkItemError): QuarryError {
  const { vectorDims, namespace, index } = write;
  const dims = vectorDims === undefined ? undefined : dimsOf(backend, index);
  if (dims !== undefined && vectorDims !== undefined && dims !== vectorDims) {
    return wrongDims(namespace, vectorDims, dims);
  }
  return refusalOf(item);
}

/** The error of an item of a bulk. */
export function refusalOf({ status, error: { type, reason } }: BulkItemError): QuarryError {
  const known = type in ERROR_STATUS ? (type as ErrorType) : 'illegal_argument_exception';
  return new QuarryError(known, reason, { status });
}

/** Dims of the vectors that clients give; undefined: there is none yet. */
export function dimsOf(backend: Backend, index: string): number | undefined {
  const properties = only(backend, index).mappings['properties'] as JsonObject | undefined;
  const dims = (properties?.['vector'] as JsonObject | undefined)?.['dims'];
  return typeof dims === 'number' ? dims : undefined;
}

export function wrongDims(namespace: string, given: number, dims: number): QuarryError {
  return illegal(
    `[vector] has ${given} dimensions, namespace [${namespace}] has vectors of ${dims}; all vectors of a namespace come from one model`,
  );
}
