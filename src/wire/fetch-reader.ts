// Reads fetch replies (documents of a page, or of a get); native/core/query/hits.h owns the format.
import { ByteReader } from './byte-reader.js';

const MAGIC = 0x43525351;
const VERSION = 1;
const HEADER_BYTES = 32;
const MIN_DOCUMENT_BYTES = 56;

/** A document as a hit or a get shows it. Members that the reply leaves empty are absent. */
export interface FetchedDocument {
  readonly found: boolean;
  readonly id: string;
  readonly version: bigint;
  readonly seqNo: bigint;
  readonly primaryTerm: number;
  readonly routing?: string;
  /** A view into the reply. */
  readonly source?: Uint8Array<ArrayBuffer>;
  /** JSON texts. */
  readonly fields?: string;
  readonly ignored?: string;
  readonly matchedQueries?: string;
  readonly explanation?: string;
  readonly highlight?: string;
}

export type FetchReply =
  | { readonly ok: true; readonly documents: readonly FetchedDocument[] }
  | {
      readonly ok: false;
      readonly errorType: number;
      readonly reason: string;
      readonly cause: string;
    };

export function readFetchReply(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): FetchReply {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const reader = new ByteReader(view, 'fetch reply').expect(MAGIC, VERSION);
  const status = reader.u16();
  const documents = reader.u32();
  reader.skip(HEADER_BYTES - reader.at);
  if (status !== 0) {
    return { ok: false, errorType: status, reason: reader.str(), cause: reader.str() };
  }
  if (documents * MIN_DOCUMENT_BYTES > reader.remaining) {
    throw new Error('malformed fetch reply from the native core: more documents than bytes');
  }
  return { ok: true, documents: Array.from({ length: documents }, () => readDocument(reader)) };
}

function readDocument(reader: ByteReader): FetchedDocument {
  const found = reader.u8() !== 0;
  const hasSource = reader.u8() !== 0;
  const primaryTerm = reader.skip(2).u32();
  const version = reader.u64();
  const seqNo = reader.u64();
  const id = reader.str();
  const routing = reader.str();
  const source = reader.strBytes();
  const texts = {
    fields: reader.str(),
    ignored: reader.str(),
    matchedQueries: reader.str(),
    explanation: reader.str(),
    highlight: reader.str(),
  };
  return {
    found,
    id,
    version,
    seqNo,
    primaryTerm,
    ...(routing === '' ? {} : { routing }),
    ...(hasSource ? { source } : {}),
    ...filled(texts),
  };
}

/** The members that are not empty. */
function filled<K extends string>(texts: Readonly<Record<K, string>>): Partial<Record<K, string>> {
  return Object.fromEntries(
    Object.entries<string>(texts).filter(([, text]) => text !== ''),
  ) as Partial<Record<K, string>>;
}
