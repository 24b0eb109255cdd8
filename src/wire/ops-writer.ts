// Writes what goes down the write path: single operations and the header of a bulk request.
// native/core/engine/item_results.h owns both formats.
import { ByteWriter } from './byte-writer.js';

const BULK_MAGIC = 0x4b4c4251;
const OPS_MAGIC = 0x53504f51;
const NO_INDEX = 0xffffffff;

const OP_TYPES = { index: 0, create: 1, update: 2, delete: 3 } as const;
const VERSION_TYPES = { internal: 0, external: 1, external_gte: 2 } as const;

const IF_SEQ_NO = 1;
const IF_PRIMARY_TERM = 2;
const HAS_VERSION = 4;
const DETECT_NOOP_OFF = 8;
const DOC_AS_UPSERT = 16;
const AUTO_ID = 32;

const REQUIRE_ALIAS = 1;
const HAS_ROUTING = 2;
const TYPES = 4;

const nothing = new Uint8Array();

/** One operation on a resolved index. */
export interface EncodableOperation {
  readonly op: keyof typeof OP_TYPES;
  /** Index number. */
  readonly index: number;
  readonly id: string;
  /** The id was made by the server: it cannot exist yet. */
  readonly autoId?: boolean;
  readonly routing?: string;
  /** The document, or the whole update body. */
  readonly source?: Uint8Array;
  readonly ifSeqNo?: bigint;
  readonly ifPrimaryTerm?: bigint;
  readonly version?: bigint;
  readonly versionType?: keyof typeof VERSION_TYPES;
  readonly detectNoop?: boolean;
  readonly docAsUpsert?: boolean;
  readonly retryOnConflict?: number;
  /** update: JSON of the wanted `_source`. */
  readonly sourceFilter?: string;
}

export function writeOperations(
  operations: readonly EncodableOperation[],
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256);
  writer.u32(OPS_MAGIC).list(operations, (operation) => writeOperation(writer, operation));
  return writer.take();
}

function writeOperation(writer: ByteWriter, operation: EncodableOperation): void {
  writer
    .u8(OP_TYPES[operation.op])
    .u8(VERSION_TYPES[operation.versionType ?? 'internal'])
    .u8(operationFlags(operation))
    .u8(0)
    .u32(operation.index)
    .u32(operation.retryOnConflict ?? 0)
    .u64(operation.ifSeqNo ?? 0n)
    .u64(operation.ifPrimaryTerm ?? 0n)
    .u64(operation.version ?? 0n)
    .str(operation.id)
    .str(operation.routing ?? '')
    .strBytes(operation.source ?? nothing)
    .str(operation.sourceFilter ?? '');
}

function operationFlags(operation: EncodableOperation): number {
  return (
    (operation.ifSeqNo === undefined ? 0 : IF_SEQ_NO) |
    (operation.ifPrimaryTerm === undefined ? 0 : IF_PRIMARY_TERM) |
    (operation.version === undefined ? 0 : HAS_VERSION) |
    (operation.detectNoop === false ? DETECT_NOOP_OFF : 0) |
    (operation.docAsUpsert === true ? DOC_AS_UPSERT : 0) |
    (operation.autoId === true ? AUTO_ID : 0)
  );
}

/** What a name of a bulk body stands for. */
export type BulkName =
  | {
      readonly name: string;
      readonly index: number;
      /** Of an alias: every line through it takes this one. */
      readonly routing?: string;
    }
  | { readonly name: string; readonly errorType: number; readonly reason: string };

export interface BulkHeader {
  readonly requireAlias?: boolean;
  /** Action lines may have a `_type`. */
  readonly types?: boolean;
  readonly defaultIndex?: string;
  /** JSON of the `_source` that updates answer unless their line says otherwise. */
  readonly defaultSource?: string;
  /** For lines without one. */
  readonly defaultRouting?: string;
  readonly names: readonly BulkName[];
}

/** The body itself travels beside it, untouched. */
export function writeBulkHeader(header: BulkHeader): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256);
  const routings = header.names.flatMap((name) =>
    'routing' in name ? [[name.name, name.routing] as const] : [],
  );
  const hasRouting = header.defaultRouting !== undefined || routings.length > 0;
  writer
    .u32(BULK_MAGIC)
    .u32(
      (header.requireAlias === true ? REQUIRE_ALIAS : 0) |
        (hasRouting ? HAS_ROUTING : 0) |
        (header.types === true ? TYPES : 0),
    )
    .str(header.defaultIndex ?? '')
    .u8(header.defaultSource === undefined ? 0 : 1)
    .str(header.defaultSource ?? '')
    .list(header.names, (name) => writeName(writer, name));
  if (hasRouting) {
    writer
      .str(header.defaultRouting ?? '')
      .list(routings, ([name, routing]) => writer.str(name).str(routing));
  }
  return writer.take();
}

function writeName(writer: ByteWriter, name: BulkName): void {
  writer.str(name.name);
  if ('index' in name) writer.u32(name.index);
  else writer.u32(NO_INDEX).u16(name.errorType).str(name.reason);
}
