// One bulk that stores a memory together with what goes with it: the ends of those that it replaces, and links. All in one
// request to the log; should the memory itself be refused, the ends are taken back.
import type { Backend, BulkItemError, BulkResult, JsonObject, WriteResult } from '../backend.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';
import { illegal } from '../graph/names.js';
import { toText } from './memory-entry.js';
import { fitMetadata } from './metadata-fit.js';

export interface MemoryWrite {
  readonly namespace: string;
  readonly index: string;
  readonly id: string;
  /** Without metadata. */
  readonly document: object;
  readonly metadata: JsonObject | undefined;
  readonly vectorDims: number | undefined;
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
  if (metadata === undefined || first.status !== 400) throw refusal(backend, write, first);
  const { mappings } = only(backend, write.index);
  const fitted = fitMetadata(metadata, mappings);
  const second = await attempt(backend, write, fitted.metadata, fitted.unindexed);
  if (!('error' in second)) return written(second, fitted.unindexed);
  // Too many names, too deep, or names that no index takes.
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
  const { index, id, retired, links } = write;
  const document = toText({
    ...write.document,
    ...(metadata === undefined ? {} : { metadata }),
    ...(unindexed === undefined ? {} : { unindexed }),
  });
  const lines = [
    indexLine(index, id, document),
    ...retired.map((one) => indexLine(index, one.id, one.after)),
    links,
  ];
  const { items } = await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  const [item] = items;
  if (item === undefined) throw new Error('a bulk request answered no item');
  if ('error' in item) await takeBack(backend, write, items.slice(1));
  return item;
}

/** `items`: of what went with the memory. */
async function takeBack(
  backend: Backend,
  { index, retired }: MemoryWrite,
  items: BulkResult['items'],
): Promise<void> {
  const made = items.slice(retired.length).filter((item) => item.status === 201);
  const lines = [
    ...retired.map((one) => indexLine(index, one.id, one.before)),
    ...made.map((one) => `${JSON.stringify({ delete: { _index: one.index, _id: one.id } })}\n`),
  ];
  if (lines.length === 0) return;
  await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
}

function indexLine(index: string, id: string, document: string): string {
  return `${JSON.stringify({ index: { _index: index, _id: id } })}\n${document}\n`;
}

function refusal(backend: Backend, write: MemoryWrite, item: BulkItemError): QuarryError {
  const { vectorDims, namespace, index } = write;
  const dims = vectorDims === undefined ? undefined : dimsOf(backend, index);
  if (dims !== undefined && vectorDims !== undefined && dims !== vectorDims) {
    return wrongDims(namespace, vectorDims, dims);
  }
  const { type, reason } = item.error;
  const known = type in ERROR_STATUS ? (type as ErrorType) : 'illegal_argument_exception';
  return new QuarryError(known, reason, { status: item.status });
}

/** Of the vectors that callers give; undefined: there was none yet. */
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
