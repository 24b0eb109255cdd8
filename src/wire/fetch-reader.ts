// Reads fetch replies, which have the documents of a page or of a get;
// native/core/query/plan/hits.h owns the format.
import { ByteReader } from './byte-reader.js';

const MAGIC = 0x43525351;
const VERSION = 4;
const HEADER_BYTES = 32;
const MIN_DOCUMENT_BYTES = 68;

/** A document as a hit or a get shows it. Members that are empty in the reply are undefined. */
export interface FetchedDocument {
  readonly found: boolean;
  readonly id: string;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly primaryTerm: number;
  readonly routing: string | undefined;
  /** A view into the reply. */
  readonly source: Uint8Array<ArrayBuffer> | undefined;
  /** JSON text. */
  readonly fields: string | undefined;
  readonly ignored: string | undefined;
  /** The ignored values of the requested fields. */
  readonly ignoredValues: string | undefined;
  readonly matchedQueries: string | undefined;
  readonly explanation: string | undefined;
  readonly highlight: string | undefined;
  /** The place of a nested document in the document whose id it has. */
  readonly nested: string | undefined;
  /** The hits inside the document, in the order of the plan, each a search reply. */
  readonly innerHits: readonly Uint8Array<ArrayBuffer>[];
}

export type FetchReply =
  | {
      readonly ok: true;
      /**
       * The first of the requested documents. There are fewer than requested after a timeout, or if
       * the reply reaches its maximum size.
       */
      readonly documents: readonly FetchedDocument[];
      /** The time limit passed before all documents were read and highlighted. */
      readonly timedOut: boolean;
    }
  | {
      readonly ok: false;
      readonly errorType: number;
      readonly reason: string;
      readonly cause: string;
    };

/** Documents between two yields. */
const PACE = 64;
/** Bytes of documents after which the reader yields, whatever their number is. */
const STEP_BYTES = 256 * 1024;

/** A page of hits in the core's text: JSON objects separated by commas. */
export interface RenderedPage {
  /** A view into the reply. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** As in FetchReply. */
  readonly timedOut: boolean;
}

/**
 * Reads the reply of an inline fetch whose plan has PLAN_HITS_JSON. `failed` makes the error that
 * is thrown for a failed reply.
 */
export function readRenderedPage(
  bytes: Uint8Array<ArrayBuffer>,
  failed: (errorType: number, reason: string, cause: string) => Error,
): RenderedPage {
  const { reader, status, timedOut, texts } = readHeader(bytes);
  if (status !== 0) throw failed(status, reader.str(), reader.str());
  if (!texts) throw new Error('malformed fetch reply from the native core: documents, no texts');
  return { text: reader.strBytes(), timedOut };
}

export function readFetchReply(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): FetchReply {
  const work = readFetchSteps(bytes);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
  }
}

/** Like readFetchReply(), but yields at intervals, as a page may have ten thousand documents. */
export function* readFetchSteps(
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
): Generator<undefined, FetchReply, undefined> {
  const { reader, status, count, timedOut } = readHeader(bytes);
  if (status !== 0) {
    return { ok: false, errorType: status, reason: reader.str(), cause: reader.str() };
  }
  if (count * MIN_DOCUMENT_BYTES > reader.remaining) {
    throw new Error('malformed fetch reply from the native core: more documents than bytes');
  }
  const documents: FetchedDocument[] = [];
  let from = reader.at;
  while (documents.length < count) {
    documents.push(readDocument(reader));
    if (documents.length % PACE !== 0 && reader.at - from < STEP_BYTES) continue;
    from = reader.at;
    yield;
  }
  return { ok: true, documents, timedOut };
}

interface Header {
  /** Positioned after the header. */
  readonly reader: ByteReader;
  /** Number of an error type; 0: none. */
  readonly status: number;
  readonly count: number;
  readonly timedOut: boolean;
  readonly texts: boolean;
}

function readHeader(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Header {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const reader = new ByteReader(view, 'fetch reply').expect(MAGIC, VERSION);
  const status = reader.u16();
  const count = reader.u32();
  const timedOut = reader.u8() !== 0;
  const texts = reader.u8() !== 0;
  reader.skip(HEADER_BYTES - reader.at);
  return { reader, status, count, timedOut, texts };
}

function readDocument(reader: ByteReader): FetchedDocument {
  const found = reader.u8() !== 0;
  const hasSource = reader.u8() !== 0;
  const primaryTerm = reader.skip(2).u32();
  const version = reader.u64();
  const seqNo = reader.u64();
  const id = reader.str();
  const routing = optional(reader);
  const source = reader.strBytes();
  const fields = optional(reader);
  const ignored = optional(reader);
  const matchedQueries = optional(reader);
  const explanation = optional(reader);
  const highlight = optional(reader);
  const ignoredValues = optional(reader);
  const nested = optional(reader);
  const innerHits = readInnerHits(reader);
  return {
    found,
    id,
    version,
    seqNo,
    primaryTerm,
    routing,
    source: hasSource ? source : undefined,
    fields,
    ignored,
    ignoredValues,
    matchedQueries,
    explanation,
    highlight,
    nested,
    innerHits,
  };
}

const NO_INNER_HITS: FetchedDocument['innerHits'] = [];

function readInnerHits(reader: ByteReader): FetchedDocument['innerHits'] {
  const count = reader.count(4);
  if (count === 0) return NO_INNER_HITS;
  // Copies, because the columns of a search reply have to be aligned in their buffer.
  return Array.from({ length: count }, () => reader.strBytes().slice());
}

function optional(reader: ByteReader): string | undefined {
  const text = reader.str();
  return text === '' ? undefined : text;
}
